#pragma once
#include <vector>

namespace muslin {

/// An order of n vertices in which a Cholesky factor stays sparse: order[k] is the vertex that is eliminated
/// k-th. `begin` (n+1) and `column` are the compressed rows of a symmetric matrix. Approximate minimum
/// degree [Amestoy 1996], Eigen's. The same pattern gives the same order, on every system.
std::vector<int> fill_reducing_order(int n, const int* begin, const int* column);

}  // namespace muslin
