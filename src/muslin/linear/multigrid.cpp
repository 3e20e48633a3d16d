#include "muslin/linear/multigrid.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/linear/block_rows.h"
#include "muslin/linear/diagonal.h"

namespace muslin {

namespace {

constexpr int kCoarsest = 64;  // unknowns of a level that is solved directly
constexpr int kMostLevels = 12;
constexpr int kChunk = 1024;                // rows that Gauss–Seidel sweeps one after another
constexpr double kMostBetweenChunks = 0.8;  // of a diagonal block: what Jacobi between chunks converges with
constexpr double kHeldStiffness = 1e-3;     // of a block: what held directions have on coarser levels

int chunks(int rows) { return (rows + kChunk - 1) / kChunk; }

double size_of(const Mat3& block) { return block.trace() / 3; }

Eigen::Matrix<float, 4, 3> padded(const Mat3& block) {
  Eigen::Matrix<float, 4, 3> result;
  result << block.cast<float>(), Eigen::RowVector3f::Zero();
  return result;
}

bool is_positive(const Mat3& block) { return Eigen::LLT<Mat3>(block).info() == Eigen::Success; }

// The part of a block that is as long, √(B Bᵀ), and positive: 2 |xᵀB y| ≤ xᵀ√(B Bᵀ) x + yᵀ√(Bᵀ B) y. Most
// blocks have it at once: those of springs and hinges are symmetric and of one sign.
Mat3 magnitude(const Mat3& block) {
  const Mat3 rounding = 1e-12 * block.norm() * Mat3::Identity();
  if (block == block.transpose())
    for (const double sign : {-1.0, 1.0})
      if (is_positive(sign * block + rounding)) return sign * block + 2 * rounding;
  Eigen::SelfAdjointEigenSolver<Mat3> eigen;
  eigen.compute(block * block.transpose());  // the closed form errs by 1e-8, which roots make 1e-4
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal() *
         eigen.eigenvectors().transpose();
}

// What bounds a row's blocks outside of its chunk
Mat3 bound_between_chunks(const BlockMatrix& A, int i) {
  const BlockPattern& pattern = A.pattern();
  Mat3 bound = Mat3::Zero();
  for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s)
    if (pattern.column[s] / kChunk != i / kChunk) bound += magnitude(A.block(s));
  return bound;
}

// What its diagonal block D has to grow by, G, where bending across the border of two chunks is as much
// outside of the diagonal as on it: Gauss–Seidel there and back is positive as long as D + 2 G is more than
// the bound. In the bound's directions, in the metric of D; an indefinite D has none, and counts for nothing:
// contact may make up for it, or else it is found when it is inverted.
Mat3 lacking(const BlockMatrix& A, int i) {
  const Mat3 bound = bound_between_chunks(A, i);
  if (bound.isZero(0)) return bound;
  if (!is_positive(A.diagonal(i))) return bound / (2 * kMostBetweenChunks);
  if (is_positive(kMostBetweenChunks * A.diagonal(i) - bound)) return Mat3::Zero();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Mat3> eigen(bound, A.diagonal(i));
  const Vec3 coupling = eigen.eigenvalues();
  const Mat3 directions = A.diagonal(i) * eigen.eigenvectors();
  return directions * (coupling.array() / kMostBetweenChunks - 1).cwiseMax(0).matrix().asDiagonal() / 2 *
         directions.transpose();
}

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

inline Eigen::Vector4f product(const Eigen::Matrix<float, 4, 3>& block, const float* x) {
  return block.col(0) * x[0] + block.col(1) * x[1] + block.col(2) * x[2];
}

}  // namespace

// --- the hierarchy -----------------------------------------------------------------------------------

Multigrid::Multigrid(const Eigen::SparseMatrix<double>& laplacian, const std::vector<char>& held,
                     std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)),
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
    const std::shared_ptr<const BlockPattern> coarse = plan(fine);
    levels_.emplace_back().pattern = coarse;
  }
  for (size_t depth = 1; depth < levels_.size(); ++depth)
    levels_[depth].matrix = BlockMatrix(levels_[depth].pattern);
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

bool Multigrid::update(const BlockMatrix& A, const Filter& filter, const BlockMatrix* added) {
  MUSLIN_ASSERT(A.shared_pattern() == pattern_);
  filter_ = filter;
  const BlockMatrix* matrix = &filtered(A);
  for (int depth = 0; depth < levels() && !is_direct(depth); ++depth) {
    Level& fine = levels_[depth];
    const bool has_coarse = depth + 1 < levels();
    if (has_coarse) coarsen(*matrix, fine, levels_[depth + 1]);
    smooth_with(*matrix, fine.own);
    if (depth == 0) {
      if (has_coarse) brace(A);
      hold(fine.own);
    }
    fine.diagonal.resize(matrix->rows());
    fine.lacking.resize(matrix->rows());
    parallel_for(matrix->rows(), [&](int i) {
      fine.diagonal[i] = matrix->diagonal(i);
      fine.lacking[i] = lacking(*matrix, i);
    });
    if (has_coarse) matrix = &levels_[depth + 1].matrix;
  }
  return update_added(added);
}

bool Multigrid::update_added(const BlockMatrix* added) {
  MUSLIN_ASSERT(!levels_.empty() && (!added || added->rows() == pattern_->rows()));
  MUSLIN_ASSERT(is_direct(0) || levels_[0].own.pattern == pattern_);  // A is known
  BlockMatrix rest;                                                   // of what is added, as a level sees it
  if (added) {
    rest = *added;
    filter_blocks(rest);
  }
  for (int depth = 0; depth < levels(); ++depth) {
    Level& level = levels_[depth];
    if (is_direct(depth)) return factor_coarsest(level.matrix, added ? &rest : nullptr);
    level.added.pattern.reset();
    if (added) smooth_with(rest, level.added);
    if (!update_diagonal(level, added ? &rest : nullptr)) return false;
    if (added && depth + 1 < levels()) rest = galerkin(rest, level.down, level.up);
  }
  return true;
}

// A last level of more unknowns has none that belong together: smoothing solves it.
bool Multigrid::is_direct(int depth) const {
  return depth + 1 == levels() && levels_[depth].pattern->rows() <= kCoarsest;
}

// S A S, as far as coarser levels see: prolongators have no rows for vertices that are held in all
// directions.
const BlockMatrix& Multigrid::filtered(const BlockMatrix& A) {
  const auto held_in_part = [](const Filter::Held& h) { return !h.free.isZero(); };
  if (!is_direct(0) && std::none_of(filter_.held().begin(), filter_.held().end(), held_in_part)) return A;
  BlockMatrix& matrix = levels_[0].matrix;
  if (matrix.shared_pattern() != pattern_) matrix = BlockMatrix(pattern_);
  parallel_for(pattern_->slots(), [&](int s) { matrix.block(s) = A.block(s); });
  filter_blocks(matrix);
  for (const Filter::Held& h : filter_.held())
    matrix.diagonal(h.vertex) += size_of(A.diagonal(h.vertex)) * (Mat3::Identity() - h.free);
  return matrix;
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

void Multigrid::coarsen(const BlockMatrix& A, Level& fine, Level& coarse) {
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
            fine.product[*to++] += P.weight[k] * A.block(s);
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
void Multigrid::brace(const BlockMatrix& A) {
  const Prolongator& P = levels_[0].down;
  for (const Filter::Held& h : filter_.held())
    for (int k = P.begin[h.vertex]; k < P.begin[h.vertex + 1]; ++k)
      levels_[1].matrix.diagonal(P.column[k]) += kHeldStiffness * P.weight[k] * P.weight[k] *
                                                 A.diagonal(h.vertex).trace() * (Mat3::Identity() - h.free);
}

void Multigrid::smooth_with(const BlockMatrix& A, Smoothed& smoothed) {
  smoothed.pattern = A.shared_pattern();
  smoothed.blocks.resize(smoothed.pattern->slots());
  parallel_for(smoothed.pattern->slots(), [&](int s) { smoothed.blocks[s] = padded(A.block(s)); });
}

// S A S
void Multigrid::hold(Smoothed& finest) const {
  const BlockPattern& pattern = *finest.pattern;
  for (const Filter::Held& h : filter_.held()) {
    const Eigen::Matrix3f free = h.free.cast<float>();
    for (int s = pattern.begin[h.vertex]; s < pattern.begin[h.vertex + 1]; ++s) {
      Block& block = finest.blocks[s];
      Block& mirrored = finest.blocks[pattern.find(pattern.column[s], h.vertex)];
      block.topRows<3>() = (free * block.topRows<3>()).eval();
      mirrored.topRows<3>() = (mirrored.topRows<3>() * free).eval();
    }
  }
}

// Of A + added; with the size of the block in held directions. Jacobi between chunks would do too much, and
// the cycle not be positive, where they are bound together firmly: there the diagonal has what bounds that
// besides [Baker 2011]. False if a block is not positive definite.
bool Multigrid::update_diagonal(Level& level, const BlockMatrix* added) const {
  const int n = level.pattern->rows();
  std::vector<Mat3> diagonal = level.diagonal;
  level.bound.resize(n);
  parallel_for(n, [&](int i) {
    Mat3 bound = level.lacking[i];
    if (added) {
      diagonal[i] += added->diagonal(i);
      bound += bound_between_chunks(*added, i);
    }
    diagonal[i] += bound;
    level.bound[i] = padded(bound);
  });
  if (&level == &levels_[0]) hold_diagonal(filter_, diagonal);
  const bool positive = invert_diagonal(diagonal);
  level.inverse.resize(n);
  parallel_for(n, [&](int i) { level.inverse[i] = padded(diagonal[i]); });
  return positive;
}

bool Multigrid::factor_coarsest(const BlockMatrix& A, const BlockMatrix* added) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(3 * A.rows(), 3 * A.rows());
  for (const BlockMatrix* part : {&A, added})
    for (int i = 0; part && i < A.rows(); ++i)
      for (int s = part->pattern().begin[i]; s < part->pattern().begin[i + 1]; ++s)
        dense.block<3, 3>(3 * i, 3 * part->pattern().column[s]) += part->block(s);
  coarsest_.compute(dense);
  return coarsest_.info() == Eigen::Success;
}

// --- the cycle ---------------------------------------------------------------------------------------

void Multigrid::solve(const Points& b, Points& x) {
  Level& finest = levels_[0];
  const int n = pattern_->rows();
  finest.b.resize(4, n);
  parallel_for(n, [&](int i) { finest.b.col(i) << b.col(i).cast<float>(), 0; });
  cycle(0);
  x.resize(3, n);
  parallel_for(n, [&](int i) { x.col(i) = finest.x.col(i).head<3>().cast<double>(); });
  filter_.apply(x);
}

void Multigrid::cycle(int depth) {
  Level& level = levels_[depth];
  const int n = level.pattern->rows();
  level.x.resize(4, n);
  level.r.resize(4, n);
  if (is_direct(depth)) {
    const Eigen::VectorXd b = level.b.topRows<3>().reshaped().cast<double>();
    level.x.topRows<3>().reshaped() = coarsest_.solve(b).cast<float>();
    return;
  }

  // 1. Forwards from zero
  smooth_forwards(level);
  if (depth + 1 == levels()) {
    level.r.setZero();
    return smooth_backwards(level);
  }

  // 2. What is left, to the aggregates
  Level& coarse = levels_[depth + 1];
  const auto gather = [](const Prolongator& rows, int i, const Floats& from) {
    Eigen::Vector4f sum = Eigen::Vector4f::Zero();
    for (int k = rows.begin[i]; k < rows.begin[i + 1]; ++k)
      sum += static_cast<float>(rows.weight[k]) * from.col(rows.column[k]);
    return sum;
  };
  coarse.b.resize(4, level.down.coarse);
  parallel_for(
      level.down.coarse, [&](int a) { coarse.b.col(a) = gather(level.up, a, level.r); }, kChunk / 4);

  // 3. Their correction
  cycle(depth + 1);
  parallel_for(
      n, [&](int i) { level.r.col(i) = gather(level.down, i, coarse.x); }, kChunk);
  if (depth == 0)
    for (const Filter::Held& h : filter_.held())
      level.r.col(h.vertex).head<3>() = h.free.cast<float>() * level.r.col(h.vertex).head<3>();

  // 4. Backwards
  smooth_backwards(level);
}

// A, and what is added to it if anything is: first, so that what A's row waits for longest comes last.
std::vector<const Multigrid::Smoothed*> Multigrid::parts(const Level& level) {
  if (level.added.pattern) return {&level.added, &level.own};
  return {&level.own};
}

// x = (D + L)⁻¹ b with L the lower triangle within chunks and the bound in D, and r = b − A x =
// −(A − D − L) x.
void Multigrid::smooth_forwards(Level& level) {
  const std::vector<const Smoothed*> parts = Multigrid::parts(level);
  float* x = level.x.data();
  const int n = level.pattern->rows();
  parallel_for(
      chunks(n),
      [&](int chunk) {
        const int first = chunk * kChunk, last = std::min(n, first + kChunk);
        for (int i = first; i < last; ++i) {
          Eigen::Vector4f rest = level.b.col(i);
          for (const Smoothed* part : parts) {
            const BlockPattern& pattern = *part->pattern;
            for (int s = pattern.begin[i]; s < pattern.diagonal[i]; ++s)  // the newest last
              if (const int j = pattern.column[s]; j >= first) rest -= product(part->blocks[s], x + 4 * j);
          }
          level.x.col(i) = product(level.inverse[i], rest.data());
        }
      },
      1);
  parallel_for(
      n,
      [&](int i) {
        const int first = i / kChunk * kChunk;
        Eigen::Vector4f rest = Eigen::Vector4f::Zero();
        rest += product(level.bound[i], x + 4 * i);
        for (const Smoothed* part : parts) {
          const BlockPattern& pattern = *part->pattern;
          const int* column = pattern.column.data();
          for (int s = pattern.begin[i]; column[s] < first; ++s)
            rest -= product(part->blocks[s], x + 4 * column[s]);
          for (int s = pattern.diagonal[i] + 1; s < pattern.begin[i + 1]; ++s)
            rest -= product(part->blocks[s], x + 4 * column[s]);
        }
        level.r.col(i) = rest;
      },
      kChunk);
}

// x += r, then x + (D + U)⁻¹ (b − A x) = (D + U)⁻¹ (b − (A − D − U) x) with U the upper triangle within
// chunks.
void Multigrid::smooth_backwards(Level& level) {
  const std::vector<const Smoothed*> parts = Multigrid::parts(level);
  const float *x = level.x.data(), *before = level.r.data();
  const int n = level.pattern->rows();
  parallel_for(
      n, [&](int i) { level.r.col(i) = level.x.col(i) += level.r.col(i); }, kChunk);
  parallel_for(
      chunks(n),
      [&](int chunk) {
        const int first = chunk * kChunk, last = std::min(n, first + kChunk);
        for (int i = last - 1; i >= first; --i) {
          Eigen::Vector4f rest = level.b.col(i);
          rest += product(level.bound[i], before + 4 * i);
          for (const Smoothed* part : parts) {
            const BlockPattern& pattern = *part->pattern;
            const int* column = pattern.column.data();
            for (int s = pattern.begin[i]; s < pattern.diagonal[i]; ++s)
              rest -= product(part->blocks[s], before + 4 * column[s]);
            for (int s = pattern.begin[i + 1] - 1; s > pattern.diagonal[i]; --s)  // the newest last
              rest -= product(part->blocks[s], (column[s] < last ? x : before) + 4 * column[s]);
          }
          level.x.col(i) = product(level.inverse[i], rest.data());
        }
      },
      1);
}

}  // namespace muslin
