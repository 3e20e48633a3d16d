#include "muslin/linear/ordering.h"

#include <Eigen/OrderingMethods>

namespace muslin {

std::vector<int> fill_reducing_order(int n, const int* begin, const int* column) {
  const std::vector<double> ones(begin[n], 1);
  const Eigen::Map<const Eigen::SparseMatrix<double>> graph(n, n, begin[n], begin, column, ones.data());
  Eigen::AMDOrdering<int>::PermutationType permutation;
  Eigen::AMDOrdering<int>()(Eigen::SparseMatrix<double>(graph), permutation);
  const auto& order = permutation.indices();
  return {order.data(), order.data() + n};
}

Eigen::SparseMatrix<double> ordered_upper_triangle(int n, const int* begin, const int* column, int width,
                                                   const std::vector<int>& order) {
  std::vector<int> place(n);
  for (int k = 0; k < n; ++k) place[order[k]] = k;
  std::vector<Eigen::Triplet<double>> entries;
  for (int v = 0; v < n; ++v)
    for (int slot = begin[v]; slot < begin[v + 1]; ++slot)
      for (int c = 0; c < width; ++c)
        for (int r = 0; r < width; ++r) {
          const int row = width * place[v] + r, other = width * place[column[slot]] + c;
          if (row >= other) entries.emplace_back(other, row, width * width * slot + width * c + r);
        }
  Eigen::SparseMatrix<double> upper(width * n, width * n);
  upper.setFromTriplets(entries.begin(), entries.end());
  return upper;
}

}  // namespace muslin
