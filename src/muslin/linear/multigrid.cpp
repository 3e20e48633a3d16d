#include "muslin/linear/multigrid.h"

#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/linear/block_rows.h"
#include "muslin/linear/chunk_bound.h"
#include "muslin/linear/diagonal.h"

namespace muslin {

namespace {

constexpr int kTransferRows = 256;  // a task
// Of a block's size: what floats may take from the diagonal of a coarser level, so that what is less is taken
// for that. A stiff cloth without bending has nothing but inertia across itself, a millionth on fine meshes.
constexpr double kRounding = 2e-7;

// Pᵀ A P of any pattern
BlockMatrix galerkin(const BlockMatrix& A, const Prolongator& P, const Prolongator& up) {
  const BlockPattern& pattern = A.pattern();
  return assemble_rows(P.coarse, [&](int a, const auto& add) {
    for (int u = up.begin[a]; u < up.begin[a + 1]; ++u)
      for (int s = pattern.begin[up.column[u]]; s < pattern.begin[up.column[u] + 1]; ++s) {
        const Mat3 block = up.weight[u] * A.block(s);
        for (int k = P.begin[pattern.column[s]]; k < P.begin[pattern.column[s] + 1]; ++k)
          add(P.column[k], P.weight[k] * block);
      }
  });
}

}  // namespace

// --- numbers -----------------------------------------------------------------------------------------

bool Multigrid::update(const BlockMatrix& A, const Filter& filter, const BlockMatrix* added) {
  MUSLIN_ASSERT(A.shared_pattern() == pattern_);
  const auto rows_of_matrix = [&](const RowChunk& rows) {
    FloatBlock* to = rows.blocks;
    for (int i = rows.first; i < rows.last; ++i) {
      rows.diagonal[i - rows.first] = A.diagonal(i);
      for (int s = pattern_->begin[i]; s < pattern_->begin[i + 1]; ++s) *to++ = padded(A.block(s));
    }
  };
  return update(rows_of_matrix, filter, added);
}

bool Multigrid::update(const LeanMatrix& A, const Filter& filter, const BlockMatrix* added) {
  MUSLIN_ASSERT(A.shared_pattern() == pattern_);
  return update([&](const RowChunk& rows) { A.copy_rows(rows); }, filter, added);
}

bool Multigrid::update(const RowSource& A, const Filter& filter, const BlockMatrix* added) {
  filter_ = filter;
  take_rows(0, A);
  for (int depth = 1; depth < levels(); ++depth)
    take_rows(depth, [&](const RowChunk& rows) { levels_[depth - 1].product.sum(rows); });
  return update_added(added);
}

// All that a level needs of its matrix, chunk by chunk, while the chunk is in the cache.
void Multigrid::take_rows(int depth, const RowSource& source) {
  Level& level = levels_[depth];
  const BlockPattern& pattern = *level.pattern;
  level.diagonal.resize(pattern.rows());
  level.growth.assign(pattern.rows(), Mat3::Zero());
  const auto take_chunk = [&](int chunk, ChunkMemory& memory) {
    const int first = chunk * kChunkRows, last = std::min(pattern.rows(), first + kChunkRows);
    memory.blocks.resize(1 + pattern.begin[last] - pattern.begin[first]);
    memory.blocks[0].setZero();
    const RowChunk rows{first, last, memory.blocks.data() + 1, level.diagonal.data() + first};
    source(rows);
    if (depth == 0) hold(rows);
    for (int i = first; i < last; ++i)
      rows.blocks[pattern.diagonal[i] - pattern.begin[first]] = padded(level.diagonal[i]);
    if (is_direct(depth)) return take_dense(level, rows);
    level.smoother.set_blocks(chunk, memory.blocks.data());
    find_growth(level, rows);
    if (depth + 1 < levels()) level.product.add_up(rows, memory.row);
  };
  parallel_for(
      chunks_of(pattern.rows()),
      [&](int chunk) { memory_->with([&](ChunkMemory& memory) { take_chunk(chunk, memory); }); }, 1);
}

// S A S of the finest level, and a block's own size in held directions.
void Multigrid::hold(const RowChunk& rows) const {
  const BlockPattern& pattern = *pattern_;
  const int begin = pattern.begin[rows.first];
  for (const Filter::Held& h : filter_.held()) {
    const int from = pattern.begin[h.vertex], to = pattern.begin[h.vertex + 1];
    if (pattern.column[to - 1] < rows.first || pattern.column[from] >= rows.last) continue;
    const Eigen::Matrix3f free = h.free.cast<float>();
    for (int s = from; s < to; ++s) {
      const int row = pattern.column[s];
      if (row < rows.first || row >= rows.last) continue;
      FloatBlock& block = rows.blocks[pattern.find(row, h.vertex) - begin];
      block.topRows<3>() = (block.topRows<3>() * free).eval();
    }
    if (h.vertex < rows.first || h.vertex >= rows.last) continue;
    for (int s = from; s < to; ++s)
      rows.blocks[s - begin].topRows<3>() = (free * rows.blocks[s - begin].topRows<3>()).eval();
    Mat3& diagonal = rows.diagonal[h.vertex - rows.first];
    diagonal = held_block(h, diagonal);
  }
}

void Multigrid::find_growth(Level& level, const RowChunk& rows) {
  const BlockPattern& pattern = *level.pattern;
  const FloatBlock* blocks = rows.blocks - pattern.begin[rows.first];
  for (auto row = std::lower_bound(level.border.begin(), level.border.end(), rows.first);
       row != level.border.end() && *row < rows.last; ++row) {
    Mat3 bound = Mat3::Zero();
    for (int s = pattern.begin[*row]; s < pattern.begin[*row + 1]; ++s)
      if (pattern.column[s] < rows.first || pattern.column[s] >= rows.last)
        bound += magnitude(blocks[s].topRows<3>().cast<double>());
    level.growth[*row] = growth_between_chunks(level.diagonal[*row], bound);
  }
}

void Multigrid::take_dense(Level& level, const RowChunk& rows) const {
  const BlockPattern& pattern = *level.pattern;
  level.dense.setZero(3 * pattern.rows(), 3 * pattern.rows());
  for (int i = 0; i < pattern.rows(); ++i)
    for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s)
      level.dense.block<3, 3>(3 * i, 3 * pattern.column[s]) =
          s == pattern.diagonal[i] ? rows.diagonal[i] : Mat3(rows.blocks[s].topRows<3>().cast<double>());
}

bool Multigrid::update_added(const BlockMatrix* added) {
  MUSLIN_ASSERT(!levels_.empty() && (!added || added->rows() == pattern_->rows()));
  MUSLIN_ASSERT(static_cast<int>(levels_[0].diagonal.size()) == pattern_->rows());  // A is known
  BlockMatrix rest;  // of what is added, as a level sees it
  if (added) {
    rest = *added;
    filter_blocks(rest);
  }
  for (int depth = 0; depth < levels(); ++depth) {
    Level& level = levels_[depth];
    if (is_direct(depth)) return factor_coarsest(level, added ? &rest : nullptr);
    level.smoother.set_added(added ? &rest : nullptr);
    if (!update_diagonal(depth, added ? &rest : nullptr)) return false;
    if (added && depth + 1 < levels()) rest = galerkin(rest, level.down, level.up);
  }
  return true;
}

// S A S
void Multigrid::filter_blocks(BlockMatrix& matrix) const {
  const BlockPattern& pattern = matrix.pattern();
  for (const Filter::Held& h : filter_.held())
    for (int s = pattern.begin[h.vertex]; s < pattern.begin[h.vertex + 1]; ++s) {
      const int other = pattern.find(pattern.column[s], h.vertex);
      matrix.block(s) = (h.free * matrix.block(s)).eval();
      matrix.block(other) = (matrix.block(other) * h.free).eval();
    }
}

// Of A + added; with the size of the block in held directions. Jacobi between chunks would do too much, and
// the cycle not be positive, where they are bound together firmly: there the diagonal has what bounds that
// besides [Baker 2011]. False if a block is not positive definite.
bool Multigrid::update_diagonal(int depth, const BlockMatrix* added) {
  Level& level = levels_[depth];
  return level.smoother.set_diagonal([&](int i, Mat3& diagonal, Mat3& bound) {
    diagonal = level.diagonal[i];
    bound = level.growth[i];
    if (added) {
      const BlockPattern& pattern = added->pattern();
      diagonal += added->diagonal(i);
      for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s)
        if (pattern.column[s] != i && !level.smoother.sweeps(i, pattern.column[s]))
          bound += magnitude(added->block(s));
    }
    const double rounding = depth > 0 ? kRounding * diagonal.trace() : 0;
    if (rounding > 0 && !is_positive(diagonal - rounding * Mat3::Identity()))
      bound.diagonal().array() += 2 * rounding;
    diagonal += bound;
    if (depth == 0) hold_diagonal(filter_, i, diagonal);
    return invert(diagonal);
  });
}

bool Multigrid::factor_coarsest(const Level& level, const BlockMatrix* added) {
  Eigen::MatrixXd dense = level.dense;
  for (int i = 0; added && i < added->rows(); ++i)
    for (int s = added->pattern().begin[i]; s < added->pattern().begin[i + 1]; ++s)
      dense.block<3, 3>(3 * i, 3 * added->pattern().column[s]) += added->block(s);
  coarsest_.compute(dense);
  return coarsest_.info() == Eigen::Success;
}

// --- the cycle ---------------------------------------------------------------------------------------

void Multigrid::solve(const Points& b, Points& x) {
  Level& finest = levels_[0];
  const int n = pattern_->rows();
  const auto place = [&](int i) { return is_direct(0) ? i : finest.smoother.place(i); };
  if (finest.b.cols() == 0) finest.b.setZero(4, is_direct(0) ? n : finest.smoother.places());
  parallel_for(n, [&](int i) { finest.b.col(place(i)) << b.col(i).cast<float>(), 0; });
  cycle(0);
  x.resize(3, n);
  parallel_for(n, [&](int i) { x.col(i) = finest.x.col(place(i)).head<3>().cast<double>(); });
  filter_.apply(x);
}

void Multigrid::cycle(int depth) {
  Level& level = levels_[depth];
  if (is_direct(depth)) return solve_directly(level);
  level.smoother.resize(level.x);
  level.smoother.resize(level.r);

  // 1. Forwards from zero
  level.smoother.sweep_forwards(level.b, level.x, level.r);
  if (depth + 1 == levels()) {
    level.r = level.x;
    return level.smoother.sweep_backwards(level.b, level.r, level.x);
  }

  // 2. What is left, to the aggregates
  Level& coarse = levels_[depth + 1];
  transfer(level.coarsen, level.r, nullptr, coarse.b);

  // 3. Their correction
  cycle(depth + 1);
  transfer(level.prolong, coarse.x, &level.x, level.r);
  if (depth == 0)
    for (const Filter::Held& h : filter_.held()) {
      auto held = level.r.col(level.smoother.place(h.vertex)).head<3>();
      held = (h.free.cast<float>() * held).eval();
    }

  // 4. Backwards
  level.smoother.sweep_backwards(level.b, level.r, level.x);
}

void Multigrid::solve_directly(Level& level) const {
  const Eigen::VectorXd b = level.b.topRows<3>().reshaped().cast<double>();
  level.x.setZero(4, level.b.cols());
  level.x.topRows<3>().reshaped() = coarsest_.solve(b).cast<float>();
}

// to = base + rows from
void Multigrid::transfer(const Transfer& rows, const Floats& from, const Floats* base, Floats& to) {
  const int places = static_cast<int>(rows.begin.size()) - 1;
  if (to.cols() < places) to.resize(4, places);
  parallel_for(
      places,
      [&](int p) {
        Eigen::Vector4f sum = Eigen::Vector4f::Zero();
        if (base) sum = base->col(p);
        for (int k = rows.begin[p]; k < rows.begin[p + 1]; ++k)
          sum += rows.weight[k] * from.col(rows.column[k]);
        to.col(p) = sum;
      },
      kTransferRows);
}

}  // namespace muslin
