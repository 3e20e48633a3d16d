#pragma once
#include "muslin/model/model.h"

namespace muslin {

/// Fastens vertices whose pins follow another cloth to the nearest place of that by springs between both,
/// which give way as far as the two are apart at the start. Throws Error(invalid) where cloths have no room
/// for that. Called once all cloths are there, before `connect`.
void attach_to_cloths(const Scene& scene, Model& model);

}  // namespace muslin
