#pragma once
#include <cmath>
#include <vector>

#include "muslin/core/stop_scope.h"
#include "muslin/linear/sparse_factor.h"
#ifdef MUSLIN_HAVE_CHOLMOD
#include <Eigen/CholmodSupport>
#else
#include <Eigen/SparseCholesky>
#endif

namespace muslin {

/// Data of a SparseFactor, for its own files.
struct SparseFactor::Numbers {
  using Upper = Eigen::SparseMatrix<double>;

#ifdef MUSLIN_HAVE_CHOLMOD
  using Llt = Eigen::CholmodSupernodalLLT<Upper, Eigen::Upper>;
#else
  /// Eigen's factorisation with a check for Stop every few rows: the same numbers in the same order, row by
  /// row of L [Davis 2006, §4.7].
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

}  // namespace muslin
