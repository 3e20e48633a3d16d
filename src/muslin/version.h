#pragma once
#include <string_view>

namespace muslin {

/// "0.1.0"
std::string_view version();

}  // namespace muslin
