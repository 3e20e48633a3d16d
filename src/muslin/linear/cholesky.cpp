#include "muslin/linear/cholesky.h"

#include <array>

#include "muslin/core/check.h"
#include "muslin/linear/sparse_factor.h"

namespace muslin {

// --- blocks ----------------------------------------------------------------------------------------

struct BlockCholesky::Factor {
  std::shared_ptr<const BlockPattern> pattern;
  SparseFactor numbers;
  Filter filter;
  Points lift;  // A z
};

BlockCholesky::BlockCholesky() = default;
BlockCholesky::~BlockCholesky() = default;
BlockCholesky::BlockCholesky(BlockCholesky&&) noexcept = default;
BlockCholesky& BlockCholesky::operator=(BlockCholesky&&) noexcept = default;

namespace {

// S A S + μ(I − S), μ the size of the block
BlockMatrix filtered(const BlockMatrix& A, const Filter& filter) {
  BlockMatrix result = A;
  const BlockPattern& pattern = A.pattern();
  for (const Filter::Held& h : filter.held())
    for (int slot = pattern.begin[h.vertex]; slot < pattern.begin[h.vertex + 1]; ++slot) {
      Mat3& in_row = result.block(slot);
      in_row = (h.free * in_row).eval();
      Mat3& in_column = result.block(pattern.find(pattern.column[slot], h.vertex));
      in_column = (in_column * h.free).eval();
    }
  for (const Filter::Held& h : filter.held()) {
    const double size = A.diagonal(h.vertex).trace() / 3;
    result.diagonal(h.vertex) += (size > 0 ? size : 1) * (Mat3::Identity() - h.free);
  }
  return result;
}

}  // namespace

bool BlockCholesky::factorize(const BlockMatrix& A, const Filter& filter) {
  if (!factor_) factor_ = std::make_unique<Factor>();
  Factor& f = *factor_;
  if (f.pattern != A.shared_pattern() && !(f.pattern && *f.pattern == A.pattern())) {
    f.pattern = A.shared_pattern();
    f.numbers.analyze(A.rows(), f.pattern->begin.data(), f.pattern->column.data(), 3);
  }
  f.filter = filter;
  f.lift.setZero(3, A.rows());
  if (filter.moves()) {
    Points prescribed = Points::Zero(3, A.rows());
    filter.impose(prescribed);
    A.multiply(prescribed, f.lift);
  }
  if (A.rows() == 0) return true;
  return f.numbers.factorize(filter.empty() ? A.block(0).data() : filtered(A, filter).block(0).data());
}

void BlockCholesky::solve(const Points& b, Points& x) const {
  MUSLIN_ASSERT(factor_ && b.cols() == factor_->pattern->rows());
  x = b - factor_->lift;
  factor_->filter.apply(x);
  factor_->numbers.solve(x.reshaped());
  factor_->filter.impose(x);
}

// --- one matrix for all axes -----------------------------------------------------------------------

struct AxisCholesky::Factors {
  std::vector<int> begin, column;                     // the compressed pattern that was analysed
  std::array<std::unique_ptr<SparseFactor>, 3> axes;  // one a distinct set of held vertices
  std::array<int, 3> of_axis;                         // which of them an axis uses
  Points free;
};

AxisCholesky::AxisCholesky() = default;
AxisCholesky::~AxisCholesky() = default;
AxisCholesky::AxisCholesky(AxisCholesky&&) noexcept = default;
AxisCholesky& AxisCholesky::operator=(AxisCholesky&&) noexcept = default;

namespace {

// The numbers of S L S + (I − S), where `free` is S's diagonal.
std::vector<double> filtered(const Eigen::SparseMatrix<double>& L, const Eigen::RowVectorXd& free) {
  std::vector<double> values(L.valuePtr(), L.valuePtr() + L.nonZeros());
  for (int c = 0; c < L.cols(); ++c)
    for (int k = L.outerIndexPtr()[c]; k < L.outerIndexPtr()[c + 1]; ++k) {
      const int r = L.innerIndexPtr()[k];
      if (free[r] == 0 || free[c] == 0) values[k] = r == c ? 1 : 0;
    }
  return values;
}

}  // namespace

bool AxisCholesky::factorize(const Eigen::SparseMatrix<double>& L, const Points& free) {
  MUSLIN_ASSERT(L.isCompressed() && L.rows() == L.cols() && free.cols() == L.cols());
  if (!factors_) factors_ = std::make_unique<Factors>();
  Factors& f = *factors_;
  const int n = static_cast<int>(L.cols());
  const std::vector<int> begin(L.outerIndexPtr(), L.outerIndexPtr() + n + 1);
  const std::vector<int> column(L.innerIndexPtr(), L.innerIndexPtr() + begin[n]);
  if (begin != f.begin || column != f.column) {
    f.begin = begin;
    f.column = column;
    for (auto& numbers : f.axes) numbers.reset();
  }
  f.free = free;
  for (int axis = 0; axis < 3; ++axis) {
    f.of_axis[axis] = axis;
    for (int other = 0; other < axis; ++other)
      if (free.row(other) == free.row(axis)) f.of_axis[axis] = f.of_axis[other];
    if (f.of_axis[axis] != axis) continue;
    if (!f.axes[axis]) {
      f.axes[axis] = std::make_unique<SparseFactor>();
      f.axes[axis]->analyze(n, f.begin.data(), f.column.data(), 1);
    }
    if (!f.axes[axis]->factorize(filtered(L, free.row(axis)).data())) return false;
  }
  return true;
}

void AxisCholesky::solve(const Points& b, Points& x) const {
  MUSLIN_ASSERT(factors_ && b.cols() == factors_->free.cols());
  Eigen::MatrixX3d axes = b.cwiseProduct(factors_->free).transpose();
  for (int axis = 0; axis < 3; ++axis) factors_->axes[factors_->of_axis[axis]]->solve(axes.col(axis));
  x = axes.transpose();
}

}  // namespace muslin
