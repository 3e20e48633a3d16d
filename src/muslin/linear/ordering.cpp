#include "muslin/linear/ordering.h"

#ifdef MUSLIN_HAVE_METIS
#include <metis.h>

#include <cstdlib>
#else
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#endif

namespace muslin {

#ifdef MUSLIN_HAVE_METIS

namespace {
// METIS seeds and draws from the C library's generator: that of the caller is put back afterwards.
class KeepRandomState {
 public:
#ifdef __GLIBC__
  KeepRandomState() : previous_(initstate(1, own_, sizeof own_)) {}
  ~KeepRandomState() { setstate(previous_); }

 private:
  char own_[256];
  char* previous_;
#endif
};
}  // namespace

std::vector<int> fill_reducing_order(int n, const int* begin, const int* column) {
  std::vector<int> order(n);
  std::vector<idx_t> start{0}, neighbour, place(n), vertex(n);
  for (int i = 0; i < n; ++i) {
    for (int slot = begin[i]; slot < begin[i + 1]; ++slot)
      if (column[slot] != i) neighbour.push_back(column[slot]);
    start.push_back(static_cast<idx_t>(neighbour.size()));
  }
  for (int i = 0; i < n; ++i) order[i] = i;
  if (neighbour.empty()) return order;  // METIS wants edges
  const KeepRandomState keep;
  idx_t count = n;
  if (METIS_NodeND(&count, start.data(), neighbour.data(), nullptr, nullptr, vertex.data(), place.data()) ==
      METIS_OK)
    order.assign(vertex.begin(), vertex.end());
  return order;
}

#else

std::vector<int> fill_reducing_order(int n, const int* begin, const int* column) {
  const std::vector<double> ones(begin[n], 1);
  const Eigen::Map<const Eigen::SparseMatrix<double> > graph(n, n, begin[n], begin, column, ones.data());
  Eigen::AMDOrdering<int>::PermutationType permutation;
  Eigen::AMDOrdering<int>()(Eigen::SparseMatrix<double>(graph), permutation);
  const auto& order = permutation.indices();
  return {order.data(), order.data() + n};
}

#endif

}  // namespace muslin
