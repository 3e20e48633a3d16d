#include "muslin/solver/position/lines.h"

#include <fmt/format.h>

#include "muslin/core/maths.h"
#include "muslin/solver/step.h"

namespace muslin {

namespace {

std::string obstacle_in(const PositionSettings& settings, const Model& model, const Controls& controls) {
  if (settings.method != PositionMethod::xpbd) return "the method is pbd";
  if (settings.iterations != 1) return fmt::format("iterations is {}, not 1", settings.iterations);
  if (settings.contact == PositionContact::pairs && model.self_collision.enabled)
    return "contact is of pairs";
  if (controls.pulls.size() > 0) return "a hand pulls";
  for (const PinnedVertex& pin : controls.pins)
    if (pin.fixed != Vec3::Ones()) return "a pin holds some axes and not others";
  return "";
}

// x + h (v + h a)
Points predicted(const Model& model, const Controls& controls, const State& state, double h, double loss) {
  const double kept = (1 - loss) * maths::exp(-model.damping * h);
  if (!blows(controls.wind) && controls.force.cols() == 0)
    return (state.positions + (h * kept) * state.velocities).colwise() + (h * h) * controls.gravity;
  return state.positions +
         h * (kept * state.velocities + h * external_acceleration(model, controls, state, h));
}

}  // namespace

const std::string& LinePath::obstacle(const Model& model, const Controls& controls) {
  if (looked_) return obstacle_;
  looked_ = true;
  obstacle_ = obstacle_in(settings_, model, controls);
  if (obstacle_.empty()) materials_ = line_materials(model);
  if (obstacle_.empty()) obstacle_ = materials_.obstacle;
  return obstacle_;
}

void LinePath::forget() {
  looked_ = false;
  step_ = 0;
}

StepReport LinePath::advance(const Model& model, const Input& input, State& state, double h) {
  StepReport report;
  report.path = PositionPath::lines;
  if (step_ != h) {
    lines_.clear();
    for (const GridMaterial& material : materials_.grids) lines_.emplace_back(material, *input.controls, h);
    step_ = h;
  }

  // 1. Predict
  const Points& start = state.positions;
  Points x = predicted(model, *input.controls, state, h, settings_.velocity_loss);
  apply_pins(input, x);

  // 2. Project the lines
  {
    const Timer timer(report.solve_ms);
    for (GridLines& lines : lines_) report.last_move = std::max(report.last_move, lines.project(start, x));
    report.iterations = 1;
  }

  // 3. Contact
  resolve_contacts(model, input, start, x, report);

  // 4. Positions carry the velocity
  Points velocities = (x - start) / h;
  finish_step(model, input, std::move(x), std::move(velocities), state, report);
  return report;
}

}  // namespace muslin
