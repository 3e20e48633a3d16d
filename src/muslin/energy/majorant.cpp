#include "muslin/energy/majorant.h"

#include <vector>

namespace muslin {

Eigen::SparseMatrix<double> majorant_matrix(const Energies& energies, int vertex_count) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int v = 0; v < vertex_count; ++v) entries.emplace_back(v, v, 0);
  energies.each([&](const auto& energy) {
    for (int e = 0; e < energy.size(); ++e) {
      const auto majorant = energy[e].majorant();
      for (int a = 0; a < majorant.rows(); ++a)
        for (int b = 0; b < majorant.cols(); ++b)
          entries.emplace_back(energy.vertices(e)[a], energy.vertices(e)[b], majorant(a, b));
    }
  });
  Eigen::SparseMatrix<double> matrix(vertex_count, vertex_count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace muslin
