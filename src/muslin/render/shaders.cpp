#include "muslin/render/shaders.h"

#include "muslin/render/glsl.h"

namespace muslin::shaders {
namespace {

/// A shader: version, the common part, then its own.
std::string join(std::initializer_list<std::string_view> parts) {
  std::string text = "#version 330 core\n#define SKY " + std::to_string(kMostSkyDirections) + "\n";
  text += kGlslCommon;
  for (const std::string_view part : parts) text += part;
  return text;
}

}  // namespace

ProgramText depth() { return {join({kGlslDepthVertex}), join({kGlslEmptyFragment})}; }
ProgramText sky() {
  return {join({kGlslSkyVertex}), join({kGlslEmptyFragment}), "", {"front_sky", "back_sky"}};
}
ProgramText backdrop() { return {join({kGlslBackdropVertex}), join({kGlslBackdropFragment})}; }
ProgramText plane() { return {join({kGlslLitVertex}), join({kGlslKey, kGlslPlaneFragment})}; }
ProgramText solid() { return {join({kGlslLitVertex}), join({kGlslKey, kGlslSolidFragment})}; }
ProgramText cloth() { return {join({kGlslLitVertex}), join({kGlslKey, kGlslPaint, kGlslClothFragment})}; }
ProgramText phong() {
  return {join({kGlslLitVertex}), join({kGlslKey, kGlslPaint, kGlslHeight, kGlslPhongFragment})};
}
ProgramText normals() { return {join({kGlslLitVertex}), join({kGlslNormalsFragment})}; }
ProgramText mirror() { return {join({kGlslLitVertex}), join({kGlslStudio, kGlslMirrorFragment})}; }
ProgramText cube_face() { return {join({kGlslBackdropVertex}), join({kGlslStudio, kGlslCubeFaceFragment})}; }
ProgramText line() { return {join({kGlslLineVertex}), join({kGlslLineFragment}), join({kGlslLineGeometry})}; }
ProgramText dot() { return {join({kGlslLineVertex}), join({kGlslDotFragment}), join({kGlslDotGeometry})}; }
ProgramText overlay() { return {join({kGlslOverlayVertex}), join({kGlslOverlayFragment})}; }

}  // namespace muslin::shaders
