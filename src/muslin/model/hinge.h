#pragma once
#include <string>

#include "muslin/model/model.h"

namespace muslin {

/// What to say of a cloth whose pins lie on one line, so that it can turn about it, where its weight would do
/// so: it does not hang straight below. "" for all others.
std::string hinge_hint(const Vec3& gravity, const Model& model, const ClothRange& range);

}  // namespace muslin
