#include "muslin/solver/minimiser_step.h"

#include <algorithm>
#include <utility>

namespace muslin {

namespace {

// Of the guess. With all of it, velocities that alternate a little do so more and more; with none, or 0.6,
// hang takes 8 or 13 % more iterations, a skirt that hangs still the same (docs/performance/constants.md).
constexpr double kGuessed = 0.4;

// Of quasi_newton alone: the course's methods, and those that show how they converge, begin with y.
bool guesses(ContactForm contact) { return contact == ContactForm::pairs; }

// y = s + h' u + h'² a, with s, u and h' of euler_start, damping by the air from the extrapolated velocity
Points target_bdf2(const Model& model, const Controls& controls, const State& state, const EulerStart& start,
                   double velocity_loss) {
  const double kept = 1 - velocity_loss;
  return start.from.positions + start.h * kept * start.from.velocities +
         start.h * start.h *
             (external_acceleration(model, controls, state, start.h) -
              model.damping * (2 * state.velocities - state.history.velocities));
}

// Cloth that goes on as it did, faster by a part of what the last step made it faster: what holds it against
// its weight still does. Taken where F is less there.
void guess(const Objective& objective, const Input& input, const State& state, double h, Points& x) {
  const Points& before = state.history.velocities;
  if (before.cols() == 0) return;
  Points other = state.positions + h * (state.velocities + kGuessed * (state.velocities - before));
  apply_pins(input, other);
  if (objective.value(other) < objective.value(x)) x = std::move(other);
}

}  // namespace

// state.positions go to the minimum of F.
StepReport MinimiserStep::advance(const Model& model, const Input& input, State& state, double h) {
  const Controls& controls = *input.controls;
  StepReport report;
  const Points start = state.positions;

  // 1. Where inertia and external forces alone would take the cloth: F's target, and the step it stands for
  const bool two_steps = stepping_.integrator == Integrator::bdf2 && state.history.positions.size() > 0;
  const EulerStart bdf2 = two_steps ? euler_start(state, h, 1) : EulerStart();
  const double step = two_steps ? bdf2.h : h;
  const Points target = two_steps ? target_bdf2(model, controls, state, bdf2, stepping_.velocity_loss)
                                  : predictor(model, controls, state, h, stepping_.velocity_loss);

  // 2. The material's damping pulls towards where the difference of positions makes velocities from
  const Points& before = two_steps ? bdf2.from.positions : start;
  const Energies& energies = energies_of_step(model, controls, before, step, energies_);
  Objective objective(model, controls, energies, target, step);
  ContactEnergy contact(model, input, start, step);
  if (contact_ == ContactForm::energy) objective.add(contact);

  // 3. Minimise F
  Points x = target;
  apply_pins(input, x);
  if (guesses(contact_)) guess(objective, input, state, h, x);
  {
    const Timer timer(report.solve_ms);
    minimise({objective, input, start, step, state.blocked, state.history.starts_with_newton,
              [&](const Points& iterate) { show(iterate); }},
             x, report);
  }
  if (report.parts > 1) return report;

  // 4. Contact that is left, and velocities from positions
  finish_contact(objective, contact, input, start, x, report);
  // An impact lasts one step: velocities of two steps back would throw cloth back that has only stopped.
  const bool touches = report.contacts > 0;
  Points v = (x - (touches ? start : before)) / (touches ? h : step);
  remember(start, touches, state);
  finish_step(model, input, std::move(x), std::move(v), memory_, state, report);
  return report;
}

// What the minimum leaves unbalanced; vertices that are still in colliders or too near each other go out.
void MinimiserStep::finish_contact(const Objective& objective, const ContactEnergy& contact,
                                   const Input& input, const Points& start, Points& x, StepReport& report) {
  const Model& model = objective.model();
  const Controls& controls = objective.controls();
  objective.gradient(x, scratch_, gradient_);
  if (!report.residual) report.residual = root_mean_square(gradient_);
  const bool is_pairs = contact_ == ContactForm::pairs;
  const int contacts = is_pairs ? report.contacts : std::max(report.contacts, contact.contacts(x));
  if (contacts == 0) report.lost_gravity = lost_gravity(model, controls, gradient_);
  if (is_pairs) return;
  resolve_contacts(model, input, start, memory_, x, report);
  report.contacts = std::max(report.contacts, contacts);
}

// What the next step needs of this one: BDF2, unless it begins anew after contact, and a guess.
void MinimiserStep::remember(const Points& start, bool touches, State& state) const {
  const bool is_bdf2 = stepping_.integrator == Integrator::bdf2 && !touches;
  state.history.positions = is_bdf2 ? start : Points(3, 0);
  state.history.velocities = is_bdf2 || guesses(contact_) ? state.velocities : Points(3, 0);
}

}  // namespace muslin
