#pragma once
#include <cstdint>

namespace muslin {

/// A number that no other call in this process returns, and never 0. Who changes what others keep caches of
/// gives it a new one; whose cache was made for another number makes it anew.
std::uint64_t next_revision();

}  // namespace muslin
