#include "muslin/linear/ordering.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace muslin {

std::vector<int> fill_reducing_order(int n, const int* begin, const int* column) {
  const std::vector<double> ones(begin[n], 1);
  const Eigen::Map<const Eigen::SparseMatrix<double> > graph(n, n, begin[n], begin, column, ones.data());
  Eigen::AMDOrdering<int>::PermutationType permutation;
  Eigen::AMDOrdering<int>()(Eigen::SparseMatrix<double>(graph), permutation);
  const auto& order = permutation.indices();
  return {order.data(), order.data() + n};
}

}  // namespace muslin
