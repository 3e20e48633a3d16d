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

// The root mean square of changes over the free axes of the worst cloth. What is touched stands where it is,
// whenever it came there, and does not count.
double worst_change(const Model& model, const Controls& controls, const Points& change,
                    const std::vector<char>& touched) {
  double worst = 0;
  for (const ClothRange& cloth : model.cloths) {
    double sum = 0;
    for (int v = cloth.first_vertex; v < cloth.first_vertex + cloth.vertex_count; ++v)
      if (!touched[v]) sum += change.col(v).cwiseProduct(controls.free.col(v)).squaredNorm();
    worst = std::max(worst, sum / cloth.vertex_count);
  }
  return std::sqrt(worst);
}

}  // namespace

/// One implicit solve: x = from + h (velocity + h a(x)).
struct MinimiserStep::Stage {
  const Points& begin;  ///< places where it begins [m], from which nothing may pass through anything
  double duration;      ///< [s] from there to its end
  Points from;          ///< [m]
  Points velocity;      ///< [m/s]
  Scalars h;            ///< [s] a vertex
  double usual_h;       ///< [s] of vertices that touch nothing
  Points end;           ///< about where it ends [m], for the material's damping
  Points way;           ///< about its motion in usual_h seconds until then [m]
  State there;          ///< about where it ends, for the forces of the air
};

// Steps of sdirk2 in which cloth hits something, and the next after them, are Euler's: friction acts by the
// forces at the beginning of a stage, and knows an impact by its impulse, which stages of two lengths would
// tell it wrongly.
StepReport MinimiserStep::advance(const Model& model, const Input& input, State& state, double h) {
  if (stepping_.integrator != Integrator::sdirk2) return advance_one_stage(model, input, state, h);
  StepReport tried;
  if (state.history.struck == 0) {
    const State before = state;
    tried = advance_two_stages(model, input, state, h);
    if (!tried.struck || tried.parts > 1 || input.is_over()) return tried;
    state = before;
  }
  StepReport report = advance_one_stage(model, input, state, h);
  add_work(report, tried);
  return report;
}

// The singly diagonally implicit method of two stages and second order [Alexander 1977], γ = 1 − 1/√2:
//   x₁ = x₀ + γh v₁,                v₁ = v₀ + γh a₁
//   x₂ = x₀ + (1−γ)h v₁ + γh v₂,    v₂ = v₀ + (1−γ)h a₁ + γh a₂
// What the first stage touches takes two steps of backward Euler instead, of γh and (1−γ)h: the force of an
// impact acts once, and must not throw back in the second stage what it stopped in the first. The air's
// damping is an integrating factor. The forces of the air are those of an extrapolated state.
StepReport MinimiserStep::advance_two_stages(const Model& model, const Input& input, State& state, double h) {
  constexpr double kGamma = 0.29289321881345247560;
  const double first = kGamma * h, second = (1 - kGamma) * h;
  const int count = model.vertex_count();
  const Points x0 = state.positions, v0 = (1 - stepping_.velocity_loss) * state.velocities;
  const Points& remembered = state.history.accelerations;
  const Points a0 = remembered.cols() > 0 ? remembered : Points(Points::Zero(3, count));

  // 1. To γh
  const double kept = maths::exp(-model.damping * first);
  const Points way = first * kept * v0;
  Stage stage{x0, first, x0, kept * v0, Scalars::Constant(count, first), first, x0 + way, way, {}};
  stage.there.positions = x0 + first * v0;
  stage.there.velocities = v0 + first * a0;
  stage.there.time = state.time + first;
  Points x1 = x0 + first * (v0 + kGuessed * first * a0);
  StepReport report = solve_stage(model, part_of(input, x0, 0, kGamma), stage, state, x1);
  if (report.parts > 1 || input.is_over()) return report;
  const Points v1 = (x1 - x0) / first, a1 = (v1 - kept * v0) / first;
  std::vector<char> touched = touched_;

  // 2. To h
  const double kept_since = maths::exp(-model.damping * second);
  Points from = x0 + second * v1, velocity = kept * kept_since * v0 + second * kept_since * a1;
  Scalars steps = Scalars::Constant(count, first);
  for (int v = 0; v < count; ++v) {
    if (!touched[v]) continue;
    from.col(v) = x1.col(v);
    velocity.col(v) = kept_since * v1.col(v);
    steps[v] = second;
  }
  Stage next{x1, second, from, velocity, steps, first, x1 + second * v1, first * v1, {}};
  next.there.positions = x0 + h * (v0 + 0.5 * h * a1);
  next.there.velocities = v0 + h * a1;
  next.there.time = state.time + h;
  Points x2 = from;
  for (int v = 0; v < count; ++v)
    x2.col(v) += steps[v] *
                 (touched[v] ? Vec3(velocity.col(v)) : Vec3(velocity.col(v) + kGuessed * first * a1.col(v)));
  const StepReport last = solve_stage(model, part_of(input, x1, kGamma, 1), next, state, x2);
  const bool is_struck = report.struck || last.struck;
  accumulate(report, last);
  report.parts = last.parts;
  report.struck = is_struck;
  if (report.parts > 1) return report;

  // 3. Velocities, of what touches those of its way alone, and the error: of h³ d³x/dt³, 3γ² − 2γ³ − 1/6
  constexpr double kThird = 0.0404401145198802;
  Points v2(3, count), a2(3, count);
  for (int v = 0; v < count; ++v) {
    touched_[v] = touched_[v] || touched[v];
    v2.col(v) =
        touched_[v] ? Vec3((x2.col(v) - x1.col(v)) / second) : Vec3((x2.col(v) - from.col(v)) / first);
    a2.col(v) = touched_[v] ? Vec3(Vec3::Zero()) : Vec3((v2.col(v) - velocity.col(v)) / first);
  }
  report.time_error = kThird / (1 - kGamma) * h * h * worst_change(model, *input.controls, a2 - a1, touched_);
  remember(x0, /*touches=*/false, a2, state);
  finish_step(model, input, std::move(x2), std::move(v2), memory_, state, report);
  return report;
}

// The end of a stage, from a guess x. Where something is in the way that asks for shorter steps, only the
// report is made.
StepReport MinimiserStep::solve_stage(const Model& model, const Input& input, const Stage& stage,
                                      State& state, Points& x) {
  const Controls& controls = *input.controls;
  StepReport report;
  // 1. F
  const Scalars h2 = stage.h.cwiseAbs2();
  Points target = stage.from + stage.velocity * stage.h.asDiagonal() +
                  external_acceleration(model, controls, stage.there, stage.duration) * h2.asDiagonal();
  const Energies& energies =
      energies_of_stage(model, controls, stage.end, stage.way, stage.usual_h, energies_);
  Objective objective(model, controls, energies, std::move(target), model.mass.cwiseQuotient(h2));
  ContactEnergy contact(model, input, stage.begin, stage.duration);
  if (contact_ == ContactForm::energy) objective.add(contact);

  // 2. Its minimum, from the guess or from where nothing but inertia and weight act
  Points inertial = objective.target();
  apply_pins(input, inertial);
  apply_pins(input, x);
  if (objective.value(inertial) <= objective.value(x)) x = std::move(inertial);
  touched_.assign(static_cast<std::size_t>(model.vertex_count()), 0);
  {
    const Timer timer(report.solve_ms);
    minimise({objective, input, stage.begin, stage.usual_h, stage.duration, state.blocked, state.slips,
              state.history.struck, state.history.starts_with_newton, touched_,
              [&](const Points& iterate) { show(iterate); }},
             x, report);
  }
  if (report.parts > 1) return report;

  // 3. Contact that is left
  const Points minimum = x;
  finish_contact(objective, contact, input, stage.begin, x, report);
  mark_touched(contact, minimum, x, report);
  return report;
}

// Of families that do not say themselves what touches.
void MinimiserStep::mark_touched(const ContactEnergy& contact, const Points& before, const Points& x,
                                 const StepReport& report) {
  if (contact_ == ContactForm::pairs || report.contacts == 0) return;
  for (int v = 0; v < x.cols(); ++v)
    if (before.col(v) != x.col(v) || (!contact.empty() && contact.value(v, before.col(v)) > 0))
      touched_[v] = 1;
}

// state.positions go to the minimum of F.
StepReport MinimiserStep::advance_one_stage(const Model& model, const Input& input, State& state, double h) {
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
    touched_.assign(static_cast<std::size_t>(model.vertex_count()), 0);
    minimise({objective, input, start, step, step, state.blocked, state.slips, state.history.struck,
              state.history.starts_with_newton, touched_, [&](const Points& iterate) { show(iterate); }},
             x, report);
  }
  if (report.parts > 1) return report;

  // 4. Contact that is left, and velocities from positions
  finish_contact(objective, contact, input, start, x, report);
  // An impact lasts one step: velocities of two steps back would throw cloth back that has only stopped.
  const bool touches = report.contacts > 0;
  Points v = (x - (touches ? start : before)) / (touches ? h : step);
  state.history.struck = report.struck ? h : 0;
  const Points change = v - state.velocities;
  report.time_error = 0.5 * h * worst_change(model, controls, change, touched_);  // ½ h² a
  remember(start, touches, change / h, state);
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

// What the next step needs of this one: BDF2, unless it begins anew after contact; sdirk2; a guess.
void MinimiserStep::remember(const Points& start, bool touches, const Points& acceleration,
                             State& state) const {
  const bool is_bdf2 = stepping_.integrator == Integrator::bdf2 && !touches;
  const bool is_sdirk2 = stepping_.integrator == Integrator::sdirk2;
  state.history.positions = is_bdf2 ? start : Points(3, 0);
  state.history.velocities = is_bdf2 || (guesses(contact_) && !is_sdirk2) ? state.velocities : Points(3, 0);
  state.history.accelerations = is_sdirk2 ? acceleration : Points(3, 0);
  for (int v = 0; v < state.history.accelerations.cols(); ++v)
    if (touched_[v]) state.history.accelerations.col(v).setZero();
}

}  // namespace muslin
