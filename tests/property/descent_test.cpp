#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include "muslin/core/revision.h"
#include "muslin/energy/vertex.h"
#include "muslin/solver/objective.h"
#include "property/methods.h"

// Block descent and projective dynamics against a dense Newton method that shares nothing with them but the
// mathematics of one element.

namespace muslin {
namespace {

// --- the dense minimiser ---------------------------------------------------------------------------

/// F, its gradient and its Hessian over all 3n numbers, held ones left out of neither.
struct Dense {
  double value = 0;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd exact, projected;

  Dense(const Model& model, const Points& target, double h, const Points& x) {
    const int n = 3 * model.vertex_count();
    gradient.setZero(n);
    exact.setZero(n, n);
    for (int v = 0; v < model.vertex_count(); ++v) {
      const double inertia = model.mass[v] / (h * h);
      const Vec3 away = (x.col(v) - target.col(v)).cwiseProduct(model.script.free.col(v));
      value += 0.5 * inertia * away.squaredNorm();
      gradient.segment<3>(3 * v) = inertia * away;
      exact.block<3, 3>(3 * v, 3 * v) = inertia * Mat3::Identity();
    }
    projected = exact;
    model.energies.each([&](const auto& energy) {
      for (int e = 0; e < energy.size(); ++e) add(energy, e, gather(x, energy.vertices(e)));
    });
  }

 private:
  template <class E, class Positions>
  void add(const E& energy, int e, const Positions& at) {
    const auto& stencil = energy.vertices(e);
    const auto g = energy[e].gradient(at);
    const auto h = energy[e].hessian(at), psd = energy[e].hessian_psd(at);
    value += energy[e].value(at);
    for (int i = 0; i < E::kSize; ++i) {
      gradient.segment<3>(3 * stencil[i]) += g.col(i);
      for (int j = 0; j < E::kSize; ++j) {
        exact.block<3, 3>(3 * stencil[i], 3 * stencil[j]) += h.template block<3, 3>(3 * i, 3 * j);
        projected.block<3, 3>(3 * stencil[i], 3 * stencil[j]) += psd.template block<3, 3>(3 * i, 3 * j);
      }
    }
  }
};

/// The minimum of F that Newton's method finds from x, with exact second derivatives where they make a
/// positive definite matrix.
Points dense_minimum(const Model& model, const Points& target, double h, Points x) {
  const Eigen::VectorXd free = model.script.free.reshaped();
  for (int k = 0; k < 500; ++k) {
    Dense f(model, target, h, x);
    Eigen::VectorXd step;
    for (Eigen::MatrixXd* hessian : {&f.exact, &f.projected}) {
      *hessian = free.asDiagonal() * *hessian * free.asDiagonal();
      hessian->diagonal() += (1 - free.array()).matrix();
      const Eigen::LLT<Eigen::MatrixXd> llt(*hessian);
      if (llt.info() != Eigen::Success) continue;
      step = -llt.solve(free.cwiseProduct(f.gradient));
      break;
    }
    if (step.cwiseAbs().maxCoeff() < 1e-13) return x;
    double length = 1;
    const auto trial = [&] {
      return Points(x + length * Eigen::Map<const Points>(step.data(), 3, x.cols()));
    };
    while (length > 1e-4 && Dense(model, target, h, trial()).value > f.value * (1 + 1e-12)) length /= 2;
    x = trial();
  }
  ADD_FAILURE() << "the dense method does not converge";
  return x;
}

// --- the scenes ------------------------------------------------------------------------------------

/// A step that somebody is about to make.
struct Situation {
  Model model;
  State state;
  double h;
  Input input() const { return scripted_input(model, state.time, state.time + h); }
  Points target() const { return incremental_potential(model, model.script, state, h).target(); }
  Points minimum() const {
    Points x = target();
    apply_pins(input(), x);
    return dense_minimum(model, target(), h, x);
  }
};

/// A sheet with bending, held at a corner and on two rails, that has swung and been stirred.
Situation swinging() {
  Scene scene = sheet(family("position"));
  scene.cloths[0].pins = {pin_at({{0, 0}}), pin_at({{-1, 0}}, "y"), pin_at({{-1, -1}}, "xz")};
  Simulation simulation(scene);
  run(simulation, 12);
  return {simulation.model(), stirred(simulation, 0.5), 1.0 / 60};
}

/// A free sheet that turns by half a right angle in the step, and is much stiffer.
Situation turning() {
  Scene scene = sheet(family("position"), {7, 6});
  scene.cloths[0].fabric.warp = scene.cloths[0].fabric.weft = 3000;
  scene.cloths[0].fabric.shear = 900;
  Simulation simulation(scene);
  State state = stirred(simulation, 0.05);
  for (int v = 0; v < state.positions.cols(); ++v)
    state.velocities.col(v) += Vec3(10, 40, -20).cross(Vec3(state.positions.col(v)));
  return {simulation.model(), state, 1.0 / 60};
}

/// Methods that must find the minimum, settled to `tolerance`.
std::vector<TestedMethod> converged_methods(double tolerance) {
  std::vector<TestedMethod> methods = minimising_methods();
  for (TestedMethod& method : methods) settle(method.settings, tolerance, 200000);
  return methods;
}

// --- the same minimum ------------------------------------------------------------------------------

TEST(Minimisers, AgreeWithADenseNewtonMethod) {
  for (const Situation& situation : {swinging(), turning()}) {
    const Points expected = situation.minimum();
    EXPECT_GT((expected - situation.target()).norm(), 1e-3) << "there is nothing to solve";
    for (const TestedMethod& method : converged_methods(1e-11)) {
      State state = situation.state;
      const StepReport report =
          make_solver(method.settings)->step(situation.model, situation.input(), state, situation.h);
      EXPECT_EQ(report.status, Status::ok) << method.name;
      EXPECT_LT((state.positions - expected).colwise().norm().maxCoeff(), 1e-8) << method.name;
    }
  }
}

TEST(Minimisers, StopWhereTheyPromise) {
  const Situation situation = swinging();
  const Points expected = situation.minimum();
  for (const double tolerance : {1e-4, 1e-6})
    for (const TestedMethod& method : converged_methods(tolerance)) {
      State state = situation.state;
      const StepReport report =
          make_solver(method.settings)->step(situation.model, situation.input(), state, situation.h);
      EXPECT_EQ(report.status, Status::ok) << method.name;
      EXPECT_LT((state.positions - expected).colwise().norm().maxCoeff(), 2 * tolerance) << method.name;
    }
}

/// A sheet that lies on a ball, held by friction: all methods press and stick alike.
TEST(Minimisers, AgreeInContact) {
  Scene scene = sheet(family("implicit"));
  Collider ball;
  ball.center = {0.05, -0.21, 0};
  ball.radius = 0.2;
  ball.friction = 0.3;
  scene.colliders = {ball};
  Simulation simulation(scene);
  run(simulation, 15);
  const double h = 1.0 / 120;
  const Input input = scripted_input(simulation.model(), 0, h);
  Points expected;
  for (const TestedMethod& method : converged_methods(1e-10)) {
    if (method.settings.family == "implicit") continue;      // its colliders are walls, not energies
    if (method.settings.family == "quasi_newton") continue;  // its contact is of triangles, not of vertices
    if (method.name == "block_descent_none") continue;  // circles between sticking and sliding, and says so
    State state = simulation.state();
    const StepReport report = make_solver(method.settings)->step(simulation.model(), input, state, h);
    EXPECT_EQ(report.status, Status::ok) << method.name;
    EXPECT_GT(report.contacts, 3) << method.name;
    if (expected.size() == 0) expected = state.positions;
    EXPECT_LT((state.positions - expected).colwise().norm().maxCoeff(), 1e-8) << method.name;
  }
}

// --- the way there ---------------------------------------------------------------------------------

/// (F(x_k) − F*) / (F(x_0) − F*) for all iterates of a method.
std::vector<double> energy_gaps(const Situation& situation, const SolverSettings& settings) {
  const Objective f(situation.model, situation.model.script, situation.model.energies, situation.target(),
                    situation.h);
  const double least = f.value(situation.minimum());
  std::vector<double> gaps;
  const auto solver = make_solver(settings);
  solver->watch([&](const Points& x) { gaps.push_back(f.value(x) - least); });
  State state = situation.state;
  solver->step(situation.model, situation.input(), state, situation.h);
  for (size_t k = gaps.size(); k-- > 0;) gaps[k] /= gaps[0];
  return gaps;
}

TEST(Projective, ComesCloserWithEveryIteration) {
  for (const Situation& situation : {swinging(), turning()}) {
    std::vector<std::vector<double>> gaps;
    for (const int history : {0, 5}) {
      SolverSettings settings = family("projective");
      settings.projective.history = history;
      settings.projective.iterations = 60;
      settings.projective.tolerance = 0;
      gaps.push_back(energy_gaps(situation, settings));
      ASSERT_GT(gaps.back().size(), 25u);
      for (size_t k = 1; k < gaps.back().size(); ++k)
        EXPECT_LE(gaps.back()[k], gaps.back()[k - 1] + 1e-12) << "iteration " << k;
      EXPECT_LT(gaps.back()[1], 0.3) << "the first iteration does most";
      EXPECT_LT(gaps.back()[10], 0.1);
    }
    EXPECT_LT(gaps[1][25], 0.1 * gaps[0][25]) << "L-BFGS learns";
  }
}

TEST(BlockDescent, DescendsWithEverySweep) {
  for (const Situation& situation : {swinging(), turning()}) {
    SolverSettings settings = family("block_descent");
    settings.block_descent.iterations = 80;
    settings.block_descent.tolerance = 0;
    settings.block_descent.acceleration = Acceleration::none;
    const std::vector<double> gaps = energy_gaps(situation, settings);
    ASSERT_EQ(gaps.size(), 81u);
    for (size_t k = 1; k < gaps.size(); ++k) EXPECT_LE(gaps[k], gaps[k - 1] + 1e-12) << "sweep " << k;
  }
}

TEST(BlockDescent, NeedsFewerSweepsWithChebyshevWhereItIsSlow) {
  Scene scene = sheet(family("position"), {15, 12});
  scene.cloths[0].fabric.warp = scene.cloths[0].fabric.weft = 2e4;
  scene.cloths[0].fabric.shear = 6e3;
  scene.cloths[0].pins = {pin_at({{0, 0}})};
  Simulation simulation(scene);
  run(simulation, 12);
  const Situation situation{simulation.model(), stirred(simulation, 0.1), 1.0 / 60};
  SolverSettings settings = family("block_descent");
  settings.block_descent.iterations = 300;
  settings.block_descent.tolerance = 0;
  const std::vector<double> accelerated = energy_gaps(situation, settings);
  ASSERT_EQ(accelerated.size(), 151u) << "sweeps come in pairs";
  settings.block_descent.acceleration = Acceleration::none;
  const std::vector<double> plain = energy_gaps(situation, settings);
  EXPECT_LT(accelerated.back(), 0.5 * plain.back());
}

TEST(BlockDescent, MendsARhoThatIsTooLarge) {
  SolverSettings settings = family("block_descent");
  settings.block_descent.rho = 0.99999;
  settings.block_descent.tolerance = 0;
  for (const int iterations : {20, 40, 200}) {
    settings.block_descent.iterations = iterations;
    EXPECT_LE(energy_gaps(turning(), settings).back(), 1) << iterations;
  }
}

// --- what is kept between steps --------------------------------------------------------------------

TEST(Minimisers, DoNotMixUpModelsOrSteps) {
  // One solver for all, against a new one for each: the same stencils with other stiffness, other stencils
  // with as many vertices, other pins, another step.
  Situation plain = swinging(), stiff = plain, free = plain, other = turning(), quick = plain;
  for (double& stiffness : stiff.model.energies.springs.stiffness) stiffness *= 2;
  free.model.script.set_pins({}, free.model.mass);
  quick.h /= 2;
  Situation mirrored = plain;
  SpringEnergy& springs = mirrored.model.energies.springs;
  const int n = mirrored.model.vertex_count();
  for (auto& spring : springs.edit().vertices) spring = {n - 1 - spring[0], n - 1 - spring[1]};
  springs.connect(n);
  stiff.model.revision = next_revision();
  mirrored.model.revision = next_revision();
  for (const TestedMethod& method : minimising_methods()) {
    const auto shared = make_solver(method.settings);
    int number = 0;
    for (const Situation* situation : {&plain, &stiff, &plain, &free, &other, &mirrored, &quick}) {
      State first = situation->state, second = situation->state;
      shared->step(situation->model, situation->input(), first, situation->h);
      make_solver(method.settings)->step(situation->model, situation->input(), second, situation->h);
      EXPECT_EQ(hash(first), hash(second)) << method.name << ", step " << number;
      ++number;
    }
  }
}

// --- energy ----------------------------------------------------------------------------------------

TEST(Minimisers, NeverGiveAFreeClothEnergy) {
  for (const TestedMethod& method : converged_methods(1e-9)) {
    Scene scene = sheet(method.settings);
    scene.gravity.setZero();
    Simulation simulation(scene);
    simulation.restore(stirred(simulation, 1), 0);
    FrameReport report = simulation.report();
    const double start = report.kinetic_energy + report.elastic_energy;
    double last = start;
    for (int frame = 0; frame < 30; ++frame) {
      report = simulation.step();
      ASSERT_EQ(report.step.status, Status::ok) << method.name << " frame " << frame;
      const double energy = report.kinetic_energy + report.elastic_energy;
      ASSERT_LE(energy, last + 1e-6 * start) << method.name << " frame " << frame;
      last = energy;
    }
    EXPECT_LT(last, 0.9 * start) << "backward Euler damps";
    EXPECT_GT(last, 1e-3 * start);
  }
}

// --- the terms of one vertex -----------------------------------------------------------------------

template <class E>
void expect_vertex_terms(const E& energy, const Points& x) {
  Scratch scratch;
  Points gradient = Points::Zero(3, x.cols());
  if (energy.size() == 0) return;
  add_gradient(energy, x, scratch, gradient);
  for (int v = 0; v < x.cols(); ++v) {
    Mat3 expected = Mat3::Zero();
    for (int e = 0; e < energy.size(); ++e)
      for (int i = 0; i < E::kSize; ++i)
        for (int j = 0; j < E::kSize; ++j)
          if (energy.vertices(e)[i] == v && energy.vertices(e)[j] == v)
            expected +=
                energy[e].hessian_psd(gather(x, energy.vertices(e))).template block<3, 3>(3 * i, 3 * j);
    Vec3 of_vertex = Vec3::Zero();
    Mat3 block = Mat3::Zero();
    add_vertex_terms(energy, x, v, of_vertex, block);
    EXPECT_LT((of_vertex - gradient.col(v)).norm(), 1e-12 * (1 + gradient.norm())) << E::kName << " " << v;
    EXPECT_LT((block - expected).norm(), 1e-12 * (1 + expected.norm())) << E::kName << " " << v;
  }
}

TEST(VertexTerms, AreAVertexsPartOfGradientAndHessian) {
  const Situation situation = swinging();
  const int n = situation.model.vertex_count();
  std::srand(5);
  Points flat = situation.model.start, coincident = flat;
  coincident.col(10) = coincident.col(11);
  for (const Points& x :
       {flat, Points(flat + 0.05 * Points::Random(3, n)), Points(0.3 * Points::Random(3, n)), coincident})
    situation.model.energies.each([&](const auto& energy) { expect_vertex_terms(energy, x); });
}

}  // namespace
}  // namespace muslin
