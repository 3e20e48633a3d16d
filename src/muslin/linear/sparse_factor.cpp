#include "muslin/linear/sparse_factor.h"

#include <vector>

#include "muslin/linear/ordering.h"
#ifdef MUSLIN_HAVE_CHOLMOD
#include <Eigen/CholmodSupport>
#else
#include <Eigen/SparseCholesky>
#endif

namespace muslin {

struct SparseFactor::Numbers {
  using Lower = Eigen::SparseMatrix<double>;
#ifdef MUSLIN_HAVE_CHOLMOD
  using Llt = Eigen::CholmodSupernodalLLT<Lower, Eigen::Lower>;
#else
  using Llt = Eigen::SimplicialLLT<Lower, Eigen::Lower, Eigen::NaturalOrdering<int>>;
#endif
  int width = 1;
  std::vector<int> order;   // order[k]: the row of blocks that is eliminated k-th
  std::vector<int> source;  // of every number of `lower`: its place in the values
  Lower lower;
  Llt llt;
};

SparseFactor::SparseFactor() : numbers_(std::make_unique<Numbers>()) {
#ifdef MUSLIN_HAVE_CHOLMOD
  auto& cholmod = numbers_->llt.cholmod();
  cholmod.nmethods = 1;
  cholmod.method[0].ordering = CHOLMOD_NATURAL;  // the order is ours
  cholmod.print = 0;
#endif
}
SparseFactor::~SparseFactor() = default;
SparseFactor::SparseFactor(SparseFactor&&) noexcept = default;
SparseFactor& SparseFactor::operator=(SparseFactor&&) noexcept = default;

void SparseFactor::analyze(int n, const int* begin, const int* column, int width) {
  auto& [known_width, order, source, lower, llt] = *numbers_;
  known_width = width;
  // 1. Rows in the order of elimination
  order = fill_reducing_order(n, begin, column);
  std::vector<int> place(n);
  for (int k = 0; k < n; ++k) place[order[k]] = k;

  // 2. The lower triangle, each entry holding for now which of the values it comes from
  std::vector<Eigen::Triplet<double>> entries;
  for (int v = 0; v < n; ++v)
    for (int slot = begin[v]; slot < begin[v + 1]; ++slot)
      for (int c = 0; c < width; ++c)
        for (int r = 0; r < width; ++r) {
          const int row = width * place[v] + r, other = width * place[column[slot]] + c;
          if (row >= other) entries.emplace_back(row, other, width * width * slot + width * c + r);
        }
  lower.resize(width * n, width * n);
  lower.setFromTriplets(entries.begin(), entries.end());
  source.assign(lower.valuePtr(), lower.valuePtr() + lower.nonZeros());
  llt.analyzePattern(lower);
}

bool SparseFactor::factorize(const double* values) {
  auto& [width, order, source, lower, llt] = *numbers_;
  for (size_t k = 0; k < source.size(); ++k) lower.valuePtr()[k] = values[source[k]];
  llt.factorize(lower);
  return llt.info() == Eigen::Success;
}

void SparseFactor::solve(Eigen::Ref<Eigen::VectorXd> x) const {
  const auto& [width, order, source, lower, llt] = *numbers_;
  Eigen::VectorXd ordered(x.size());
  for (size_t k = 0; k < order.size(); ++k)
    ordered.segment(width * k, width) = x.segment(width * order[k], width);
  ordered = llt.solve(ordered).eval();
  for (size_t k = 0; k < order.size(); ++k)
    x.segment(width * order[k], width) = ordered.segment(width * k, width);
}

}  // namespace muslin
