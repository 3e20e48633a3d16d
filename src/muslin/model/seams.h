#pragma once
#include <vector>

#include "muslin/model/model.h"

namespace muslin {

/// The seams of a cloth between vertices of its placed mesh: those of its pattern, then its own. Throws
/// Error(invalid) for sides that are no chain on a border, or that have different numbers of vertices.
std::vector<ModelSeam> seams_of(const Cloth& cloth, const Mesh& mesh);

/// Adds the seams of a cloth whose first vertex is `first_user` in the scene.
void add_seams(const Cloth& cloth, const Mesh& mesh, int first_user, Model& model);

/// Makes elements of the stitches whose ends are not yet one; to be called when all cloths are there.
void add_stitches(Model& model);

/// Up to which length each open stitch is slack at a time [m].
std::vector<double> stitch_lengths(const Model& model, double time);

/// Pairs of closed stitches that are a cloth's, in its own numbers.
std::vector<Stencil<2>> closed_of(const std::vector<Stencil<2>>& closed, int first_user, int count);

}  // namespace muslin
