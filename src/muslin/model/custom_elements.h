#pragma once
#include "muslin/model/model.h"
#include "muslin/model/scene.h"

namespace muslin {

/// Adds the elements of the scene's own energies to a model that has all its vertices. Throws Error(invalid)
/// for stencils that do not fit, and for functions that give matrices of other sizes or what is no number
/// where the cloth begins.
void add_custom_elements(const Scene& scene, Model& model);

}  // namespace muslin
