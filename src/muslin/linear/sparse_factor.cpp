#include "muslin/linear/sparse_factor.h"

#include <cmath>
#include <vector>

#include "muslin/core/stop_scope.h"
#include "muslin/linear/ordering.h"
#ifdef MUSLIN_HAVE_CHOLMOD
#include <Eigen/CholmodSupport>
#else
#include <Eigen/SparseCholesky>
#endif

namespace muslin {

struct SparseFactor::Numbers {
  using Upper = Eigen::SparseMatrix<double>;

#ifdef MUSLIN_HAVE_CHOLMOD
  using Llt = Eigen::CholmodSupernodalLLT<Upper, Eigen::Upper>;
#else
  /// A factorisation that can be stopped, which Eigen's cannot: the same numbers in the same order, row by
  /// row of L [Davis 2006, §4.7], but it looks at the stop every few rows.
  class Llt : public Eigen::SimplicialLLT<Upper, Eigen::Upper, Eigen::NaturalOrdering<int> > {
   public:
    void factorize(const Upper& a) {
      constexpr int kLook = 64;  // rows
      const int n = static_cast<int>(a.cols());
      row_.assign(n, 0);
      mark_.assign(n, -1);
      path_.resize(n);
      m_factorizationIsOk = true;
      m_info = Eigen::NumericalIssue;
      for (int k = 0; k < n; ++k) {
        if (k % kLook == 0) end_if_stopped();
        if (!add_row(a, k)) return;
      }
      m_info = Eigen::Success;
    }

   private:
    /// Row k of L; false if the matrix is not positive definite.
    bool add_row(const Upper& a, int k) {
      const int* const begin = m_matrix.outerIndexPtr();
      int* const index = m_matrix.innerIndexPtr();
      double* const value = m_matrix.valuePtr();
      m_nonZerosPerCol[k] = 0;
      double diagonal = 0;
      for (int top = find_pattern(a, k, diagonal); top < n_of(a); ++top) {
        const int column = path_[top], first = begin[column], end = first + m_nonZerosPerCol[column];
        const double entry = row_[column] / value[first];
        row_[column] = 0;
        for (int p = first + 1; p < end; ++p) row_[index[p]] -= value[p] * entry;
        diagonal -= entry * entry;
        index[end] = k;
        value[end] = entry;
        ++m_nonZerosPerCol[column];
      }
      index[begin[k] + m_nonZerosPerCol[k]++] = k;
      if (diagonal <= 0) return false;
      value[begin[k]] = std::sqrt(diagonal);
      return true;
    }

    /// Where row k of L has numbers, in path_ from the place that is returned on, columns before those that
    /// they change: the ways from A's numbers up the elimination tree. A's row goes to row_ and `diagonal`.
    int find_pattern(const Upper& a, int k, double& diagonal) {
      int top = n_of(a);
      mark_[k] = k;
      for (Upper::InnerIterator it(a, k); it; ++it) {
        int i = static_cast<int>(it.index());
        (i == k ? diagonal : row_[i]) += it.value();
        int length = 0;
        for (; mark_[i] != k; i = m_parent[i]) {
          path_[length++] = i;
          mark_[i] = k;
        }
        while (length > 0) path_[--top] = path_[--length];
      }
      return top;
    }

    static int n_of(const Upper& a) { return static_cast<int>(a.cols()); }

    std::vector<double> row_;
    std::vector<int> mark_, path_;
  };
#endif

  int width = 1;
  std::vector<int> order;   // order[k]: the row of blocks that is eliminated k-th
  std::vector<int> source;  // of every number of `upper`: its place in the values
  Upper upper;
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
  auto& [known_width, order, source, upper, llt] = *numbers_;
  known_width = width;
  order = fill_reducing_order(n, begin, column);
  upper = ordered_upper_triangle(n, begin, column, width, order);
  source.assign(upper.valuePtr(), upper.valuePtr() + upper.nonZeros());
  end_if_stopped();
  llt.analyzePattern(upper);
}

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
