#include "muslin/linear/sparse_factor.h"

#include "muslin/linear/sparse_factor_numbers.h"

namespace muslin {

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

bool SparseFactor::factorize(const double* values) {
  auto& [width, order, source, upper, llt] = *numbers_;
  for (size_t k = 0; k < source.size(); ++k) upper.valuePtr()[k] = values[source[k]];
  llt.factorize(upper);
  return llt.info() == Eigen::Success;
}

void SparseFactor::solve(Eigen::Ref<Eigen::VectorXd> x) const {
  const auto& [width, order, source, upper, llt] = *numbers_;
  Eigen::VectorXd ordered(x.size());
  for (size_t k = 0; k < order.size(); ++k)
    ordered.segment(width * k, width) = x.segment(width * order[k], width);
  ordered = llt.solve(ordered).eval();
  for (size_t k = 0; k < order.size(); ++k)
    x.segment(width * order[k], width) = ordered.segment(width * k, width);
}

}  // namespace muslin
