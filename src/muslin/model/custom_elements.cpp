#include "muslin/model/custom_elements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "muslin/core/check.h"

namespace muslin {

namespace {

constexpr int kMostVertices = StoredCustomEnergy::kSize;

template <class... Args>
void expect(bool holds, const std::string& place, fmt::format_string<Args...> words, Args&&... args) {
  if (!holds) throw Error(ErrorKind::invalid, place + ": " + fmt::format(words, std::forward<Args>(args)...));
}

template <class Matrix>
void expect_matrix(const Matrix& matrix, Eigen::Index rows, Eigen::Index columns, const std::string& place,
                   const char* what) {
  expect(matrix.rows() == rows && matrix.cols() == columns, place, "its {} must be {}x{}, not {}x{}", what,
         rows, columns, matrix.rows(), matrix.cols());
  expect(matrix.allFinite(), place, "its {} is no number where the cloth begins", what);
}

// `stencil` has the user's numbers.
void check_stencil(const std::vector<int>& stencil, int vertex_count, const std::string& place) {
  expect(!stencil.empty() && std::ssize(stencil) <= kMostVertices, place, "expected 1 to {} vertices, got {}",
         kMostVertices, stencil.size());
  for (const int v : stencil)
    expect(v >= 0 && v < vertex_count, place, "there is no vertex {} among {}", v, vertex_count);
  for (auto v = stencil.begin(); v != stencil.end(); ++v)
    expect(std::find(stencil.begin(), v, *v) == v, place, "names vertex {} twice", *v);
}

// The bound of the element's Hessian; all its functions were tried.
Pairs<kMostVertices> checked_majorant(const CustomEnergy& energy, int element, const ElementColumns& start,
                                      const std::string& place) {
  const auto k = start.cols();
  expect(std::isfinite(energy.value(element, start)), place, "its value is no number where the cloth begins");
  expect_matrix(energy.gradient(element, start), 3, k, place, "gradient");
  expect_matrix(energy.hessian(element, start), 3 * k, 3 * k, place, "hessian");
  expect_matrix(energy.hessian_psd(element, start), 3 * k, 3 * k, place, "hessian_psd");
  const ElementPairs bound = energy.majorant(element, start);
  expect_matrix(bound, k, k, place, "majorant");
  expect(bound.diagonal().minCoeff() >= 0, place, "its majorant has a negative number on the diagonal");
  Pairs<kMostVertices> padded = Pairs<kMostVertices>::Zero();
  padded.topLeftCorner(k, k) = bound;
  return padded;
}

}  // namespace

void add_custom_elements(const Scene& scene, Model& model) {
  for (size_t i = 0; i < scene.energies.size(); ++i) {
    const auto& [energy, stencils] = scene.energies[i];
    expect(energy != nullptr, fmt::format("/energies/{}", i), "has no energy");
    for (int e = 0; e < std::ssize(stencils); ++e) {
      const std::string place = fmt::format("/energies/{}/stencils/{}", i, e);
      check_stencil(stencils[e], model.user_vertex_count(), place);
      const int size = static_cast<int>(stencils[e].size());
      Stencil<kMostVertices> vertices;
      vertices.fill(model.vertex_numbers.to_model(stencils[e][0]));
      for (int k = 0; k < size; ++k) vertices[k] = model.vertex_numbers.to_model(stencils[e][k]);
      const ElementColumns start = gather(model.start, vertices).leftCols(size);
      model.energies.custom.add(vertices, 0, {energy, e, size, checked_majorant(*energy, e, start, place)},
                                1);
    }
  }
}

}  // namespace muslin
