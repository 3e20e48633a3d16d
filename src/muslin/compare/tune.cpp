#include "muslin/compare/tune.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "muslin/compare/common_step.h"
#include "muslin/compare/reference_step.h"
#include "muslin/core/budget.h"
#include "muslin/core/check.h"
#include "muslin/model/measure.h"
#include "muslin/simulation.h"
#include "muslin/solver/position/paths.h"

namespace muslin {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kReferenceSteps = 3;  // of every settings: each costs some Newton iterations
// Of substeps a frame, each about a quarter more than the one before; coarser where steps are dear.
constexpr int kOfFastPaths[] = {3, 4, 5, 6, 8, 10, 13, 16, 20, 26, 32, 40, 52, 66, 84};
constexpr int kOfGeneral[] = {5, 10, 20, 40, 80, 160};

double at_fraction(std::vector<double> values, double fraction) {
  if (values.empty()) return 0;
  const auto rank = values.begin() + static_cast<std::ptrdiff_t>(fraction * double(values.size() - 1));
  std::nth_element(values.begin(), rank, values.end());
  return *rank;
}

double median_strain(const Model& model, const Points& positions) {
  std::vector<double> strain(model.edges.size());
  for (size_t e = 0; e < strain.size(); ++e) {
    const auto [a, b] = model.edges[e];
    strain[e] = (positions.col(b) - positions.col(a)).norm() / model.edge_length[e] - 1;
  }
  return at_fraction(std::move(strain), 0.5);
}

// What an error of lengths is worth by a stiff material would hide what was dissipated.
double energy_of_motion(const FrameReport& frame) { return frame.kinetic_energy + frame.potential_energy; }

/// The last step of a frame, to be held against the converged one when the frame is done.
struct LastStep {
  State before, after;
  Input input;
};

std::optional<double> distance_from_converged(const Simulation& simulation, References& references,
                                              LastStep& step) {
  Stop stop;
  Budget budget(simulation.scene().solver.budget, stop);
  step.input.budget = &budget;
  const ContactForm form = contact_form(simulation.model(), simulation.settings());
  ReferenceStep reference = references.take(simulation.model(), step.before, step.input, form);
  if (!reference.reference().converged) return {};
  return reference.error(step.after.positions).position.rms;
}

// Nothing where the watcher stops it.
std::optional<TunedSettings> judge(const Scene& scene, int frames, const TuneWatcher& watcher) {
  Simulation simulation(scene);
  TunedSettings result;
  result.position = scene.solver.position;
  std::optional<LastStep> last;
  const auto keep_last = [&](const State& before, const Input& input, const State& after) {
    if (input.ends_frame) last = {before, after, input};
  };
  References references(scene, common_step(scene, simulation.model(), simulation.substeps()));
  const FrameReport start = simulation.report();
  std::vector<double> ms, medians, percentiles, errors;
  for (int f = 1; f <= frames; ++f) {
    if (watcher.stop && watcher.stop()) return {};
    // Who watches steps costs copies of the state: those frames are not timed, unless there are no others
    const bool is_held = f * kReferenceSteps / frames > (f - 1) * kReferenceSteps / frames;
    simulation.watch_steps(is_held ? Simulation::StepWatcher(keep_last) : Simulation::StepWatcher());
    const FrameReport frame = simulation.step();
    result.diverged = frame.step.status == Status::diverged;
    if (result.diverged) break;
    if (!is_held || frames <= kReferenceSteps) ms.push_back(frame.ms);
    medians.push_back(median_strain(simulation.model(), simulation.state().positions));
    percentiles.push_back(frame.strain_p99);
    result.strain_max = std::max(result.strain_max, frame.strain_max);
    result.centres.push_back(frame.center_of_mass);
    result.energy = energy_of_motion(frame) - energy_of_motion(start);
    result.height = frame.center_of_mass.y() - start.center_of_mass.y();
    if (!is_held) continue;
    if (const auto distance = distance_from_converged(simulation, references, *last))
      errors.push_back(*distance);
  }
  result.ms = at_fraction(ms, 0.5);
  result.strain_p50 = at_fraction(medians, 0.5);
  result.strain_p99 = at_fraction(percentiles, 0.9);
  for (const double error : errors)
    result.step_error = result.step_error.value_or(0) + error / double(errors.size());
  return result;
}

/// Whether lines, say, are for the scene: asked for, it takes them.
bool takes(const Scene& scene) {
  return path_taken(scene.solver.position, build_model(scene)) == scene.solver.position.path;
}

/// The scene by xpbd, ready for settings.
Scene by_position(const Scene& scene) {
  Scene other = scene;
  other.solver.family = "position";
  PositionSettings& position = other.solver.position;
  if (position.method != PositionMethod::xpbd)
    throw Error(ErrorKind::invalid,
                "/solver/position/method: tune is for xpbd, got pbd, which is told how much "
                "work to do and knows no material");
  position.quality.reset();
  position.iterations =
      1;  // a sweep in a step of its own serves better than one more in a step [Macklin 2019]
  return other;
}

// How far each settings' centre of mass is from that of the one with most substeps that came through.
void compare_falls(Tuning& tuning) {
  const TunedSettings* finest = nullptr;
  for (const TunedSettings& one : tuning.settings)
    if (!one.diverged && (!finest || one.position.steps() > finest->position.steps())) finest = &one;
  if (!finest) return;
  for (TunedSettings& one : tuning.settings) {
    const size_t common = std::min({one.centres.size(), finest->centres.size(), size_t{kGateFrames}});
    for (size_t f = 0; f < common; ++f)
      one.astray = std::max(one.astray, (one.centres[f] - finest->centres[f]).norm() / tuning.size);
  }
}

void advise(Tuning& tuning) {
  for (size_t q = 0; q < EnumNames<PositionQuality>::names.size(); ++q) {
    Advice advice{PositionQuality{static_cast<int>(q)}, {}};
    for (size_t k = 0; k < tuning.settings.size(); ++k) {
      const TunedSettings& one = tuning.settings[k];
      if (one.diverged || one.strain_p99 > allowed_strain(advice.quality) || one.astray > kMostAstray)
        continue;
      if (!advice.settings || one.ms < tuning.settings[*advice.settings].ms) advice.settings = k;
    }
    tuning.advice.push_back(advice);
  }
}

/// Runs one path, with more and more substeps until the best quality is reached.
class Climb {
 public:
  Climb(const TuneWatcher& watcher, Tuning& tuning) : watcher_(watcher), tuning_(tuning) {}

  void run(Scene scene, PositionPath path, bool coarse) {
    PositionSettings& position = scene.solver.position;
    position.path = path;
    position.coarse = coarse;
    if (tuning_.interrupted || (path != PositionPath::general && !takes(scene))) return;
    const double best = allowed_strain(PositionQuality::strain_half);
    const auto substeps =
        path == PositionPath::general ? std::span<const int>(kOfGeneral) : std::span<const int>(kOfFastPaths);
    for (const int count : substeps) {
      position.substeps = count;
      if (watcher_.began) watcher_.began(position);
      std::optional<TunedSettings> result = judge(scene, tuning_.frames, watcher_);
      tuning_.interrupted = !result;
      if (!result) return;
      tuning_.settings.push_back(std::move(*result));
      if (!tuning_.settings.back().diverged && tuning_.settings.back().strain_p99 < best) return;
    }
  }

 private:
  const TuneWatcher& watcher_;
  Tuning& tuning_;
};

Json encode(const TunedSettings& one) {
  return {{"path", name_of(*one.position.path)},
          {"substeps", one.position.steps()},
          {"iterations", one.position.iterations},
          {"coarse", one.position.coarse},
          {"diverged", one.diverged},
          {"ms", one.ms},
          {"strain_p50", one.strain_p50},
          {"strain_p99", one.strain_p99},
          {"strain_max", one.strain_max},
          {"energy", one.energy},
          {"height", one.height},
          {"astray", one.astray},
          {"step_error", one.step_error ? Json(*one.step_error) : Json()}};
}

}  // namespace

Tuning tune(const Scene& scene, int frames, const TuneWatcher& watcher) {
  const Scene own = by_position(scene);
  Tuning tuning;
  {
    const Simulation simulation(own);
    const Points& places = simulation.state().positions;
    tuning.vertices = simulation.model().vertex_count();
    tuning.size = (places.rowwise().maxCoeff() - places.rowwise().minCoeff()).maxCoeff();
  }
  tuning.frames = frames;
  Climb climb(watcher, tuning);
  for (size_t k = 0; k < EnumNames<PositionPath>::names.size(); ++k) {
    const PositionPath path{static_cast<int>(k)};
    climb.run(own, path, false);
    if (path != PositionPath::general) climb.run(own, path, true);
  }
  compare_falls(tuning);
  advise(tuning);
  return tuning;
}

std::string tuning_json(const Tuning& tuning) {
  Json json{{"frames", tuning.frames}, {"vertices", tuning.vertices}, {"settings", Json::array()}};
  for (const TunedSettings& one : tuning.settings) json["settings"].push_back(encode(one));
  json["advice"] = Json::object();
  for (const Advice& advice : tuning.advice)
    json["advice"][std::string(name_of(advice.quality))] =
        advice.settings ? encode(tuning.settings[*advice.settings]) : Json();
  return json.dump(2) + "\n";
}

}  // namespace muslin
