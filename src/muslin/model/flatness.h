#pragma once
#include <string>

#include "muslin/model/model.h"

namespace muslin {

/// What to say of a cloth that begins flat where whatever acts on it acts exactly along its plane: it never
/// leaves it, so that a flag does not flutter and a falling sheet comes to stand on its edge. "" for all
/// others. `cloth` is the scene's, whose part `range` of the model is looked at.
std::string flatness_hint(const Scene& scene, const Cloth& cloth, const Model& model,
                          const ClothRange& range);

}  // namespace muslin
