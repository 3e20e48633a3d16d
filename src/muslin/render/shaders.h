#pragma once
#include <string>

// The shaders, each complete with its version line and the common part.

namespace muslin::shaders {

inline constexpr int kSkyDirections = 48;

std::string depth_vertex();
std::string depth_fragment();
std::string backdrop_vertex();
std::string backdrop_fragment();
std::string lit_vertex();
std::string plane_fragment();
std::string solid_fragment();
std::string cloth_fragment();

}  // namespace muslin::shaders
