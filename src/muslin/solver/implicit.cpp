#include <Eigen/LU>

#include "muslin/solver/families.h"
#include "muslin/solver/objective.h"
#include "muslin/solver/step.h"

namespace muslin {

namespace {

constexpr int kDiagonalLag = 32;           // iterations that share one diagonal [Wang 2016]
constexpr double kStepCutOnRestart = 0.7;  // [Wang 2016]

class Implicit final : public Solver {
 public:
  explicit Implicit(const ImplicitSettings& settings) : settings_(settings) {}

  int substeps(const Model&, double) const override { return settings_.substeps; }

  StepReport step(const Model& model, const Input& input, State& state, double h) override {
    StepReport report;

    // 1. Where inertia and external forces alone would take the cloth
    const Points start = state.positions;
    const Points gravity_shift = h * h * external_acceleration(model, state, h);
    const Points coasting = start + h * damped(model, state.velocities, h, settings_.velocity_loss);
    const Points target = coasting + gravity_shift;
    Points x = settings_.start_with_gravity ? target : coasting;
    apply_pins(model, input, x);

    // 2. Minimise F
    {
      const Timer timer(report.solve_ms);
      const Objective objective(model, target, h);
      descend(model, objective, x, report);
      account_for_residual(model, objective, x, report);
    }

    // 3. Contact
    resolve_contacts(model, input, start, x, report);

    // 4. v = (x_{n+1} − x_n)/h
    state.velocities = (x - start) / h;
    state.positions = x;
    check_finite(state, report);
    return report;
  }

 private:
  // x ← ω(x − α D⁻¹∇F − x_last) + x_last until no vertex moves more than the tolerance. Every few iterations
  // F is looked at: if it rose, the last good iterate comes back, with a shorter step and Chebyshev starting
  // anew.
  void descend(const Model& model, const Objective& objective, Points& x, StepReport& report) {
    Points last = x, good = x, next;
    const double start_value = objective.value(x);
    double good_value = start_value, omega = 1, alpha = 1;
    int since_restart = 0;
    bool converged = settings_.tolerance == 0;
    for (int k = 0; k < settings_.iterations; ++k) {
      objective.gradient(x, scratch_, gradient_);
      if (k == 0) report.residual_start = root_mean_square(gradient_);
      if (k % kDiagonalLag == 0) invert_diagonal(model, objective, x);
      omega = next_omega(omega, since_restart++);
      next = last + omega * (x - last - alpha * scaled(gradient_));
      report.last_move = std::sqrt((next - x).colwise().squaredNorm().maxCoeff());
      last.swap(x);
      x.swap(next);
      report.iterations = k + 1;

      const bool settled = settings_.tolerance > 0 && report.last_move <= settings_.tolerance;
      const bool look = settings_.check_every > 0 &&
                        ((k + 1) % settings_.check_every == 0 || settled || k + 1 == settings_.iterations);
      if (look) {
        const double value = objective.value(x);
        if (!(value <= start_value)) {
          x = last = good;
          alpha *= kStepCutOnRestart;
          omega = 1;
          since_restart = 0;
          ++report.restarts;
          continue;
        }
        if (value <= good_value) good = x, good_value = value;
      }
      if (settled) {
        converged = true;
        break;
      }
    }
    if (!converged) report.status = Status::not_converged;
  }

  double next_omega(double omega, int since_restart) const {
    if (settings_.acceleration == Acceleration::none || since_restart < settings_.delay) return 1;
    const double rho2 = settings_.rho * settings_.rho;
    return since_restart == settings_.delay ? 2 / (2 - rho2) : 4 / (4 - rho2 * omega);
  }

  void invert_diagonal(const Model& model, const Objective& objective, const Points& x) {
    if (settings_.direction == Direction::diagonal) {
      inverse_ = objective.diagonal(x);
      parallel_for(model.vertex_count(), [&](int v) { inverse_[v] = inverse_[v].inverse().eval(); });
      return;
    }
    const std::vector<double>& k = model.energies.springs.stiffness;
    const double stiffest = k.empty() ? 0 : *std::max_element(k.begin(), k.end());
    inverse_.resize(model.vertex_count());
    for (int v = 0; v < model.vertex_count(); ++v)
      inverse_[v] = Mat3::Identity() / (objective.inertia(v) + settings_.uniform_factor * stiffest);
  }

  // D⁻¹ g
  Points scaled(const Points& g) const {
    Points result(3, g.cols());
    parallel_for(static_cast<int>(g.cols()), [&](int v) { result.col(v) = inverse_[v] * g.col(v); });
    return result;
  }

  static double root_mean_square(const Points& g) {
    return g.norm() / std::sqrt(static_cast<double>(g.cols()));
  }

  // The force −∇F that is still unbalanced, and its sum along gravity over the weight that is free to fall.
  void account_for_residual(const Model& model, const Objective& objective, const Points& x,
                            StepReport& report) {
    objective.gradient(x, scratch_, gradient_);
    report.residual = root_mean_square(gradient_);
    const double g = model.gravity.norm();
    if (g == 0) return;
    const Vec3 down = model.gravity / g;
    const Vec3 free_mass = model.free * model.mass;
    const double weight = g * free_mass.dot(down.cwiseAbs2());
    if (weight > 0) report.lost_gravity = -gradient_.rowwise().sum().dot(down) / weight;
  }

  ImplicitSettings settings_;
  Scratch scratch_;
  Points gradient_;
  std::vector<Mat3> inverse_;  // D⁻¹ [m/N]
};

}  // namespace

std::unique_ptr<Solver> make_implicit(const SolverSettings& settings) {
  return std::make_unique<Implicit>(settings.implicit);
}

}  // namespace muslin
