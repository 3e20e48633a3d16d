#pragma once
#include <functional>
#include <optional>

#include "muslin/model/measure.h"
#include "muslin/solver/objective.h"
#include "muslin/solver/step.h"

namespace muslin {

/// What a minimiser is told of a step.
struct Task {
  const Objective& objective;
  const Input& input;
  const Points& start;                      ///< positions at the beginning of the step, pins not yet moved
  double h;                                 ///< [s]
  Points& blocked;                          ///< State::blocked
  bool& starts_with_newton;                 ///< StepHistory::starts_with_newton
  bool may_be_cut;                          ///< whether a minimiser may ask for StepReport::parts instead
  std::function<void(const Points&)> show;  ///< to be called with every iterate
};

/// How a minimiser meets colliders and cloth.
enum class ContactForm {
  energy,  ///< colliders are a part of F (contact_energy.h); what is left is pushed out at the end of the
           ///< step
  held,    ///< it keeps colliders out itself; what is left is pushed out at the end of the step
  pairs,   ///< it lets nothing through (pair_contact.h), and enters residual and contacts
};

/// A step of all families that minimise the incremental potential; they differ in the Minimiser:
///
///   explicit Minimiser(const Settings&)      Settings derive from Stepping
///   kContact                                 a ContactForm
///   void minimise(const Task&, Points& x, StepReport&)   from x = y with pins on their targets; enters
///                                            iterations, last_move, status, linear_iterations
template <class Minimiser, class Settings>
class MinimiserStep final : public Solver {
 public:
  explicit MinimiserStep(const Settings& settings) : settings_(settings) {}

  int substeps(const Model&, const Controls&, double) const override { return settings_.substeps; }

 protected:
  StepReport advance(const Model& model, const Input& input, State& state, double h) override {
    if (!settings_.adaptive) return minimise(model, input, state, h, false);
    return adapt(model, input, state, h);
  }

  void forget() override { minimiser_.emplace(settings_); }

 private:
  StepReport minimise(const Model& model, const Input& input, State& state, double h, bool may_be_cut) {
    const Controls& controls = *input.controls;
    StepReport report;
    const Points start = state.positions;

    // 1. Where inertia and external forces alone would take the cloth: F's target, and the step it stands for
    const bool two_steps = settings_.integrator == Integrator::bdf2 && state.history.positions.size() > 0;
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
                            may_be_cut, [&](const Points& iterate) { this->show(iterate); }},
                           x, report);
    }
    if (report.parts > 1) return report;
    objective.gradient(x, scratch_, gradient_);
    if (!report.residual) report.residual = root_mean_square(gradient_);

    // 4. Contact that is left
    if constexpr (Minimiser::kContact == ContactForm::pairs) {
      if (report.contacts == 0) report.lost_gravity = lost_gravity(model, controls, gradient_);
    } else {
      const int contacts = std::max(report.contacts, contact.contacts(x));
      if (contacts == 0) report.lost_gravity = lost_gravity(model, controls, gradient_);
      resolve_contacts(model, input, start, x, report);
      report.contacts = std::max(report.contacts, contacts);
    }

    // 5. Velocities from positions
    Points v =
        two_steps ? Points((3 * x - 4 * start + state.history.positions) / (2 * h)) : Points((x - start) / h);
    if (settings_.integrator == Integrator::bdf2) {
      state.history.positions = start;
      state.history.velocities = state.velocities;
    } else {
      state.history.positions.resize(3, 0);
      state.history.velocities.resize(3, 0);
    }
    finish_step(model, input, std::move(x), std::move(v), state, report);
    return report;
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

  // Covers h in parts of h/2^halvings: a part that the minimiser asks to cut is cut, one that stretches too
  // much or does not converge is halved, and after a good part that leaves room for it the next is twice as
  // long [Baraff 1998, §6]. Not so after an impact: friction acts by the forces of the part before, and what
  // was μ m Δv over that part would be twice as much over the next.
  StepReport adapt(const Model& model, const Input& input, State& state, double h) {
    constexpr double kRoom = 0.25;  // of the allowed stretch, for doubling
    StepReport total;
    std::int64_t done = 0;  // in units of the shortest part
    state.history.halvings = std::min(state.history.halvings, settings_.halvings);
    const std::int64_t whole = std::int64_t{1} << settings_.halvings;
    while (done < whole && total.status != Status::diverged && !input.is_over()) {
      const std::int64_t length = whole >> state.history.halvings;
      const State before = state;
      const Input part = part_of(input, before.positions, double(done) / double(whole),
                                 double(done + length) / double(whole));
      const bool may_be_cut = before.history.halvings < settings_.halvings;
      const StepReport report = minimise(model, part, state, h * double(length) / double(whole), may_be_cut);
      const double change = stretch_change(model, before.positions, state.positions);
      const bool good = report.status == Status::ok && change <= settings_.stretch_change;
      const bool is_cut = report.parts > 1;
      if (is_cut || (!good && !report.squeezes && may_be_cut)) {
        const int halvings = is_cut ? static_cast<int>(std::ceil(std::log2(report.parts))) : 1;
        const bool starts_with_newton = state.history.starts_with_newton;
        state = before;
        state.history.starts_with_newton = starts_with_newton;
        state.history.halvings = std::min(settings_.halvings, before.history.halvings + halvings);
        add_work(total, report);
        ++(is_cut ? total.shortened : total.rejections);
        continue;
      }
      accumulate(total, report);
      done += length;
      if (good && change <= kRoom * settings_.stretch_change && state.history.halvings > 0 &&
          !report.struck && done % (2 * length) == 0)
        --state.history.halvings;
    }
    return total;
  }

  Settings settings_;
  std::optional<Minimiser> minimiser_;  // made for the model and the controls of the last step
  Energies energies_;                   // of a step that is damped or pulled
  Scratch scratch_;
  Points gradient_;
};

}  // namespace muslin
