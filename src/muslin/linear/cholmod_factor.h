#pragma once
#include <Eigen/CholmodSupport>
#include <vector>

#include "muslin/linear/ordering.h"

// Only included where the build asked for CHOLMOD (MUSLIN_CHOLMOD), which is GPL.

namespace muslin {

/// What SparseFactor does, by CHOLMOD's supernodal factorisation [Chen 2008].
class CholmodFactor {
 public:
  CholmodFactor() {
    llt_.cholmod().nmethods = 1;
    llt_.cholmod().method[0].ordering = CHOLMOD_NATURAL;  // the order is ours
    llt_.cholmod().print = 0;
  }

  void analyze(int n, const int* begin, const int* column, int width) {
    width_ = width;
    order_ = fill_reducing_order(n, begin, column);
    std::vector<int> place(n);
    for (int k = 0; k < n; ++k) place[order_[k]] = k;
    std::vector<Eigen::Triplet<double>> entries;  // what stands where in the values
    source_.clear();
    for (int v = 0; v < n; ++v)
      for (int slot = begin[v]; slot < begin[v + 1]; ++slot)
        for (int c = 0; c < width; ++c)
          for (int r = 0; r < width; ++r) {
            const int row = width * place[v] + r, other = width * place[column[slot]] + c;
            if (row < other) continue;
            entries.emplace_back(row, other, static_cast<double>(source_.size()));
            source_.push_back(width * width * slot + width * c + r);
          }
    lower_.resize(width * n, width * n);
    lower_.setFromTriplets(entries.begin(), entries.end());
    std::vector<int> sorted(source_.size());
    for (size_t k = 0; k < sorted.size(); ++k) sorted[k] = source_[static_cast<size_t>(lower_.valuePtr()[k])];
    source_.swap(sorted);
    llt_.analyzePattern(lower_);
  }

  bool factorize(const double* values) {
    for (size_t k = 0; k < source_.size(); ++k) lower_.valuePtr()[k] = values[source_[k]];
    llt_.factorize(lower_);
    return llt_.info() == Eigen::Success;
  }

  void solve(Eigen::Ref<Eigen::VectorXd> x) const {
    Eigen::VectorXd y(x.size());
    for (size_t k = 0; k < order_.size(); ++k)
      for (int r = 0; r < width_; ++r) y[width_ * k + r] = x[width_ * order_[k] + r];
    y = llt_.solve(y).eval();
    for (size_t k = 0; k < order_.size(); ++k)
      for (int r = 0; r < width_; ++r) x[width_ * order_[k] + r] = y[width_ * k + r];
  }

 private:
  int width_ = 1;
  std::vector<int> order_, source_;
  Eigen::SparseMatrix<double> lower_;
  Eigen::CholmodSupernodalLLT<Eigen::SparseMatrix<double>, Eigen::Lower> llt_;
};

}  // namespace muslin
