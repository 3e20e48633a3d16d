#pragma once
#include "muslin/energy/batch.h"
#include "muslin/energy/dihedral.h"

// The loops of batch.h over plates of any rest shape. What a hinge's angle takes, and how it changes, is most
// of their work, and two elements share it: here every hinge is visited once.

namespace muslin {

/// Σ E [J]
double total_value(const DihedralEnergy& energy, const Points& x);

/// gradient += ∂(Σ E)/∂x
void add_gradient(const DihedralEnergy& energy, const Points& x, Scratch& scratch, Points& gradient);

/// The same, and Σ E [J], in one pass.
double add_value_and_gradient(const DihedralEnergy& energy, const Points& x, Scratch& scratch,
                              Points& gradient);

}  // namespace muslin
