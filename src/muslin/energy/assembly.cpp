#include "muslin/energy/assembly.h"

#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"

namespace muslin {

namespace {

// Whether an energy's stiffness, a number or a matrix of numbers an element, is another than was noted; notes
// it.
template <class E>
bool note_stiffness(const E& energy, std::vector<double>& noted) {
  constexpr size_t numbers = sizeof(typename E::Stiffness) / sizeof(double);  // NOLINT: of some it is one
  const auto* first = reinterpret_cast<const double*>(energy.stiffness.data());
  const auto* last = first + numbers * energy.stiffness.size();
  if (std::equal(noted.begin(), noted.end(), first, last)) return false;
  noted.assign(first, last);
  return true;
}

}  // namespace

const std::vector<double>& HessianAssembly::constant(Hessian which) const {
  return which == Hessian::model ? constant_model_.sum : constant_.sum;
}

// What majorants add to the diagonal of every block is summed anew when a stiffness is another.
void HessianAssembly::prepare_rows(const Energies& energies, Hessian which) {
  Constant& constant = which == Hessian::model ? constant_model_ : constant_;
  bool changed = constant.of.empty();
  constant.of.resize(scatters_.size());
  auto of = constant.of.begin();
  energies.each([&](const auto& energy) {
    if (is_constant<std::decay_t<decltype(energy)>>(which)) changed |= note_stiffness(energy, *of);
    ++of;
  });
  if (!changed) return;
  constant.sum = sum_majorants(energies, which);
}

// Adds the elements of a chunk of rows to what is constant, by blocks.add(slot, row, whether it is a diagonal
// block, block) or, (1 −1; −1 1) ⊗ block, by blocks.add_pair(slots, vertices, block). Every block gets its
// elements in the same order, however the rows are cut into chunks.
template <class Blocks>
void HessianAssembly::add_elements(const Energies& energies, const Points& x, Hessian which, int chunk,
                                   Blocks&& blocks) const {
  auto scatter = scatters_.begin();
  energies.each([&](const auto& energy) {
    using E = std::decay_t<decltype(energy)>;
    constexpr int n = E::kSize;
    if constexpr (!has_constant_hessian<typename E::Element>())
      for (int k = scatter->begin[chunk]; !is_constant<E>(which) && k < scatter->begin[chunk + 1]; ++k) {
        const int e = scatter->element[k];
        const int* slot = scatter->slot.data() + k * n * n;
        const Local<n> local = gather(x, energy.vertices(e));
        const auto element = energy[e];
        if constexpr (requires { element.hessian_block(local); }) {
          blocks.add_pair(
              slot, energy.vertices(e),
              which == Hessian::exact ? element.hessian_block(local) : element.hessian_block_psd(local));
        } else {
          const LocalHessian<n> hessian =
              which == Hessian::exact ? element.hessian(local) : element.hessian_psd(local);
          for (int a = 0; a < n; ++a, slot += n)
            if (*slot >= 0)
              for (int b = 0; b < n; ++b)
                blocks.add(slot[b], energy.vertices(e)[a], slot[b] == slot[a],
                           hessian.template block<3, 3>(3 * a, 3 * b));
        }
      }
    ++scatter;
  });
}

namespace {

// Column by column: docs/decisions, small blocks.
template <class To, class Block>
void add_to(To& to, const Block& block) {
  for (int axis = 0; axis < 3; ++axis) to.col(axis) += block.col(axis);
}
template <class To, class Block>
void subtract_from(To& to, const Block& block) {
  for (int axis = 0; axis < 3; ++axis) to.col(axis) -= block.col(axis);
}

// Where blocks are added up: in a matrix, …
struct MatrixBlocks {
  BlockMatrix& matrix;

  template <class Block>
  void add(int slot, int, bool, const Block& block) {
    add_to(matrix.block(slot), block);
  }
  void add_pair(const int* slot, const Stencil<2>&, const Mat3& block) {
    for (int a = 0; a < 2; ++a)
      if (slot[2 * a] >= 0) {
        add_to(matrix.block(slot[3 * a]), block);
        subtract_from(matrix.block(slot[1 + a]), block);
      }
  }
};

// … or in floats, but for the diagonal. Where rows shall keep their sums, these are added up in place of the
// diagonal, which follows from them.
struct FloatBlocks {
  const RowChunk& rows;
  int first_slot;

  template <class Block>
  void add(int slot, int row, bool is_diagonal, const Block& block) {
    if (is_diagonal || rows.keeps_sums) add_to(diagonal(row), block);
    if (!is_diagonal) add_to(off_diagonal(slot), padded(block));
  }
  void add_pair(const int* slot, const Stencil<2>& vertices, const Mat3& block) {
    if (slot[0] == slot[1] && slot[0] >= 0) return;  // both ends are one vertex
    const FloatBlock rounded = padded(block);
    for (int a = 0; a < 2; ++a)
      if (slot[2 * a] >= 0) {
        if (!rows.keeps_sums) add_to(diagonal(vertices[a]), block);  // the sum is zero
        subtract_from(off_diagonal(slot[1 + a]), rounded);
      }
  }
  void add_multiple_of_unit(int slot, int row, bool is_diagonal, double number) {
    if (is_diagonal || rows.keeps_sums) diagonal(row).diagonal().array() += number;
    if (!is_diagonal) off_diagonal(slot).diagonal().array() += static_cast<float>(number);
  }

 private:
  Mat3& diagonal(int row) { return rows.diagonal[row - rows.first]; }
  FloatBlock& off_diagonal(int slot) { return rows.blocks[slot - first_slot]; }
};

}  // namespace

void HessianAssembly::assemble(const Energies& energies, const Points& x, Hessian which,
                               BlockMatrix& matrix) {
  MUSLIN_ASSERT(x.cols() == pattern_->rows());
  if (matrix.shared_pattern() != pattern_) matrix = BlockMatrix(pattern_);
  prepare_rows(energies, which);
  const std::vector<double>& constant = this->constant(which);
  const auto assemble_chunk = [&](int c) {
    const int first = pattern_->begin[c * kChunkRows];
    const int last = pattern_->begin[std::min((c + 1) * kChunkRows, pattern_->rows())];
    for (int slot = first; slot < last; ++slot) matrix.block(slot) = constant[slot] * Mat3::Identity();
    add_elements(energies, x, which, c, MatrixBlocks{matrix});
  };
  parallel_for(chunks_, assemble_chunk, 1);
}

void HessianAssembly::assemble_rows(const Energies& energies, const Points& x, Hessian which,
                                    const RowChunk& rows) const {
  MUSLIN_ASSERT(x.cols() == pattern_->rows() && rows.first % kChunkRows == 0);
  const std::vector<double>& constant = this->constant(which);
  const int first_slot = pattern_->begin[rows.first];
  FloatBlocks blocks{rows, first_slot};
  for (int row = rows.first; row < rows.last; ++row) {
    rows.diagonal[row - rows.first].setZero();
    for (int slot = pattern_->begin[row]; slot < pattern_->begin[row + 1]; ++slot) {
      rows.blocks[slot - first_slot].setZero();
      blocks.add_multiple_of_unit(slot, row, slot == pattern_->diagonal[row], constant[slot]);
    }
  }
  add_elements(energies, x, which, rows.first / kChunkRows, blocks);
  if (rows.keeps_sums) sums_to_diagonal(rows);
}

// Blocks off the diagonal are not symmetric, and roundings of their sums are not: of a skew part a form has
// nothing.
void HessianAssembly::sums_to_diagonal(const RowChunk& rows) const {
  const int first_slot = pattern_->begin[rows.first];
  for (int row = rows.first; row < rows.last; ++row) {
    Mat3 sum = rows.diagonal[row - rows.first];
    for (int slot = pattern_->begin[row]; slot < pattern_->begin[row + 1]; ++slot)
      if (slot != pattern_->diagonal[row])
        for (int axis = 0; axis < 3; ++axis)
          sum.col(axis) -= rows.blocks[slot - first_slot].col(axis).head<3>().cast<double>();
    rows.diagonal[row - rows.first] = (sum + sum.transpose()) / 2;
  }
}

}  // namespace muslin
