#pragma once
#include <string_view>

namespace muslin {

/// The library's version, as "0.1.0".
std::string_view version();

}  // namespace muslin
