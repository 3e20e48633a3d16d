#pragma once
#include <map>
#include <string>

#include "muslin/core/simd.h"

namespace muslin {

/// What options call them.
inline std::map<std::string, Simd> simd_names() {
  return {{"plain", Simd::plain}, {"avx2", Simd::avx2}, {"avx512", Simd::avx512}};
}

}  // namespace muslin
