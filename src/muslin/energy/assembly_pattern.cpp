#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/energy/assembly.h"

// Which blocks elements add to, and where; and sums of majorants: what HessianAssembly makes once or seldom.

namespace muslin {

namespace {

std::vector<Stencil<2>> coupled_pairs(const Energies& energies) {
  std::vector<Stencil<2>> pairs;
  energies.each([&](const auto& energy) {
    for (const auto& stencil : energy.elements().vertices)
      for (size_t a = 0; a < stencil.size(); ++a)
        for (size_t b = 0; b < a; ++b)
          if (stencil[a] != stencil[b]) pairs.push_back({stencil[a], stencil[b]});
  });
  return pairs;
}

}  // namespace

HessianAssembly::HessianAssembly(const Energies& energies, int vertex_count)
    : chunks_(chunks_of(vertex_count)),
      pattern_(std::make_shared<BlockPattern>(vertex_count, coupled_pairs(energies))) {
  energies.each([&](const auto& energy) {
    const auto& stencils = energy.elements().vertices;
    constexpr int size = std::decay_t<decltype(energy)>::kSize;
    const int* first = stencils.empty() ? nullptr : stencils.front().data();
    scatters_.push_back(make_scatter({first, size * stencils.size()}, size));
  });
}

HessianAssembly::Scatter HessianAssembly::make_scatter(std::span<const int> corners, int size) const {
  // 1. Which elements touch which chunk
  std::vector<std::vector<int>> touching(chunks_);
  for (size_t k = 0; k < corners.size(); ++k) {
    std::vector<int>& chunk = touching[corners[k] / kChunkRows];
    const int element = static_cast<int>(k) / size;
    if (chunk.empty() || chunk.back() != element) chunk.push_back(element);
  }

  // 2. Where their blocks go
  Scatter scatter;
  for (int c = 0; c < chunks_; ++c) {
    scatter.begin.push_back(static_cast<int>(scatter.element.size()));
    for (const int e : touching[c]) {
      scatter.element.push_back(e);
      const std::span<const int> own = corners.subspan(static_cast<size_t>(e) * size, size);
      for (const int row : own)
        for (const int column : own)
          scatter.slot.push_back(row / kChunkRows == c ? pattern_->find(row, column) : -1);
    }
  }
  scatter.begin.push_back(static_cast<int>(scatter.element.size()));
  return scatter;
}

Eigen::SparseMatrix<double> HessianAssembly::majorant_matrix(const Energies& energies) const {
  const std::vector<double> sum = sum_majorants(energies);
  const int n = pattern_->rows();
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.resizeNonZeros(pattern_->slots());
  std::copy(pattern_->begin.begin(), pattern_->begin.end(), matrix.outerIndexPtr());
  std::copy(pattern_->column.begin(), pattern_->column.end(), matrix.innerIndexPtr());
  for (int column = 0; column < n; ++column)
    for (int s = pattern_->begin[column]; s < pattern_->begin[column + 1]; ++s)
      matrix.valuePtr()[s] = sum[pattern_->find(pattern_->column[s], column)];
  return matrix;
}

// A number a slot, of all energies or of those that are constant in a kind of Hessian.
std::vector<double> HessianAssembly::sum_majorants(const Energies& energies,
                                                   std::optional<Hessian> constant_in) const {
  std::vector<double> sum(pattern_->slots(), 0);
  parallel_for(
      chunks_,
      [&](int c) {
        auto s = scatters_.begin();
        energies.each([&](const auto& energy) {
          using E = std::decay_t<decltype(energy)>;
          constexpr int n = E::kSize;
          const bool counts = !constant_in || is_constant<E>(*constant_in);
          for (int k = s->begin[c]; counts && k < s->begin[c + 1]; ++k) {
            MUSLIN_ASSERT(s->element[k] < energy.size());
            const int* slot = s->slot.data() + k * n * n;
            const Pairs<n> majorant = energy[s->element[k]].majorant();
            for (int a = 0; a < n; ++a)
              for (int b = 0; b < n; ++b, ++slot)
                if (*slot >= 0) sum[*slot] += majorant(a, b);
          }
          ++s;
        });
      },
      1);
  return sum;
}

}  // namespace muslin
