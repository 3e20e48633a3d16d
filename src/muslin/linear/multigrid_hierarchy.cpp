// Multigrid's levels and what leads from one to the next, made once for a pattern; its numbers are in
// multigrid.cpp.
#include "muslin/core/check.h"
#include "muslin/linear/multigrid.h"

namespace muslin {

namespace {

constexpr int kCoarsest = 64;    // unknowns of a level that is solved directly
constexpr int kMostLevels = 12;  // a bound: three suffice for 4000 vertices

std::vector<int> rows_at_borders(const BlockPattern& pattern) {
  std::vector<int> rows;
  for (int i = 0; i < pattern.rows(); ++i)
    if (pattern.column[pattern.begin[i]] / kChunkRows != i / kChunkRows ||
        pattern.column[pattern.begin[i + 1] - 1] / kChunkRows != i / kChunkRows)
      rows.push_back(i);
  return rows;
}

}  // namespace

Multigrid::Multigrid(const Eigen::SparseMatrix<double>& laplacian, const std::vector<char>& held,
                     std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)),
      memory_(std::make_unique<ScratchPool<ChunkMemory>>()),
      coarsest_(Eigen::MatrixXd(0, 0)) {  // moved along before there is a matrix
  MUSLIN_ASSERT(laplacian.cols() == pattern_->rows());
  levels_.emplace_back().pattern = pattern_;
  Eigen::SparseMatrix<double> scalar = laplacian;
  std::vector<char> fixed = held;
  while (levels_.back().pattern->rows() > kCoarsest && static_cast<int>(levels_.size()) < kMostLevels) {
    Level& fine = levels_.back();
    fine.down = smoothed_aggregation(scalar, fixed);
    if (fine.down.coarse == 0) break;  // nothing left to bring together
    fine.up = transposed(fine.down);
    scalar = galerkin(scalar, fine.down);
    fixed.assign(fine.down.coarse, 0);
    fine.product = CoarseProduct(fine.pattern, fine.down);
    const std::shared_ptr<const BlockPattern> coarse = fine.product.pattern();
    levels_.emplace_back().pattern = coarse;
  }
  for (int depth = levels() - 1; depth >= 0; --depth) {
    if (is_direct(depth)) continue;
    Level& level = levels_[depth];
    level.smoother = Smoother(*level.pattern);
    level.border = rows_at_borders(*level.pattern);
    if (depth + 1 < levels()) link(depth);
  }
}

// A last level of more unknowns has none that belong together: smoothing solves it.
bool Multigrid::is_direct(int depth) const {
  return depth + 1 == levels() && levels_[depth].pattern->rows() <= kCoarsest;
}

// Prolongation and restriction from place to place. Rows of a level that is solved directly stay where they
// are.
void Multigrid::link(int depth) {
  Level& fine = levels_[depth];
  const Level& coarse = levels_[depth + 1];
  const bool direct = is_direct(depth + 1);
  const auto add_row = [](const Prolongator& rows, int i, const auto& place, Transfer& to) {
    for (int k = i < 0 ? 0 : rows.begin[i]; i >= 0 && k < rows.begin[i + 1]; ++k) {
      to.column.push_back(place(rows.column[k]));
      to.weight.push_back(static_cast<float>(rows.weight[k]));
    }
    to.begin.push_back(static_cast<int>(to.column.size()));
  };
  const auto coarse_place = [&](int a) { return direct ? a : coarse.smoother.place(a); };
  for (int p = 0; p < fine.smoother.places(); ++p)
    add_row(fine.down, fine.smoother.row(p), coarse_place, fine.prolong);
  const int coarse_places = direct ? coarse.pattern->rows() : coarse.smoother.places();
  for (int p = 0; p < coarse_places; ++p)
    add_row(
        fine.up, direct ? p : coarse.smoother.row(p), [&](int v) { return fine.smoother.place(v); },
        fine.coarsen);
}

double Multigrid::operator_complexity() const {
  double slots = 0;
  for (const Level& level : levels_) slots += level.pattern->slots();
  return levels_.empty() ? 0 : slots / levels_[0].pattern->slots();
}

}  // namespace muslin
