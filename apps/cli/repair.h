#pragma once
#include <string>

#include "muslin/model/model.h"
#include "muslin/repair/untangle.h"

/// What a repair did, in one sentence.
std::string repair_sentence(const muslin::Model& model, const muslin::Untangled& repaired);

/// Triangles of cloth that still meet colliders, one line each; the first few.
std::string left_in_bodies(const muslin::Model& model, const muslin::Untangled& repaired);
