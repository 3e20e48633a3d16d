#pragma once
#include <string_view>

// The text of the files in glsl/, compiled in.

namespace muslin {

extern const std::string_view kGlslCommon, kGlslKey, kGlslPaint, kGlslHeight, kGlslStudio;
extern const std::string_view kGlslDepthVertex, kGlslEmptyFragment, kGlslSkyVertex;
extern const std::string_view kGlslBackdropVertex, kGlslBackdropFragment;
extern const std::string_view kGlslLitVertex, kGlslPlaneFragment, kGlslSolidFragment, kGlslClothFragment;
extern const std::string_view kGlslPhongFragment, kGlslNormalsFragment, kGlslMirrorFragment,
    kGlslCubeFaceFragment;
extern const std::string_view kGlslLineVertex, kGlslLineGeometry, kGlslLineFragment;
extern const std::string_view kGlslDotGeometry, kGlslDotFragment;
extern const std::string_view kGlslOverlayVertex, kGlslOverlayFragment;
extern const std::string_view kGlslStudentVertex;

}  // namespace muslin
