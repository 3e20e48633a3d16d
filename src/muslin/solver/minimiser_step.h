#pragma once
#include <optional>

#include "muslin/model/measure.h"
#include "muslin/solver/step.h"
#include "muslin/solver/step_problem.h"

namespace muslin {

/// A step of all families that minimise the incremental potential; they differ in the Minimiser:
///
///   explicit Minimiser(const Settings&)      Settings derive from Stepping
///   kContact                                 a ContactForm
///   void minimise(const StepProblem&, Points& x, StepReport&)
///                                            from x = y with pins on their targets; enters iterations,
///                                            last_move, status, linear_iterations
template <class Minimiser, class Settings>
class MinimiserStep final : public Solver {
 public:
  explicit MinimiserStep(const Settings& settings) : settings_(settings) {}

  int substeps(const Model&, const Controls&, double) const override { return settings_.substeps; }

 protected:
  const Stepping* stepping() const override { return &settings_; }

  void forget() override { minimiser_.emplace(settings_); }

  // state.positions go to the minimum of F.
  StepReport advance(const Model& model, const Input& input, State& state, double h) override {
    const Controls& controls = *input.controls;
    StepReport report;
    const Points start = state.positions;

    // 1. Where inertia and external forces alone would take the cloth: F's target, and the step it stands for
    const bool two_steps = is_two_step(state);
    const double step = two_steps ? 2 * h / 3 : h;
    const Points target = two_steps ? target_bdf2(model, controls, state, h)
                                    : predictor(model, controls, state, h, settings_.velocity_loss);

    // 2. The material's damping pulls towards where the difference of positions makes velocities from
    const Points before = two_steps ? Points((4 * start - state.history.positions) / 3) : start;
    const Energies& energies = energies_of_step(model, controls, before, step, energies_);
    Objective objective(model, controls, energies, target, step);
    ContactEnergy contact(model, input, start, step);
    if constexpr (Minimiser::kContact == ContactForm::energy) objective.add(contact);

    // 3. Minimise F
    Points x = target;
    apply_pins(input, x);
    {
      const Timer timer(report.solve_ms);
      minimiser_->minimise({objective, input, start, step, state.blocked, state.history.starts_with_newton,
                            [&](const Points& iterate) { this->show(iterate); }},
                           x, report);
    }
    if (report.parts > 1) return report;

    // 4. Contact that is left, and velocities from positions
    finish_contact(objective, contact, input, start, x, report);
    Points v = velocities(two_steps, start, x, h, state);
    remember(start, state);
    finish_step(model, input, std::move(x), std::move(v), state, report);
    return report;
  }

 private:
  bool is_two_step(const State& state) const {
    return settings_.integrator == Integrator::bdf2 && state.history.positions.size() > 0;
  }

  // What the minimum leaves unbalanced; vertices that are still in colliders or too near each other go out.
  void finish_contact(const Objective& objective, const ContactEnergy& contact, const Input& input,
                      const Points& start, Points& x, StepReport& report) {
    const Model& model = objective.model();
    const Controls& controls = objective.controls();
    objective.gradient(x, scratch_, gradient_);
    if (!report.residual) report.residual = root_mean_square(gradient_);
    const bool is_pairs = Minimiser::kContact == ContactForm::pairs;
    const int contacts = is_pairs ? report.contacts : std::max(report.contacts, contact.contacts(x));
    if (contacts == 0) report.lost_gravity = lost_gravity(model, controls, gradient_);
    if (is_pairs) return;
    resolve_contacts(model, input, start, neighbours_, x, report);
    report.contacts = std::max(report.contacts, contacts);
  }

  static Points velocities(bool two_steps, const Points& start, const Points& x, double h,
                           const State& state) {
    return two_steps ? Points((3 * x - 4 * start + state.history.positions) / (2 * h))
                     : Points((x - start) / h);
  }

  // What the next step of BDF2 needs of this one.
  void remember(const Points& start, State& state) const {
    const bool is_bdf2 = settings_.integrator == Integrator::bdf2;
    state.history.positions = is_bdf2 ? start : Points(3, 0);
    state.history.velocities = is_bdf2 ? state.velocities : Points(3, 0);
  }

  // y = (4x_n − x_{n−1})/3 + ⅔h (4v_n − v_{n−1})/3 + (⅔h)² a, damping by the air from the extrapolated
  // velocity
  Points target_bdf2(const Model& model, const Controls& controls, const State& state, double h) const {
    const Points &x = state.positions, &v = state.velocities;
    const Points &x1 = state.history.positions, &v1 = state.history.velocities;
    const double kept = 1 - settings_.velocity_loss;
    return (4 * x - x1) / 3 + (2 * h / 9) * kept * (4 * v - v1) +
           (4 * h * h / 9) *
               (external_acceleration(model, controls, state, h) - model.damping * (2 * v - v1));
  }

  Settings settings_;
  std::optional<Minimiser> minimiser_;  // made for the model and the controls of the last step
  Energies energies_;                   // of a step that is damped or pulled
  Scratch scratch_;
  Points gradient_;
  Neighbours neighbours_;
};

}  // namespace muslin
