#pragma once
#include "muslin/render/drawable.h"

namespace muslin {

/// Adds a hem to the cloth of a stage: a rounded bead along its borders, so that edges have a thickness that
/// is seen. `cloth` is its cloth_drawable. How thick it is follows from the size of the cloth.
void add_hem(const Stage& stage, Drawable& cloth);

}  // namespace muslin
