#include "muslin/linear/multigrid.h"

#include <Eigen/LU>
#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"

namespace muslin {

namespace {

constexpr int kCoarsest = 64;  // unknowns from which a level is solved directly
constexpr int kMostLevels = 12;
constexpr int kChunk = 1024;             // rows that Gauss–Seidel sweeps one after another
constexpr double kHeldStiffness = 1e-3;  // of a block: what held directions have on coarser levels

int chunks(int rows) { return (rows + kChunk - 1) / kChunk; }

}  // namespace

// --- the hierarchy -----------------------------------------------------------------------------------

Multigrid::Multigrid(const Eigen::SparseMatrix<double>& laplacian, const std::vector<char>& held,
                     std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)) {
  MUSLIN_ASSERT(laplacian.cols() == pattern_->rows());
  levels_.emplace_back().pattern = pattern_;
  Eigen::SparseMatrix<double> scalar = laplacian;
  std::vector<char> fixed = held;
  while (levels_.back().pattern->rows() > kCoarsest && static_cast<int>(levels_.size()) < kMostLevels) {
    Level& fine = levels_.back();
    fine.down = smoothed_aggregation(scalar, fixed);
    if (fine.down.coarse == 0 || fine.down.coarse >= fine.pattern->rows())
      break;  // nothing left to bring together
    fine.up = transposed(fine.down);
    scalar = galerkin(scalar, fine.down);
    fixed.assign(fine.down.coarse, 0);
    const std::shared_ptr<const BlockPattern> coarse = plan(fine);
    levels_.emplace_back().pattern = coarse;
  }
  for (Level& level : levels_) level.matrix = BlockMatrix(level.pattern);
}

std::shared_ptr<const BlockPattern> Multigrid::plan(Level& fine) {
  const BlockPattern& pattern = *fine.pattern;
  const Prolongator &P = fine.down, &up = fine.up;
  const int n = pattern.rows();

  // 1. A P: the coarse columns of every row, ascending, and the way of every block there
  std::vector<int> columns, row;
  fine.product_begin = fine.product_entry = {0};
  for (int v = 0; v < n; ++v) {
    row.clear();
    for (int s = pattern.begin[v]; s < pattern.begin[v + 1]; ++s)
      row.insert(row.end(), P.column.begin() + P.begin[pattern.column[s]],
                 P.column.begin() + P.begin[pattern.column[s] + 1]);
    const size_t entries = row.size();
    std::vector<int> reached = row;
    std::sort(reached.begin(), reached.end());
    reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
    for (size_t k = 0; k < entries; ++k)
      fine.product_slot.push_back(
          fine.product_begin[v] +
          static_cast<int>(std::lower_bound(reached.begin(), reached.end(), row[k]) - reached.begin()));
    columns.insert(columns.end(), reached.begin(), reached.end());
    fine.product_begin.push_back(static_cast<int>(columns.size()));
    fine.product_entry.push_back(static_cast<int>(fine.product_slot.size()));
  }
  fine.product.resize(columns.size());

  // 2. Pᵀ A P: which aggregates meet
  std::vector<Stencil<2>> pairs;
  const auto each_meeting = [&](int aggregate, const auto& action) {
    for (int k = up.begin[aggregate]; k < up.begin[aggregate + 1]; ++k)
      for (int s = fine.product_begin[up.column[k]]; s < fine.product_begin[up.column[k] + 1]; ++s)
        action(columns[s]);
  };
  std::vector<int> last(P.coarse, -1);
  for (int a = 0; a < P.coarse; ++a)
    each_meeting(a, [&](int other) {
      if (other > a && last[other] != a) pairs.push_back({a, other});
      last[other] = a;
    });
  const auto coarse = std::make_shared<BlockPattern>(P.coarse, pairs);
  fine.coarse_entry = {0};
  for (int a = 0; a < P.coarse; ++a) {
    each_meeting(a, [&](int other) { fine.coarse_slot.push_back(coarse->find(a, other)); });
    fine.coarse_entry.push_back(static_cast<int>(fine.coarse_slot.size()));
  }
  return coarse;
}

double Multigrid::operator_complexity() const {
  double slots = 0;
  for (const Level& level : levels_) slots += level.pattern->slots();
  return levels_.empty() ? 0 : slots / levels_[0].pattern->slots();
}

// --- numbers -----------------------------------------------------------------------------------------

bool Multigrid::update(const BlockMatrix& A, const Filter& filter) {
  MUSLIN_ASSERT(A.shared_pattern() == pattern_);
  take_over(A, filter);
  for (size_t depth = 0; depth + 1 < levels_.size(); ++depth) {
    coarsen(levels_[depth], levels_[depth + 1]);
    if (depth == 0) brace(filter);
    if (!prepare_smoother(levels_[depth])) return false;
  }
  const BlockMatrix& last = levels_.back().matrix;
  const BlockPattern& pattern = last.pattern();
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(3 * last.rows(), 3 * last.rows());
  for (int i = 0; i < last.rows(); ++i)
    for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s)
      dense.block<3, 3>(3 * i, 3 * pattern.column[s]) = last.block(s);
  coarsest_.compute(dense);
  return coarsest_.info() == Eigen::Success;
}

// The finest matrix: S A S + μ(I − S), μ the size of the block.
void Multigrid::take_over(const BlockMatrix& A, const Filter& filter) {
  filter_ = filter;
  BlockMatrix& matrix = levels_[0].matrix;
  parallel_for(pattern_->slots(), [&](int s) { matrix.block(s) = A.block(s); });
  for (const Filter::Held& h : filter.held()) {
    for (int s = pattern_->begin[h.vertex]; s < pattern_->begin[h.vertex + 1]; ++s) {
      const int other = pattern_->find(pattern_->column[s], h.vertex);
      matrix.block(s) = (h.free * matrix.block(s)).eval();
      matrix.block(other) = (matrix.block(other) * h.free).eval();
    }
    const double size = A.diagonal(h.vertex).trace() / 3;
    matrix.diagonal(h.vertex) += size * (Mat3::Identity() - h.free);
  }
}

void Multigrid::coarsen(Level& fine, Level& coarse) {
  const BlockPattern& pattern = *fine.pattern;
  const Prolongator &P = fine.down, &up = fine.up;
  parallel_for(
      chunks(pattern.rows()),
      [&](int chunk) {
        const int first = chunk * kChunk, last = std::min(pattern.rows(), first + kChunk);
        std::fill(fine.product.begin() + fine.product_begin[first],
                  fine.product.begin() + fine.product_begin[last], Mat3::Zero());
        const int* to = fine.product_slot.data() + fine.product_entry[first];
        for (int s = pattern.begin[first]; s < pattern.begin[last]; ++s)
          for (int k = P.begin[pattern.column[s]]; k < P.begin[pattern.column[s] + 1]; ++k)
            fine.product[*to++] += P.weight[k] * fine.matrix.block(s);
      },
      1);
  coarse.matrix.set_zero();
  parallel_for(
      P.coarse,
      [&](int a) {
        const int* to = fine.coarse_slot.data() + fine.coarse_entry[a];
        for (int k = up.begin[a]; k < up.begin[a + 1]; ++k)
          for (int s = fine.product_begin[up.column[k]]; s < fine.product_begin[up.column[k] + 1]; ++s)
            coarse.matrix.block(*to++) += up.weight[k] * fine.product[s];
      },
      64);
}

// An aggregate all of whose vertices are held in some direction needs some stiffness there.
void Multigrid::brace(const Filter& filter) {
  const Prolongator& P = levels_[0].down;
  for (const Filter::Held& h : filter.held())
    for (int k = P.begin[h.vertex]; k < P.begin[h.vertex + 1]; ++k)
      levels_[1].matrix.diagonal(P.column[k]) += kHeldStiffness * P.weight[k] * P.weight[k] *
                                                 levels_[0].matrix.diagonal(h.vertex).trace() *
                                                 (Mat3::Identity() - h.free);
}

bool Multigrid::prepare_smoother(Level& level) {
  const BlockMatrix& matrix = level.matrix;
  level.blocks.resize(level.pattern->slots());
  level.inverse.resize(matrix.rows());
  parallel_for(level.pattern->slots(), [&](int s) { level.blocks[s] = matrix.block(s).cast<float>(); });
  const int indefinite = parallel_sum(matrix.rows(), 0, [&](int i) {
    const Mat3& d = matrix.diagonal(i);
    level.inverse[i] = Mat3(d.inverse()).cast<float>();
    return d(0, 0) > 0 && d(0, 0) * d(1, 1) - d(0, 1) * d(1, 0) > 0 && d.determinant() > 0 ? 0 : 1;
  });
  return indefinite == 0;
}

// --- the cycle ---------------------------------------------------------------------------------------

void Multigrid::solve(const Points& b, Points& x) {
  Level& finest = levels_[0];
  finest.b = b.cast<float>();
  cycle(0);
  x = finest.x.cast<double>();
  filter_.apply(x);
}

void Multigrid::cycle(int depth) {
  Level& level = levels_[depth];
  const BlockPattern& pattern = *level.pattern;
  const int n = pattern.rows();
  level.x.resize(3, n);
  if (depth + 1 == levels()) {
    const Eigen::VectorXd b = level.b.reshaped().cast<double>();
    level.x.reshaped() = coarsest_.solve(b).cast<float>();
    return;
  }

  // 1. Forwards from zero: (D + L) x = b
  parallel_for(
      chunks(n),
      [&](int chunk) {
        const int first = chunk * kChunk, last = std::min(n, first + kChunk);
        for (int i = first; i < last; ++i) {
          Eigen::Vector3f rest = level.b.col(i);
          for (int s = pattern.begin[i]; pattern.column[s] < i; ++s)
            if (const int j = pattern.column[s]; j >= first) rest -= level.blocks[s] * level.x.col(j);
          level.x.col(i) = level.inverse[i] * rest;
        }
      },
      1);

  // 2. What is left, to the aggregates
  const auto find_rest = [&] {
    level.r.resize(3, n);
    parallel_for(
        n,
        [&](int i) {
          Eigen::Vector3f rest = level.b.col(i);
          for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s)
            rest -= level.blocks[s] * level.x.col(pattern.column[s]);
          level.r.col(i) = rest;
        },
        kChunk);
  };
  find_rest();
  Level& coarse = levels_[depth + 1];
  coarse.b.resize(3, level.down.coarse);
  parallel_for(
      level.down.coarse,
      [&](int a) {
        Eigen::Vector3f sum = Eigen::Vector3f::Zero();
        for (int k = level.up.begin[a]; k < level.up.begin[a + 1]; ++k)
          sum += static_cast<float>(level.up.weight[k]) * level.r.col(level.up.column[k]);
        coarse.b.col(a) = sum;
      },
      256);

  // 3. Their correction
  cycle(depth + 1);
  parallel_for(
      n,
      [&](int i) {
        Eigen::Vector3f sum = Eigen::Vector3f::Zero();
        for (int k = level.down.begin[i]; k < level.down.begin[i + 1]; ++k)
          sum += static_cast<float>(level.down.weight[k]) * coarse.x.col(level.down.column[k]);
        level.r.col(i) = sum;
      },
      kChunk);
  if (depth == 0)
    for (const Filter::Held& h : filter_.held())
      level.r.col(h.vertex) = h.free.cast<float>() * level.r.col(h.vertex);
  level.x += level.r;

  // 4. Backwards: x += (D + U)⁻¹ (b − A x)
  find_rest();
  parallel_for(
      chunks(n),
      [&](int chunk) {
        const int first = chunk * kChunk, last = std::min(n, first + kChunk);
        for (int i = last - 1; i >= first; --i) {
          Eigen::Vector3f rest = level.r.col(i);
          for (int s = pattern.begin[i + 1] - 1; pattern.column[s] > i; --s)
            if (const int j = pattern.column[s]; j < last) rest -= level.blocks[s] * level.r.col(j);
          level.r.col(i) = level.inverse[i] * rest;
        }
        level.x.middleCols(first, last - first) += level.r.middleCols(first, last - first);
      },
      1);
}

}  // namespace muslin
