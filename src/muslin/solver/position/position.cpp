#include <memory>

#include "muslin/solver/objective.h"
#include "muslin/solver/position/contact_response.h"
#include "muslin/solver/position/limits.h"
#include "muslin/solver/position/paths.h"
#include "muslin/solver/position/quality.h"
#include "muslin/solver/projection.h"
#include "muslin/solver/solver.h"
#include "muslin/solver/step.h"

namespace muslin {

namespace {

// How far a step of implicit Euler is from the minimum of its incremental potential.
void measure_balance(const Objective& objective, const Points& positions, StepReport& report) {
  Scratch scratch;
  Points gradient;
  objective.gradient(positions, scratch, gradient);
  report.residual = root_mean_square(gradient);
  report.lost_gravity = lost_gravity(objective.model(), objective.controls(), gradient);
}

// The part of BDF2 in a step of "bdf2"; the rest is Euler's. BDF2 alone sheds nothing of what few substeps
// leave unsolved: sheets with nets tore in two and three substeps (at 0.5 and 0.9 they did not). 0.8 loses a
// fifth to a third of what Euler loses of a swing of `hang` (docs/performance/study.md).
constexpr double kBdf2 = 0.8;

class Position final : public Solver {
 public:
  explicit Position(const PositionSettings& settings)
      : settings_(settings), fast_paths_(fast_paths(settings)), response_(settings.contact) {}

  int substeps(const Model&, const Controls&, double) const override { return settings_.steps(); }

  std::string limits(const Model& model, double frame_time) const override {
    return position_limits(settings_, model, frame_time);
  }

  StepReport advance(const Model& model, const Input& input, State& state, double h) override {
    if (settings_.integrator == Integrator::euler) {
      state.history = {};
      return input.measures_balance ? advance_from(State(state), model, input, state, h)
                                    : advance_from(state, model, input, state, h);
    }
    const bool is_first = state.history.positions.cols() == 0;
    EulerStart start = is_first ? EulerStart{state, h} : euler_start(state, h, kBdf2);
    start.from.time = state.time;  // of gusts
    state.history = {state.positions, state.velocities};
    const StepReport report = advance_from(start.from, model, input, state, start.h);
    if (report.contacts > 0) {  // an impact lasts one step, and two steps back would throw cloth back
      state.velocities = (state.positions - state.history.positions) / h;
      state.history = {};
    }
    return report;
  }

  void forget() override {
    response_.forget();
    for (const std::unique_ptr<FastPath>& path : fast_paths_) path->forget();
  }

 private:
  // A step of Euler from positions and velocities that need not be the state's, whose positions are where
  // contact finds the cloth. `from` may be the state itself.
  StepReport advance_from(const State& from, const Model& model, const Input& input, State& state, double h) {
    StepReport report = advance_unmeasured(from, model, input, state, h);
    if (input.measures_balance && report.contacts == 0)
      measure_balance(incremental_potential(model, *input.controls, from, h, settings_.velocity_loss),
                      state.positions, report);
    return report;
  }

  StepReport advance_unmeasured(const State& from, const Model& model, const Input& input, State& state,
                                double h) {
    FastPath* fast = first_without_obstacle(fast_paths_, model, *input.controls);
    if (!fast) return advance_generally(from, model, input, state, h);
    show(state.positions);
    const StepReport report = fast->advance(from, model, input, state, h);
    show(state.positions);
    return report;
  }

  StepReport advance_generally(const State& from, const Model& model, const Input& input, State& state,
                               double h) {
    const Controls& controls = *input.controls;
    StepReport report;
    report.path = PositionPath::general;

    // 1. Predict
    const Points start = state.positions;
    Points x = from.positions + h * predicted_velocities(model, from.velocities,
                                                         external_acceleration(model, controls, from, h), h,
                                                         settings_.velocity_loss);
    apply_pins(input, x);

    // 2. Project the constraints
    {
      const Timer timer(report.solve_ms);
      for (auto& multipliers : multipliers_) multipliers.assign(multipliers.size(), 0);
      const bool pulled = controls.pulls.size() > 0;  // which is no rigid constraint in pbd, either
      const Energies& energies = settings_.method == PositionMethod::xpbd || pulled
                                     ? energies_of_step(model, controls, from.positions, h, energies_)
                                     : model.energies;
      Points before = x;
      show(x);
      for (int k = 0; k < settings_.iterations && !input.is_over(); ++k) {
        if (k + 1 == settings_.iterations) before = x;
        project_all(model, controls, energies, h, x);
        show(x);
      }
      report.last_move = std::sqrt((x - before).colwise().squaredNorm().maxCoeff());
      report.iterations = settings_.iterations;
    }

    // 3. Contact
    response_.resolve(model, input, start, h, x, report);

    // 4. Positions carry the velocity
    finish_step(model, input, x, (x - from.positions) / h, response_.memory(), state, report);
    return report;
  }

  void project_all(const Model& model, const Controls& controls, const Energies& energies, double h,
                   Points& x) {
    if (settings_.method == PositionMethod::xpbd) {
      auto multipliers = multipliers_.begin();
      energies.each(
          [&](const auto& energy) { project_compliant(controls, energy, 1 / (h * h), *multipliers++, x); });
      return;
    }
    if (settings_.sweep == Sweep::jacobi) {
      average_lengths(model, controls, x);
    } else {
      visit(model.energies.springs,
            [&](int s) { project_length(model, controls, s, kRigid, settings_.split, x); });
      project_compliant(controls, model.energies.baraff_witkin, 0, multipliers_.front(), x);
    }
    project_compliant(controls, energies.pulls, 1 / (h * h), multipliers_.back(), x);
  }

  // Calls project(e) for every element: colour by colour, or in the model's order.
  template <Energy E, class Project>
  void visit(const E& energy, const Project& project) const {
    if (settings_.sweep == Sweep::natural) {
      for (int e = 0; e < energy.size(); ++e) project(e);
      return;
    }
    for (const std::vector<int>& group : energy.elements().colouring.groups)
      parallel_for(static_cast<int>(group.size()), [&](int k) { project(group[k]); });
    for (const int e : energy.elements().colouring.rest) project(e);
  }

  // One Gauss–Seidel sweep of Δλ = −(C + α̃λ) / (Σ w|∇C|² + α̃), Δx = w ∇C Δλ, α̃ = compliance/h². [Macklin
  // 2016, eq. 18] With inverse_h2 = 0 conditions are rigid.
  template <Energy E>
  void project_compliant(const Controls& controls, const E& energy, double inverse_h2,
                         std::vector<double>& multipliers, Points& x) {
    multipliers.resize(energy.size() * E::kConditions);
    visit(energy, [&](int e) {
      for (int c = 0; c < E::kConditions; ++c)
        project_condition(controls, energy, e, c, inverse_h2, multipliers[E::kConditions * e + c], x);
    });
  }

  template <Energy E>
  void project_condition(const Controls& controls, const E& energy, int e, int c, double inverse_h2,
                         double& multiplier, Points& x) const {
    const Stencil<E::kSize>& stencil = energy.vertices(e);
    Local<E::kSize> direction;
    const double constraint = energy[e].condition(c, gather(x, stencil), direction);
    if constexpr (E::kSize > 3) merge_repeated<E::kSize>(stencil, direction);
    const double compliance = inverse_h2 > 0 ? energy[e].compliance(c) * inverse_h2 : 0;
    Local<E::kSize> weighted;  // w ∇C, zero on held axes
    double denominator = compliance;
    for (int k = 0; k < E::kSize; ++k) {
      weighted.col(k) = direction.col(k).cwiseProduct(controls.inverse_mass.col(stencil[k]));
      denominator += weighted.col(k).dot(direction.col(k));
    }
    if (!(denominator > 0) || !std::isfinite(denominator)) return;  // all held, flat, or without stiffness
    const double step = -(constraint + compliance * multiplier) / denominator;
    multiplier += step;
    for (int k = 0; k < E::kSize; ++k) x.col(stencil[k]) += step * weighted.col(k);
  }

  // A vertex that a stencil names twice moves by the sum of both slots' directions.
  template <int N>
  static void merge_repeated(const Stencil<N>& stencil, Local<N>& direction) {
    for (int k = 1; k < N; ++k)
      for (int j = 0; j < k; ++j)
        if (stencil[j] == stencil[k]) {
          direction.col(j) += direction.col(k);
          direction.col(k).setZero();
          break;
        }
  }

  // One Jacobi pass: every vertex goes to the mean of where its springs want it and of its own place, which
  // counts `blend` times (GAMES103).
  void average_lengths(const Model& model, const Controls& controls, Points& x) {
    const SpringEnergy& springs = model.energies.springs;
    const Points old = x;
    parallel_for(model.vertex_count(), [&](int v) {
      const Incidence& rows = springs.elements().incidence;
      Vec3 sum = settings_.blend * old.col(v);
      double count = settings_.blend;
      for (int r = rows.begin[v]; r < rows.begin[v + 1]; ++r) {
        const int s = rows.item[r];
        Local<2> direction;
        const double stretch = springs[s].condition(0, gather(old, springs.vertices(s)), direction);
        const SpringWeights weights = spring_weights(controls, springs.vertices(s), settings_.split);
        const Vec3& weight = rows.slot[r] == 0 ? weights.first : weights.second;
        sum += old.col(v) - stretch * weight.cwiseProduct(direction.col(rows.slot[r]));
        count += 1;
      }
      if (count > 0) x.col(v) = sum / count;
      const Vec3 free = controls.free.col(v);
      x.col(v) = free.cwiseProduct(x.col(v)) + (Vec3::Ones() - free).cwiseProduct(old.col(v));
    });
  }

  PositionSettings settings_;
  const FastPaths fast_paths_;
  std::array<std::vector<double>, kEnergyCount> multipliers_;  // one a condition, zero at the start of a step
  Energies energies_;                                          // of a step that is damped or pulled
  ContactResponse response_;
};

Support position_support(const SolverSettings& settings, std::string_view energy) {
  const PositionSettings& position = settings.position;
  if (position.method == PositionMethod::xpbd || energy == SpringEnergy::kName ||
      energy == AnchorEnergy::kName)
    return {};
  if (energy == BendingEnergy::kName) return {Support::left_out, "position/method", "pbd"};
  if (energy != BaraffWitkinEnergy::kName) return {Support::refused, "position/method", "pbd"};
  if (position.sweep == Sweep::jacobi) return {Support::refused, "position/sweep", "jacobi"};
  return {};
}

void choose(SolverSettings& settings, PositionMethod method) {
  settings.family = "position";
  settings.position.method = method;
  if (method == PositionMethod::pbd) settings.position.quality.reset();  // which it has no rule for
  if (method == PositionMethod::xpbd && settings.position.sweep == Sweep::jacobi)
    settings.position.sweep = Sweep::gauss_seidel;  // averages serve PBD alone
}

}  // namespace

SolverEntry position_family() {
  return {.summary = "PBD (Jacobi or Gauss-Seidel) and XPBD with small steps and the material's compliance",
          .make = [](const SolverSettings& settings) -> std::unique_ptr<Solver> {
            return std::make_unique<Position>(settings.position);
          },
          .support = position_support,
          .by_conditions = true,
          .keeps_pairs_apart =
              [](const SolverSettings& s) { return s.position.contact == PositionContact::pairs; },
          .settle = settle_quality,
          .implicit_in_time = false,
          .methods = {{20,
                       "pbd",
                       "PBD",
                       "springs are set back to their rest length, over and over; stiffness plays no part",
                       {"#cf1f9c", "#e858b8", "1.5 2.5"},
                       [](SolverSettings& s) { choose(s, PositionMethod::pbd); }},
                      {30,
                       "xpbd",
                       "XPBD",
                       "PBD that yields as much as the material does",
                       {"#561580", "#a24bff", "10 3 2 3"},
                       [](SolverSettings& s) {
                         choose(s, PositionMethod::xpbd);
                         s.position.path = PositionPath::general;
                       }},
                      {120,
                       "position",
                       "Position",
                       "the position-based family as the scene sets it",
                       {"#9c78fc", "#9c3cc0", "6 2 2 2"},
                       [](SolverSettings& s) { s.family = "position"; }},
                      {140,
                       "line_xpbd",
                       "Line XPBD",
                       "XPBD that solves whole rows and columns of grids at once, where the scene allows it",
                       {"#24010b", "#84af5c", "2 2 8 2"},
                       [](SolverSettings& s) {
                         choose(s, PositionMethod::xpbd);
                         s.position.path = PositionPath::lines;
                         s.position.iterations = 1;
                       }}}};
}

}  // namespace muslin
