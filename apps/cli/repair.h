#pragma once
#include <string>

#include "muslin/model/model.h"
#include "muslin/repair/untangle.h"

/// Repairs a start; where that takes long, says every few seconds on standard error how far it is.
muslin::Untangled untangle_aloud(const muslin::Model& model, const muslin::Points& positions, bool quiet);

/// What a repair did, in one sentence.
std::string repair_sentence(const muslin::Model& model, const muslin::Untangled& repaired);

/// Triangles of cloth that still meet colliders, one line each; the first few.
std::string left_in_bodies(const muslin::Model& model, const muslin::Untangled& repaired);
