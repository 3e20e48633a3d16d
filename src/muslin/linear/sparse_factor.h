#pragma once
#include <Eigen/Core>
#include <vector>

#include "muslin/linear/fronts.h"

namespace muslin {

/// A sparse Cholesky factorisation A = L Lᵀ of a matrix of square blocks, by dense fronts [Duff 1983; Liu
/// 1992]: nearly all of the work is done in matrix products. The same bits for any number of threads.
class SparseFactor {
 public:
  /// Compressed rows of a symmetric n×n matrix of blocks of `width` numbers squared.
  void analyze(int n, const int* begin, const int* column, int width);

  /// `values` holds width² numbers a slot. False if A is not positive definite.
  bool factorize(const double* values);

  /// x ← A⁻¹ x, width numbers a row of the matrix.
  void solve(Eigen::Ref<Eigen::VectorXd> x) const;

 private:
  using Panel = Eigen::Map<Eigen::MatrixXd>;
  using ConstPanel = Eigen::Map<const Eigen::MatrixXd>;

  /// Fronts first … last-1, which one thread eliminates.
  struct Task {
    int first, last;
  };

  void plan();
  bool eliminate(int front, const double* values);
  void add_child(const Front& child, const Eigen::MatrixXd& update, Panel& panel, Eigen::MatrixXd& sum) const;
  Panel panel_of(int front);
  ConstPanel panel_of(int front) const;

  int width_ = 1;
  FrontTree tree_;
  std::vector<size_t> begin_;              // of every front's panel in factor_
  std::vector<double> factor_;             // size × columns a front: its columns of L
  std::vector<Eigen::MatrixXd> updates_;   // rows × rows a front: what its parent gets; empty when it has it
  std::vector<std::vector<Task>> levels_;  // a level needs those before it, no task another of its level
};

}  // namespace muslin
