#include "muslin/solver/position/fast_path.h"

#include <fmt/format.h>

#include "muslin/core/maths.h"
#include "muslin/solver/position/step_kernels.h"
#include "muslin/solver/step.h"

namespace muslin {

namespace {

std::string obstacle_in(const PositionSettings& settings, const Controls& controls) {
  if (settings.method != PositionMethod::xpbd) return "the method is pbd";
  if (settings.iterations != 1) return fmt::format("iterations is {}, not 1", settings.iterations);
  if (controls.pulls.size() > 0) return "a hand pulls";
  for (const PinnedVertex& pin : controls.pins)
    if (pin.fixed != Vec3::Ones()) return "a pin holds some axes and not others";
  return "";
}

// y = x + h (v + h a)
void predict(const Model& model, const Controls& controls, const State& from, double h, double loss,
             Points& y) {
  const double kept = (1 - loss) * maths::exp(-model.damping * h);
  if (blows(controls.wind) || controls.force.cols() > 0) {
    y = from.positions + h * (kept * from.velocities + h * external_acceleration(model, controls, from, h));
    return;
  }
  y.resize(3, from.positions.cols());
  const Vec3 fall = (h * h) * controls.gravity;
  chosen_step_kernels().predict(from.positions.data(), from.velocities.data(), h * kept, fall.data(),
                                static_cast<int>(y.cols()), y.data());
}

// v = (y − x) / h; whether all of it is finite, which it is where x and y are and nowhere else.
bool carry_velocity(const Points& x, const Points& y, double h, Points& v) {
  v.resize(3, y.cols());
  return chosen_step_kernels().carry(x.data(), y.data(), 1 / h, static_cast<int>(y.cols()), v.data()) == 0;
}

}  // namespace

const std::string& FastPath::obstacle(const Model& model, const Controls& controls) {
  if (looked_) return obstacle_;
  looked_ = true;
  obstacle_ = obstacle_in(settings_, controls);
  if (obstacle_.empty()) obstacle_ = find_obstacle(model);
  return obstacle_;
}

void FastPath::forget() {
  looked_ = false;
  step_ = 0;
  response_.forget();
}

StepReport FastPath::advance(const State& from, const Model& model, const Input& input, State& state,
                             double h) {
  StepReport report;
  report.path = name();
  if (step_ != h) prepare(model, *input.controls, h);
  step_ = h;

  // 1. Predict
  predict(model, *input.controls, from, h, settings_.velocity_loss, next_);
  apply_pins(input, next_);

  // 2. Project
  {
    const Timer timer(report.solve_ms);
    report.last_move = project(from.positions, next_, input.measures_balance);
    report.iterations = 1;
  }

  // 3. Contact
  const bool meets = !model.colliders.empty() || model.self_distance > 0;
  if (meets) response_.resolve(model, input, state.positions, h, next_, report);

  // 4. Positions carry the velocity
  if (!carry_velocity(from.positions, next_, h, state.velocities)) report.status = Status::diverged;
  state.positions.swap(next_);
  if (!model.colliders.empty())
    report.min_gap = least_gap(model, input, response_.memory().probes, state.positions);
  return report;
}

}  // namespace muslin
