#include "muslin/linear/cholesky.h"

#include <algorithm>
#include <array>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/linear/ordering.h"
#ifdef MUSLIN_HAVE_CHOLMOD
#include <Eigen/CholmodSupport>
#else
#include <Eigen/SparseCholesky>
#endif

namespace muslin {

namespace {

using Sparse = Eigen::SparseMatrix<double>;  // the lower triangle, rows and columns in elimination order
#ifdef MUSLIN_HAVE_CHOLMOD
class Llt : public Eigen::CholmodSupernodalLLT<Sparse, Eigen::Lower> {
 public:
  Llt() {  // the order is ours
    cholmod().nmethods = 1;
    cholmod().method[0].ordering = CHOLMOD_NATURAL;
    cholmod().print = 0;
  }
};
#else
using Llt = Eigen::SimplicialLLT<Sparse, Eigen::Lower, Eigen::NaturalOrdering<int>>;
#endif

std::vector<int> inverse_of(const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
  return place;
}

}  // namespace

// --- blocks ----------------------------------------------------------------------------------------

struct BlockCholesky::Factor {
  std::shared_ptr<const BlockPattern> pattern;
  std::vector<int> order;   // order[k]: the vertex eliminated k-th
  std::vector<int> begin;   // n+1; the blocks of column k on and below the diagonal, in elimination order
  std::vector<int> source;  // the slot of the matrix that each is the transpose of
  Sparse lower;
  Llt llt;
  Filter filter;
  Points lift;  // A z

  void analyze(const std::shared_ptr<const BlockPattern>& wanted);
  void fill(const BlockMatrix& A);
};

// Orders the graph of the vertices, then expands it to numbers.
void BlockCholesky::Factor::analyze(const std::shared_ptr<const BlockPattern>& wanted) {
  pattern = wanted;
  const int n = pattern->rows();
  order = fill_reducing_order(n, pattern->begin.data(), pattern->column.data());
  const std::vector<int> place = inverse_of(order);
  begin.assign(1, 0);
  source.clear();
  for (const int v : order) {
    for (int slot = pattern->begin[v]; slot < pattern->begin[v + 1]; ++slot)
      if (place[pattern->column[slot]] >= place[v]) source.push_back(slot);
    std::sort(source.begin() + begin.back(), source.end(),
              [&](int a, int b) { return place[pattern->column[a]] < place[pattern->column[b]]; });
    begin.push_back(static_cast<int>(source.size()));
  }
  lower.resize(3 * n, 3 * n);
  lower.resizeNonZeros(9 * static_cast<int>(source.size()));
  int entry = 0;
  for (int k = 0; k < n; ++k)
    for (int c = 0; c < 3; ++c) {
      lower.outerIndexPtr()[3 * k + c] = entry;
      for (int s = begin[k]; s < begin[k + 1]; ++s)
        for (int r = 0; r < 3; ++r)
          lower.innerIndexPtr()[entry++] = 3 * place[pattern->column[source[s]]] + r;
    }
  lower.outerIndexPtr()[3 * n] = entry;
  llt.analyzePattern(lower);
}

void BlockCholesky::Factor::fill(const BlockMatrix& A) {
  const int n = A.rows();
  std::vector<const Mat3*> free(n, nullptr);
  for (const Filter::Held& h : filter.held()) free[h.vertex] = &h.free;
  parallel_for(n, [&](int k) {
    const int v = order[k], count = begin[k + 1] - begin[k];
    double* values = lower.valuePtr() + 9 * begin[k];
    for (int s = 0; s < count; ++s) {
      const int slot = source[begin[k] + s], other = pattern->column[slot];
      Mat3 block = A.block(slot);
      if (free[v]) block = (*free[v] * block).eval();
      if (free[other]) block = (block * *free[other]).eval();
      if (free[v] && v == other) block += Mat3::Identity() - *free[v];
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) values[3 * (c * count + s) + r] = block(c, r);
    }
  });
}

BlockCholesky::BlockCholesky() = default;
BlockCholesky::~BlockCholesky() = default;
BlockCholesky::BlockCholesky(BlockCholesky&&) noexcept = default;
BlockCholesky& BlockCholesky::operator=(BlockCholesky&&) noexcept = default;

bool BlockCholesky::factorize(const BlockMatrix& A, const Filter& filter) {
  if (!factor_) factor_ = std::make_unique<Factor>();
  Factor& f = *factor_;
  if (f.pattern != A.shared_pattern() && !(f.pattern && *f.pattern == A.pattern()))
    f.analyze(A.shared_pattern());
  f.filter = filter;
  f.lift.setZero(3, A.rows());
  if (filter.moves()) {
    Points prescribed = Points::Zero(3, A.rows());
    filter.impose(prescribed);
    A.multiply(prescribed, f.lift);
  }
  f.fill(A);
  f.llt.factorize(f.lower);
  return f.llt.info() == Eigen::Success;
}

void BlockCholesky::solve(const Points& b, Points& x) const {
  MUSLIN_ASSERT(factor_ && b.cols() == factor_->pattern->rows());
  const Factor& f = *factor_;
  const int n = f.pattern->rows();
  Points free = b - f.lift;
  f.filter.apply(free);
  Eigen::VectorXd ordered(3 * n);
  for (int k = 0; k < n; ++k) ordered.segment<3>(3 * k) = free.col(f.order[k]);
  ordered = f.llt.solve(ordered).eval();
  x.resize(3, n);
  for (int k = 0; k < n; ++k) x.col(f.order[k]) = ordered.segment<3>(3 * k);
  f.filter.impose(x);
}

// --- one matrix for all axes -----------------------------------------------------------------------

struct AxisCholesky::Factors {
  std::vector<int> begin, column;           // the compressed pattern that was ordered
  std::vector<int> order;                   // order[k]: the vertex eliminated k-th
  std::array<std::unique_ptr<Llt>, 3> llt;  // one a distinct set of held vertices
  std::array<int, 3> of_axis;               // which of them an axis uses
  Points free;

  Sparse filtered(const Sparse& L, int axis) const;
};

// The lower triangle of S L S + (I − S), ordered.
Sparse AxisCholesky::Factors::filtered(const Sparse& L, int axis) const {
  const std::vector<int> place = inverse_of(order);
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < L.cols(); ++c)
    for (Sparse::InnerIterator entry(L, c); entry; ++entry) {
      const int r = static_cast<int>(entry.row());
      const bool is_free = free(axis, r) > 0 && free(axis, c) > 0;
      if (place[r] >= place[c])
        entries.emplace_back(place[r], place[c], is_free ? entry.value() : r == c ? 1 : 0);
    }
  Sparse lower(L.rows(), L.cols());
  lower.setFromTriplets(entries.begin(), entries.end());
  return lower;
}

AxisCholesky::AxisCholesky() = default;
AxisCholesky::~AxisCholesky() = default;
AxisCholesky::AxisCholesky(AxisCholesky&&) noexcept = default;
AxisCholesky& AxisCholesky::operator=(AxisCholesky&&) noexcept = default;

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
    f.order = fill_reducing_order(n, f.begin.data(), f.column.data());
    for (auto& llt : f.llt) llt.reset();
  }
  f.free = free;
  bool positive = true;
  for (int axis = 0; axis < 3; ++axis) {
    f.of_axis[axis] = axis;
    for (int other = 0; other < axis; ++other)
      if (free.row(other) == free.row(axis)) f.of_axis[axis] = f.of_axis[other];
    if (f.of_axis[axis] != axis) continue;
    const Sparse lower = f.filtered(L, axis);
    if (!f.llt[axis]) {
      f.llt[axis] = std::make_unique<Llt>();
      f.llt[axis]->analyzePattern(lower);
    }
    f.llt[axis]->factorize(lower);
    positive = positive && f.llt[axis]->info() == Eigen::Success;
  }
  return positive;
}

void AxisCholesky::solve(const Points& b, Points& x) const {
  MUSLIN_ASSERT(factors_ && b.cols() == factors_->free.cols());
  const Factors& f = *factors_;
  const int n = static_cast<int>(b.cols());
  Eigen::MatrixX3d ordered(n, 3);
  for (int k = 0; k < n; ++k)
    ordered.row(k) = b.col(f.order[k]).cwiseProduct(f.free.col(f.order[k])).transpose();
  if (f.of_axis == std::array{0, 0, 0})
    ordered = f.llt[0]->solve(ordered).eval();
  else
    for (int axis = 0; axis < 3; ++axis)
      ordered.col(axis) = f.llt[f.of_axis[axis]]->solve(ordered.col(axis)).eval();
  x.resize(3, n);
  for (int k = 0; k < n; ++k) x.col(f.order[k]) = ordered.row(k).transpose();
}

}  // namespace muslin
