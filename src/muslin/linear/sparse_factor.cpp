#include "muslin/linear/sparse_factor.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "muslin/core/parallel.h"

namespace muslin {

void SparseFactor::analyze(int n, const int* begin, const int* column, int width) {
  width_ = width;
  tree_ = FrontTree(n, begin, column);
  begin_.assign(1, 0);
  for (const Front& front : tree_.fronts)
    begin_.push_back(begin_.back() + static_cast<size_t>(width * width) * front.size() * front.columns);
  factor_.resize(begin_.back());
  updates_.assign(tree_.fronts.size(), {});
  plan();
}

// Whole subtrees with a small share of the work, as large as they may be; then, front by front, what is
// above.
void SparseFactor::plan() {
  constexpr double kShare = 1.0 / 16;
  const int count = static_cast<int>(tree_.fronts.size());
  double most = 0;
  for (const Front& front : tree_.fronts)
    if (front.parent < 0) most += kShare * front.work;
  std::vector<int> first(count), level(count, 0);  // of the subtree below a front
  levels_.assign(1, {});
  for (int f = 0; f < count; ++f) {
    const Front& front = tree_.fronts[f];
    first[f] = front.children.empty() ? f : first[front.children.front()];
    if (front.work > most) {
      for (const int child : front.children) level[f] = std::max(level[f], level[child]);
      ++level[f];
      if (level[f] == static_cast<int>(levels_.size())) levels_.emplace_back();
      levels_[level[f]].push_back({f, f + 1});
    } else if (front.parent < 0 || tree_.fronts[front.parent].work > most) {
      levels_[0].push_back({first[f], f + 1});
    }
  }
}

SparseFactor::Panel SparseFactor::panel_of(int f) {
  const Front& front = tree_.fronts[f];
  return {factor_.data() + begin_[f], width_ * front.size(), width_ * front.columns};
}
SparseFactor::ConstPanel SparseFactor::panel_of(int f) const {
  const Front& front = tree_.fronts[f];
  return {factor_.data() + begin_[f], width_ * front.size(), width_ * front.columns};
}

bool SparseFactor::factorize(const double* values) {
  for (const std::vector<Task>& level : levels_) {
    const int failures = parallel_sum(
        static_cast<int>(level.size()), 0,
        [&](int t) {
          for (int f = level[t].first; f < level[t].last; ++f)
            if (!eliminate(f, values)) return 1;
          return 0;
        },
        1);
    if (failures > 0) return false;
  }
  return true;
}

// The columns of one front: what the matrix and the children have for it, the dense factor of its own
// columns, and the update of its rows for the parent.
bool SparseFactor::eliminate(int f, const double* values) {
  const Front& front = tree_.fronts[f];
  const int w = width_, columns = w * front.columns, rows = w * static_cast<int>(front.rows.size());
  Panel panel = panel_of(f);
  Eigen::MatrixXd& update = updates_[f];
  panel.setZero();
  update.setZero(rows, rows);
  for (const Front::Entry& entry : front.entries)
    for (int c = 0; c < w; ++c)
      for (int r = 0; r < w; ++r)
        panel(w * entry.row + r, w * entry.column + c) = values[w * w * entry.slot + w * r + c];
  for (const int child : front.children) {
    add_child(tree_.fronts[child], updates_[child], panel, update);
    updates_[child].resize(0, 0);
  }
  auto own = panel.topRows(columns);
  Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> llt(own);
  if (llt.info() != Eigen::Success) return false;
  if (rows == 0) return true;
  auto below = panel.bottomRows(rows);
  own.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
  update.selfadjointView<Eigen::Lower>().rankUpdate(below, -1);
  return true;
}

// Adds the lower triangle of a child's update where its rows are in this front.
void SparseFactor::add_child(const Front& child, const Eigen::MatrixXd& update, Panel& panel,
                             Eigen::MatrixXd& sum) const {
  const int w = width_, count = static_cast<int>(child.rows.size());
  const int columns = static_cast<int>(panel.cols());
  for (int j = 0; j < count; ++j)
    for (int c = 0; c < w; ++c) {
      const double* from = update.data() + (w * j + c) * update.rows();
      const int column = w * child.in_parent[j] + c;
      double* to = column < columns ? panel.data() + column * panel.rows()
                                    : sum.data() + (column - columns) * sum.rows() - columns;
      for (int i = j; i < count; ++i)
        for (int r = 0; r < w; ++r) to[w * child.in_parent[i] + r] += from[w * i + r];
    }
}

void SparseFactor::solve(Eigen::Ref<Eigen::VectorXd> x) const {
  // 1. Into the order of elimination
  const int w = width_, n = static_cast<int>(tree_.order.size()),
            fronts = static_cast<int>(tree_.fronts.size());
  Eigen::VectorXd y(x.size()), rows;
  for (int k = 0; k < n; ++k)
    for (int r = 0; r < w; ++r) y[w * k + r] = x[w * tree_.order[k] + r];

  // 2. L y = x, front by front
  for (int f = 0; f < fronts; ++f) {
    const Front& front = tree_.fronts[f];
    const ConstPanel panel = panel_of(f);
    auto own = y.segment(w * front.first, panel.cols());
    panel.topRows(panel.cols()).triangularView<Eigen::Lower>().solveInPlace(own);
    rows.noalias() = panel.bottomRows(panel.rows() - panel.cols()) * own;
    for (size_t k = 0; k < front.rows.size(); ++k)
      for (int r = 0; r < w; ++r) y[w * front.rows[k] + r] -= rows[w * k + r];
  }

  // 3. Lᵀ x = y, and back
  for (int f = fronts; f-- > 0;) {
    const Front& front = tree_.fronts[f];
    const ConstPanel panel = panel_of(f);
    auto own = y.segment(w * front.first, panel.cols());
    rows.resize(panel.rows() - panel.cols());
    for (size_t k = 0; k < front.rows.size(); ++k)
      for (int r = 0; r < w; ++r) rows[w * k + r] = y[w * front.rows[k] + r];
    own.noalias() -= panel.bottomRows(rows.size()).transpose() * rows;
    panel.topRows(panel.cols()).triangularView<Eigen::Lower>().transpose().solveInPlace(own);
  }
  for (int k = 0; k < n; ++k)
    for (int r = 0; r < w; ++r) x[w * tree_.order[k] + r] = y[w * k + r];
}

}  // namespace muslin
