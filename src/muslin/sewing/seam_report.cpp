#include "muslin/sewing/seam_report.h"

#include <algorithm>
#include <map>

namespace muslin {

namespace {

/// What the triangles of a model pull with on their corners [N].
class TriangleForces {
 public:
  TriangleForces(const Model& model, const Points& positions)
      : forces_(model.triangles.size(), Local<3>::Zero()) {
    std::map<Stencil<3>, int> number;
    for (int t = 0; t < std::ssize(model.triangles); ++t) number[model.triangles[t]] = t;
    model.energies.each([&](const auto& energy) {
      using E = std::decay_t<decltype(energy)>;
      if constexpr (E::kSize == 3 && is_membrane<typename E::Element>())
        for (int e = 0; e < energy.size(); ++e)
          if (const auto found = number.find(energy.vertices(e)); found != number.end())
            forces_[found->second] -= energy[e].gradient(gather(positions, energy.vertices(e)));
    });
  }
  Vec3 at(int triangle, int corner) const { return forces_[triangle].col(corner); }

 private:
  std::vector<Local<3>> forces_;
};

}  // namespace

std::vector<SeamReport> report_seams(const Model& model, const Model& unsewn,
                                     const std::vector<double>& stitch_length, const Vec3& gravity,
                                     const Points& positions) {
  std::vector<SeamReport> reports;
  if (model.seams.empty()) return reports;
  // 1. Open stitches
  for (const ModelSeam& seam : model.seams)
    reports.push_back({seam.name, static_cast<int>(seam.stitches.size())});
  for (int s = 0; s < model.energies.stitches.size(); ++s) {
    const auto& [a, b] = model.energies.stitches.vertices(s);
    SeamReport& report = reports[model.stitches[s].seam];
    const double gap = (positions.col(a) - positions.col(b)).norm();
    ++report.open;
    report.widest_gap = std::max(report.widest_gap, gap);
    if (s < std::ssize(stitch_length))
      report.pull += model.energies.stitches.stiffness[s] * std::max(0.0, gap - stitch_length[s]);
  }

  // 2. Closed ones: by the triangles of side b, whose corners the user numbers as they were before
  const TriangleForces forces(model, positions);
  std::vector<std::vector<std::array<int, 2>>> corners_of(unsewn.user_vertex_count());
  for (int user = 0; user < std::ssize(model.triangles); ++user) {
    const Stencil<3> before = user_triangle(unsewn, user);
    for (int k = 0; k < 3; ++k) corners_of[before[k]].push_back({user, k});
  }
  for (size_t s = 0; s < model.seams.size(); ++s) {
    Vec3 sum = Vec3::Zero();
    for (const auto& [a, b] : model.seams[s].stitches) {
      const int v = model.vertex_numbers.to_model(b);
      if (v != model.vertex_numbers.to_model(a)) continue;
      for (const auto& [user, corner] : corners_of[b]) {
        const int t = model.triangle_numbers.to_model(user);
        const auto at = std::find(model.triangles[t].begin(), model.triangles[t].end(), v);
        sum += forces.at(t, static_cast<int>(at - model.triangles[t].begin())) +
               model.triangle_mass[t] / 3 * gravity;
      }
    }
    reports[s].pull += sum.norm();
  }
  return reports;
}

}  // namespace muslin
