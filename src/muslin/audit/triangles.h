#pragma once
#include "muslin/core/types.h"

namespace muslin {

/// Whether two triangles of a mesh meet other than where they must, exactly. Touching counts, be it in one
/// point. Of two that share
/// - no vertex: whether they have a point in common;
/// - one vertex: whether they have another point in common;
/// - two vertices: whether they have a point beyond the shared side in common, that is, whether one is folded
/// flat
///   onto the other;
/// - all three: always.
/// A triangle without area has no inside: it meets others by its sides alone, and nothing where they share
/// vertices. Vertices are the same by number, not by place.
bool triangles_meet(const Points& positions, const Stencil<3>& a, const Stencil<3>& b);

/// Whether the corners of a triangle lie on one line, exactly.
bool has_no_area(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace muslin
