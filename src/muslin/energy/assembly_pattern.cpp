#include "muslin/energy/assembly.h"

// Which blocks elements add to, and where: what HessianAssembly makes once.

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

}  // namespace muslin
