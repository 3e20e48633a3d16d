#pragma once
#include <string>
#include <string_view>

namespace muslin {

/// The SHA-256 of some bytes [FIPS 180-4] as 64 hexadecimal digits, as the program sha256sum says it.
std::string sha256(std::string_view bytes);

}  // namespace muslin
