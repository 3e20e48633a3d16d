#pragma once
#include <Eigen/Sparse>

#include "muslin/energy/energies.h"

namespace muslin {

/// Σ of the majorants of all elements [N/m], n×n: the elastic part of projective dynamics' matrix [Bouaziz
/// 2014]. The diagonal is always among its entries.
Eigen::SparseMatrix<double> majorant_matrix(const Energies& energies, int vertex_count);

}  // namespace muslin
