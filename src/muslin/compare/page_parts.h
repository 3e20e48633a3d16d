#pragma once
#include <string_view>

namespace muslin {

// The files of compare/page/, put into the library by the build.
extern const std::string_view kPageHtml;    ///< with places {{title}}, {{style}}, {{script}}, {{data}} …
extern const std::string_view kPageStyle;   ///< CSS
extern const std::string_view kPageScript;  ///< JavaScript, all files in order

}  // namespace muslin
