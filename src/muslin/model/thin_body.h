#pragma once
#include "muslin/model/scene.h"

namespace muslin {

/// The vertices of a closed mesh [m], 3×n, drawn in towards its medial axis by a part of the way: limbs keep
/// their lengths and become thin. By the largest balls that touch the surface from within [Ma 2012], whose
/// centres are smoothed over the surface.
Points thin_body(const Mesh& mesh, double part);

/// The scene with frames for the body that its dress names: thin until `sew`, whole after `grow`. Without a
/// dress, or where they are made already, the scene itself.
Scene with_thin_body(Scene scene);

}  // namespace muslin
