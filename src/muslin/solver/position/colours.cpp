#include "muslin/solver/position/colours.h"

#include <algorithm>
#include <cmath>

#include "muslin/solver/position/line_layout.h"
#include "muslin/solver/position/step_kernels.h"

namespace muslin {

namespace {

// Calls body(first, count) for all vertices, some at once: on all threads where there are many.
template <class Body>
void for_all_vertices(int n, const Body& body) {
  constexpr int kTogether = 1024;
  for_all_lines(n, (n + kTogether - 1) / kTogether, [&](int chunk) {
    const int first = chunk * kTogether;
    body(first, std::min(kTogether, n - first));
  });
}

// Places are relative to this vertex's.
Eigen::Index middle_of(const Points& positions) { return positions.cols() / 2; }

// How far kernels moved the vertex that they moved most [m].
double largest_move(const float* place, const Vec3& origin, const Points& before) {
  double farthest = 0;
  for (int v = 0; v < before.cols(); ++v) {
    const Vec3 now(place[4 * v], place[4 * v + 1], place[4 * v + 2]);
    farthest = std::max(farthest, (now - (before.col(v) - origin)).squaredNorm());
  }
  return std::sqrt(farthest);
}

}  // namespace

double ColourPath::reach(const Model& model) const {
  const Points& start = model.start;
  return (start.colwise() - start.col(middle_of(start))).cwiseAbs().maxCoeff();
}

void ColourPath::prepare(const Model& model, const Controls& controls, double h) {
  if (settings_.coarse) tethers_ = Tethers(model, controls);
  lines_ = MeshLines(model, controls, h);
  streams_ = colour_streams(model, controls, lines_, h);
  damped_ = lines_.is_damped();
  for (const ColourStream& stream : streams_) damped_ = damped_ || stream.is_damped();
  place_.assign(4 * (static_cast<size_t>(model.vertex_count()) + kColourLanes), 0);
  start_.assign(damped_ ? place_.size() : 0, 0);
}

double ColourPath::project(const Points& start, Points& positions, bool measured) {
  // Numbers are relative to a vertex, so that the rounding of a place is some 1e-7 of the scene's size.
  const Vec3 origin = positions.col(middle_of(positions));
  const StepKernels& kernels = chosen_step_kernels();
  const auto load = [&](const Points& from, std::vector<float>& to) {
    for_all_vertices(static_cast<int>(from.cols()), [&](int first, int count) {
      kernels.load(from.data() + 3 * first, origin.data(), count, to.data() + 4 * first);
    });
  };
  load(positions, place_);
  if (damped_) load(start, start_);
  for (const ColourStream& stream : streams_) stream.sweep(place_.data(), start_.data());
  lines_.sweep(place_.data(), start_.data());
  tethers_.pull(place_.data());
  const double move = measured ? largest_move(place_.data(), origin, positions) : 0;
  for_all_vertices(static_cast<int>(positions.cols()), [&](int first, int count) {
    kernels.store(place_.data() + 4 * first, origin.data(), count, positions.data() + 3 * first);
  });
  return move;
}

}  // namespace muslin
