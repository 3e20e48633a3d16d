#pragma once
#include <vector>

namespace muslin {

/// An order of n vertices in which a Cholesky factor stays sparse: order[k] is the vertex that is eliminated
/// k-th. `begin` (n+1) and `column` are the compressed rows of a symmetric matrix. Nested dissection
/// [Karypis 1998] where METIS was found at build time, else approximate minimum degree [Amestoy 1996]. The
/// same pattern always gives the same order.
std::vector<int> fill_reducing_order(int n, const int* begin, const int* column);

}  // namespace muslin
