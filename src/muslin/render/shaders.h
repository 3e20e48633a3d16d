#pragma once
#include "muslin/render/gl.h"

// The programs of the renderer, each made of its parts in glsl/.

namespace muslin::shaders {

inline constexpr int kMostSkyDirections = 96;

ProgramText depth();
ProgramText sky();
ProgramText backdrop();
ProgramText plane();
ProgramText solid();
ProgramText cloth();
ProgramText phong();
ProgramText normals();
ProgramText mirror();
ProgramText cube_face();
ProgramText line();
ProgramText dot();
ProgramText overlay();

}  // namespace muslin::shaders
