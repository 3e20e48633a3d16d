#pragma once
#include <string_view>

namespace muslin {

// The files of sweep/page/, put into the library by the build.
extern const std::string_view kSweepPage;  ///< HTML with places {{title}}, {{style}}, {{script}}, {{data}} …
extern const std::string_view kSweepScript;  ///< JavaScript, all files in order

}  // namespace muslin
