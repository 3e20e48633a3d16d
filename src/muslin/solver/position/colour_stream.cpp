#include "muslin/solver/position/colour_stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "muslin/solver/position/compliance.h"
#include "muslin/solver/position/line_layout.h"

namespace muslin {

namespace {

double inverse_mass(const Controls& controls, int v) { return controls.inverse_mass(0, v); }

void write_spring(const SpringEnergy& springs, const Controls& controls, double h, int s, float* number) {
  const auto [a, b] = springs.vertices(s);
  const double damping = springs.elements().damping[s];
  const double wa = inverse_mass(controls, a), wb = inverse_mass(controls, b);
  const double sum = wa + wb + step_compliance(springs.stiffness[s], damping, h);
  number[SpringNumber::rest] = float(springs.rest[s]);
  number[SpringNumber::first] = float(wa / sum);
  number[SpringNumber::second] = float(wb / sum);
  number[SpringNumber::shift] = float(damping_shift(damping, h));
}

void write_triangle(const BaraffWitkinEnergy& triangles, const Controls& controls, double h, int e,
                    float* number) {
  using N = TriangleNumber;
  const auto& [u, v, area] = triangles.shapes()[e].triangle;
  const Vec3& stiffness = triangles.stiffness[e];
  const double damping = triangles.elements().damping[e];
  Vec3 w;
  for (int k = 0; k < 3; ++k) w[k] = inverse_mass(controls, triangles.vertices(e)[k]);
  const auto sum = [&](const Vec3& a, const Vec3& b) { return w.cwiseProduct(a).dot(b); };
  const auto compliance = [&, area = area](int c) {
    return step_compliance(stiffness[c], damping, h) / area;
  };
  number[N::u1] = float(u[1]);
  number[N::u2] = float(u[2]);
  number[N::v1] = float(v[1]);
  number[N::v2] = float(v[2]);
  number[N::uu] = float(sum(u, u));
  number[N::uv] = float(sum(u, v));
  number[N::vv] = float(sum(v, v));
  number[N::warp] = float(1 / (sum(u, u) + compliance(0)));
  number[N::weft] = float(1 / (sum(v, v) + compliance(1)));
  number[N::shear] = float(compliance(2));
  for (int k = 0; k < 3; ++k) number[N::w0 + k] = float(w[k]);
  number[N::shift] = float(damping_shift(damping, h));
}

void write_plate(const BendingEnergy& plates, const Controls& controls, double h, int e, float* number) {
  using N = PlateNumber;
  const PlateStencil& stencil = plates.vertices(e);
  const double damping = plates.elements().damping[e];
  Eigen::Matrix<double, 3, 6> root = plates.shapes()[e];
  std::array<double, 6> w;
  for (int i = 0; i < 6; ++i) {
    w[i] = inverse_mass(controls, stencil[i]);
    const int first = int(std::find(stencil.begin(), stencil.end(), stencil[i]) - stencil.begin());
    if (first == i) continue;
    root.col(first) += root.col(i);
    root.col(i).setZero();
    w[i] = 0;
  }
  for (int i = 1; i < 6; ++i)
    for (int k = 0; k < 3; ++k) number[N::columns + 3 * (i - 1) + k] = float(root(k, i));
  for (int i = 0; i < 6; ++i) number[N::w + i] = float(w[i]);
  number[N::compliance] = float(step_compliance(plates.stiffness[e], damping, h));
  number[N::shift] = float(damping_shift(damping, h));
}

void write_hinges(const DihedralEnergy& plates, const Controls& controls, double h, int e, float* number) {
  using N = HingeNumber;
  const PlateStencil& stencil = plates.vertices(e);
  const Mat3& form = plates.stiffness[e];
  const double damping = plates.elements().damping[e];
  for (int k = 0, at = N::form; k < 3; ++k)
    for (int l = k; l < 3; ++l) number[at++] = float(form(k, l));
  for (int k = 0; k < 3; ++k) number[N::rest + k] = float(plates.rest[e][k]);
  for (int i = 0; i < 6; ++i) {
    const bool repeats = std::find(stencil.begin(), stencil.begin() + i, stencil[i]) != stencil.begin() + i;
    number[N::w + i] = repeats ? 0 : float(inverse_mass(controls, stencil[i]));
  }
  number[N::repeats] = stencil[4] == stencil[3];
  number[N::repeats + 1] = stencil[5] == stencil[3];
  number[N::repeats + 2] = stencil[5] == stencil[4];
  number[N::compliance] = float(step_compliance(1, damping, h));
  number[N::shift] = float(damping_shift(damping, h));
}

// The springs of a class that are in no line, coloured among themselves, long ones before short ones: what is
// projected last is met best, and of the same error short springs are strained most.
Colouring colour_class(const Model& model, const MeshLines& lines, SpringClass kind) {
  const SpringEnergy& springs = model.energies.springs;
  std::vector<int> members;
  for (int s = 0; s < springs.size(); ++s)
    if (springs.shapes()[s].kind == kind && springs.stiffness[s] > 0 && !lines.has(s)) members.push_back(s);
  std::stable_sort(members.begin(), members.end(),
                   [&](int a, int b) { return springs.rest[a] > springs.rest[b]; });
  std::vector<Stencil<2>> stencils;
  for (const int s : members) stencils.push_back(springs.vertices(s));
  Colouring colouring = colour(model.vertex_count(), stencils);
  for (std::vector<int>& group : colouring.groups) {
    for (int& s : group) s = members[s];
    std::sort(group.begin(), group.end());  // neighbours in memory
  }
  for (int& s : colouring.rest) s = members[s];
  return colouring;
}

}  // namespace

// `write` puts an element's numbers where it is told.
template <Energy E, class Write>
ColourStream::ColourStream(ColourKind kind, int numbers, const E& energy, const Colouring& colouring,
                           int vertex_count, const Write& write)
    : kind_(kind),
      slots_(E::kSize),
      numbers_(muslin::is_damped(energy) ? numbers : numbers - 1),  // the last one is of damping
      vertex_count_(vertex_count),
      damped_(muslin::is_damped(energy)) {
  const auto add = [&](const int* elements, int count) {
    begin_.push_back(static_cast<int>(vertices_.size()) / (slots_ * kColourLanes));
    std::vector<float> own(numbers);
    for (int first = 0; first < count; first += kColourLanes) {
      std::int32_t* vertices = &*vertices_.insert(vertices_.end(), size_t(slots_) * kColourLanes, 0);
      float* stream = &*stream_.insert(stream_.end(), size_t(numbers_) * kColourLanes, 1.0f);
      for (int lane = 0; lane < kColourLanes; ++lane) {
        const bool filled = first + lane < count;
        if (filled) write(elements[first + lane], own.data());
        for (int k = 0; k < slots_; ++k)
          vertices[k * kColourLanes + lane] =
              4 * (filled ? energy.vertices(elements[first + lane])[k] : vertex_count + lane);
        for (int k = 0; filled && k < numbers_; ++k) stream[k * kColourLanes + lane] = own[k];
      }
    }
  };
  for (const std::vector<int>& group : colouring.groups) add(group.data(), static_cast<int>(group.size()));
  for (const int& e : colouring.rest) add(&e, 1);
  begin_.push_back(static_cast<int>(vertices_.size()) / (slots_ * kColourLanes));
}

void ColourStream::sweep(float* place, const float* start) const {
  constexpr int kChunk = 64;  // groups that a thread takes at once
  const ColourKernel kernel = chosen_colour_kernels().of[static_cast<int>(kind_)][damped_];
  for (size_t c = 0; c + 1 < begin_.size(); ++c) {
    const int end = begin_[c + 1], chunks = (end - begin_[c] + kChunk - 1) / kChunk;
    for_all_lines(vertex_count_, chunks, [&](int chunk) {
      const int first = begin_[c] + chunk * kChunk;
      kernel({place, start, vertices_.data() + static_cast<std::ptrdiff_t>(first) * slots_ * kColourLanes,
              stream_.data() + static_cast<std::ptrdiff_t>(first) * numbers_ * kColourLanes,
              std::min(kChunk, end - first)});
    });
  }
}

std::string colour_obstacle(const Model& model) {
  std::string obstacle;
  model.energies.each([&](const auto& energy) {
    const bool runs = energy.kName == SpringEnergy::kName || energy.kName == BaraffWitkinEnergy::kName ||
                      energy.kName == BendingEnergy::kName || energy.kName == DihedralEnergy::kName;
    if (energy.size() > 0 && !runs) obstacle = fmt::format("the cloth has {}", energy.kName);
  });
  return obstacle;
}

std::vector<ColourStream> colour_streams(const Model& model, const Controls& controls, const MeshLines& lines,
                                         double h) {
  const Energies& energies = model.energies;
  const int n = model.vertex_count();
  std::vector<ColourStream> streams;
  const auto add = [&](ColourKind kind, int numbers, const auto& energy, const Colouring& colouring,
                       auto write) {
    if (colouring.groups.empty()) return;
    streams.push_back(ColourStream(kind, numbers, energy, colouring, n,
                                   [&](int e, float* number) { write(energy, controls, h, e, number); }));
  };
  add(ColourKind::plates, PlateNumber::count, energies.bending, energies.bending.elements().colouring,
      write_plate);
  add(ColourKind::hinges, HingeNumber::count, energies.dihedral, energies.dihedral.elements().colouring,
      write_hinges);
  add(ColourKind::triangles, TriangleNumber::count, energies.baraff_witkin,
      energies.baraff_witkin.elements().colouring, write_triangle);
  for (const SpringClass kind : {SpringClass::bend, SpringClass::shear, SpringClass::structural})
    add(ColourKind::springs, SpringNumber::count, energies.springs, colour_class(model, lines, kind),
        write_spring);
  return streams;
}

}  // namespace muslin
