#pragma once
#include <string_view>

namespace muslin {

// The files of compare/page/, put into the library by the build.
extern const std::string_view
    kComparePage;  ///< HTML with places {{title}}, {{style}}, {{script}}, {{data}} …
extern const std::string_view kCompareScript;        ///< JavaScript, all files in order
extern const std::string_view kWorkPrecisionPage;    ///< HTML, likewise
extern const std::string_view kWorkPrecisionScript;  ///< JavaScript

}  // namespace muslin
