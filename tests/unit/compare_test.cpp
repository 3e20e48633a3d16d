#include "muslin/compare/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "muslin/compare/common_step.h"
#include "muslin/compare/resolution.h"
#include "muslin/compare/yardstick.h"
#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"
#include "regression/twin_games103.h"

namespace muslin {
namespace {

Scene games103() { return read_scene(std::string(MUSLIN_SCENES) + "/games103_implicit.json"); }

CompareOptions under(std::vector<std::string> solvers, int frames) {
  CompareOptions options;
  options.solvers = std::move(solvers);
  options.frames = frames;
  return options;
}

/// A sheet held at one side, small enough for many steps.
Scene sheet() {
  Scene scene;
  scene.name = "sheet";
  scene.frames = 6;
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = {7, 5};
  cloth.grid->size = {0.6, 0.4};
  cloth.pins.resize(1);
  cloth.pins[0].grid = {{0, 0}, {0, -1}};
  scene.cloths = {cloth};
  return scene;
}

// --- methods ---------------------------------------------------------------------------------------

TEST(Methods, EveryNameFindsItselfAndAFamily) {
  std::set<std::string_view> names, labels;
  for (const Method& method : methods()) {
    EXPECT_EQ(&find_method(method.name), &method);
    EXPECT_TRUE(names.insert(method.name).second) << method.name << " stands twice";
    EXPECT_TRUE(labels.insert(method.label).second) << method.label << " stands twice";
    EXPECT_LE(method.label.size(), 16u);
    EXPECT_FALSE(method.summary.empty());
    EXPECT_TRUE(std::count(kFamilies.begin(), kFamilies.end(), family_of_method(method.name)) == 1)
        << method.name;
  }
  for (const std::string_view family : kFamilies) EXPECT_EQ(family_of_method(family), family);
}

/// CIELAB (D65) of "#rrggbb" as an eye sees it whose response is `eye` times linear RGB.
Vec3 seen_as(std::string_view hex, const Mat3& eye) {
  Vec3 linear;
  for (int c = 0; c < 3; ++c) {
    const double srgb = std::stoi(std::string(hex.substr(1 + 2 * c, 2)), nullptr, 16) / 255.0;
    linear[c] = srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
  }
  Mat3 to_xyz;
  to_xyz << 0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505;
  const Vec3 inside = (eye * linear).cwiseMax(0.0).cwiseMin(1.0);
  Vec3 f = (to_xyz * inside).cwiseQuotient(Vec3(0.9505, 1, 1.089));
  for (int c = 0; c < 3; ++c) f[c] = f[c] > 0.008856 ? std::cbrt(f[c]) : 7.787 * f[c] + 16.0 / 116;
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

TEST(Methods, AnyTwoDifferInDashesAndInColourForEveryEye) {
  std::vector<Mat3> eyes(4, Mat3::Identity());  // normal, then Machado 2009, severity 1
  eyes[1] << 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998;
  eyes[2] << 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881;
  eyes[3] << 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900;
  for (size_t a = 0; a < methods().size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      const Method &one = methods()[a], &other = methods()[b];
      EXPECT_NE(one.stroke.dash, other.stroke.dash) << one.name << ", " << other.name;
      for (const auto ink : {&Stroke::on_light, &Stroke::on_dark})
        for (size_t eye = 0; eye < eyes.size(); ++eye)
          EXPECT_GT((seen_as(one.stroke.*ink, eyes[eye]) - seen_as(other.stroke.*ink, eyes[eye])).norm(), 13)
              << one.name << ", " << other.name << ", eye " << eye;
    }
}

TEST(Methods, LeaveTheSweepThatXpbdCannotRun) {
  SolverSettings settings = games103().solver;
  ASSERT_EQ(settings.position.sweep, muslin::Sweep::jacobi);
  find_method("xpbd").choose(settings);
  EXPECT_EQ(settings.position.sweep, muslin::Sweep::gauss_seidel);
  settings.position.sweep = muslin::Sweep::natural;
  find_method("xpbd").choose(settings);
  EXPECT_EQ(settings.position.sweep, muslin::Sweep::natural);
}

TEST(Methods, ChangeNothingButWhatTheyAreNamedFor) {
  SolverSettings settings;
  settings.implicit.rho = 0.9;
  settings.position.sweep = muslin::Sweep::jacobi;
  find_method("pbd").choose(settings);
  EXPECT_EQ(settings.family, "position");
  EXPECT_EQ(settings.position.method, PositionMethod::pbd);
  EXPECT_EQ(settings.position.sweep, muslin::Sweep::jacobi);
  find_method("implicit_plain").choose(settings);
  EXPECT_EQ(settings.family, "implicit");
  EXPECT_EQ(settings.implicit.acceleration, Acceleration::none);
  EXPECT_EQ(settings.implicit.rho, 0.9);
}

TEST(Methods, AnUnknownNameIsAnsweredWithTheNearest) {
  try {
    find_method("chebychev");
    FAIL() << "found";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'chebyshev'"), std::string::npos) << error.what();
  }
}

// --- the common step -------------------------------------------------------------------------------

TEST(CommonStep, IsTheScenesOwnOnlyIfItsFamilyIsImplicitInTime) {
  Scene scene = sheet();
  const Model model = build_model(scene);
  scene.solver.family = "implicit";
  scene.solver.implicit.substeps = 5;
  EXPECT_EQ(common_step(scene, model, {}).substeps, 5);
  EXPECT_EQ(common_step(scene, model, 3).substeps, 3);
  scene.solver.family = "position";
  scene.solver.position.substeps = 40;
  EXPECT_EQ(common_step(scene, model, {}).substeps, 1);
  EXPECT_DOUBLE_EQ(common_step(scene, model, 4).h, scene.frame_time / 4);
}

TEST(CommonStep, LosesTheSameVelocityASecondWhateverItsLength) {
  Scene scene = sheet();
  scene.solver.family = "implicit";
  scene.solver.implicit.substeps = 2;
  scene.solver.implicit.velocity_loss = 0.1;
  const Model model = build_model(scene);
  const double kept = 0.9 * 0.9;  // of a frame
  for (const int substeps : {1, 2, 7})
    EXPECT_NEAR(std::pow(1 - common_step(scene, model, substeps).velocity_loss, substeps), kept, 1e-14);
  const CommonStep half = with_step(common_step(scene, model, {}), scene.frame_time / 4);
  EXPECT_NEAR(std::pow(1 - half.velocity_loss, 4), kept, 1e-14);
}

TEST(CommonStep, IsTakenByEveryMethod) {
  Scene scene = sheet();
  scene.solver.position.substeps = 20;
  scene.solver.position.iterations = 3;
  scene.solver.baraff_witkin.adaptive = true;
  const Model model = build_model(scene);
  const CommonStep step = common_step(scene, model, 2);
  for (const Method& method : methods()) {
    const SolverSettings settings = settings_for(method, scene, step, {});
    EXPECT_EQ(make_solver(settings)->substeps(model, model.script, scene.frame_time), 1) << method.name;
    EXPECT_EQ(settings.position.iterations, 30) << "60 sweeps a frame";
    EXPECT_FALSE(settings.baraff_witkin.adaptive);
    EXPECT_EQ(settings_for(method, scene, step, 9).implicit.iterations, 9);
    EXPECT_EQ(settings_for(method, scene, step, 9).position.iterations, 9);
  }
}

// --- the yardstick ---------------------------------------------------------------------------------

TEST(Yardstick, MeasuresNoughtAtTheMinimumAndOneWithoutForces) {
  const Scene scene = sheet();
  const Model model = build_model(scene);
  State state = initial_state(model);
  state.velocities.row(2).setLinSpaced(0, 3);
  const CommonStep step = common_step(scene, model, {});
  const Input input = scripted_input(model, 0, step.h);
  const auto reference = make_solver(reference_settings(scene, step));
  Yardstick yardstick(model, state, input, step, *reference);
  ASSERT_TRUE(yardstick.reference().converged);

  const StepError exact = yardstick.error(yardstick.after().positions, false);
  EXPECT_EQ(*exact.energy_gap, 0);
  EXPECT_EQ(exact.position.max, 0);
  EXPECT_LT(*exact.residual, 1e-9 * yardstick.reference().residual_start);
  EXPECT_NEAR(*exact.lost_gravity, 0, 1e-9);

  Points coasting = state.positions + step.h * state.velocities;
  coasting.colwise() += step.h * step.h * scene.gravity;
  for (const PinnedVertex& pin : model.script.pins)
    coasting.col(pin.vertex) = state.positions.col(pin.vertex);
  EXPECT_NEAR(*yardstick.error(coasting, false).energy_gap, 1, 1e-12);

  Points shifted = yardstick.after().positions;
  shifted.col(3) += Vec3(0, 0.03, 0.04);
  const PositionError error = yardstick.error(shifted, false).position;
  EXPECT_NEAR(error.max, 0.05, 1e-15);
  EXPECT_NEAR(error.rms, 0.05 / std::sqrt(35.0), 1e-15);
  EXPECT_GT(*yardstick.error(shifted, false).energy_gap, 0);
  EXPECT_FALSE(yardstick.error(shifted, true).energy_gap) << "in contact";
}

TEST(Yardstick, GivesNoGapWhereNothingIsStretched) {
  Scene scene = sheet();
  scene.cloths[0].pins.clear();  // it falls, and keeps its shape
  const Comparison comparison = compare(scene, under({"implicit_plain", "block_descent"}, 4));
  for (const SolverRecord& record : comparison.solvers)
    for (const FrameRow& row : record.frames) {
      EXPECT_TRUE(row.has_reference && row.step.contacts == 0);
      EXPECT_FALSE(row.error.energy_gap) << record.name << ", frame " << row.frame;
    }
  for (const TraceStart& start : comparison.traces) EXPECT_EQ(start.reference.gap_rounding, 0);
}

TEST(Yardstick, KnowsWhatRoundingMakesOfAGap) {
  Scene scene = sheet();
  const double near = compare(scene, under({"newton"}, 1)).traces[0].reference.gap_rounding;
  EXPECT_GT(near, 1e-16);
  EXPECT_LT(near, 1e-9);
  scene.cloths[0].grid->origin = {1e6, 0, 0};  // where a last bit is 10⁶ times as long, and costs its square
  const double far = compare(scene, under({"newton"}, 1)).traces[0].reference.gap_rounding;
  EXPECT_GT(far, 1e3 * near);
}

TEST(Yardstick, SeesMaterialDampingAsSolversDo) {
  Scene scene = sheet();
  Model model = build_model(scene);
  std::vector<double>& damping = model.energies.springs.edit().damping;
  std::fill(damping.begin(), damping.end(), 0.05);
  State state = initial_state(model);
  state.velocities.row(0).setLinSpaced(0, 2);
  const CommonStep step = common_step(scene, model, {});
  const Input input = scripted_input(model, 0, step.h);
  const auto reference = make_solver(reference_settings(scene, step));
  Yardstick yardstick(model, state, input, step, *reference);
  // Without damping in F the minimum of the damped step would have a residual as large as its forces.
  EXPECT_LT(yardstick.reference().residual, 1e-8 * yardstick.reference().residual_start);
}

// --- GAMES103 --------------------------------------------------------------------------------------

/// F of the lab's first step, in plain loops over the edges of its mesh.
struct FirstStepOfTheLab {
  static constexpr double kH = 0.0333, kMass = 1, kStiffness = 8000, kG = 9.8;
  Model model = build_model(games103());
  Points start = model.start, target = start;

  FirstStepOfTheLab() {
    for (int v = 0; v < 441; ++v)
      if (is_free(v)) target(1, v) -= kH * kH * kG;
  }
  static bool is_free(int v) { return v != 0 && v != 20; }

  double value(const Points& x) const {
    double sum = 0.5 * kMass / (kH * kH) * (x - target).squaredNorm();
    for (const auto& [a, b] : model.edges) {
      const double stretch = (x.col(b) - x.col(a)).norm() - (start.col(b) - start.col(a)).norm();
      sum += 0.5 * kStiffness * stretch * stretch;
    }
    return sum;
  }

  Points gradient(const Points& x) const {
    Points g = kMass / (kH * kH) * (x - target);
    for (const auto& [a, b] : model.edges) {
      const Vec3 d = x.col(b) - x.col(a);
      const Vec3 force = kStiffness * (1 - (start.col(b) - start.col(a)).norm() / d.norm()) * d;
      g.col(a) -= force;
      g.col(b) += force;
    }
    g.col(0).setZero();
    g.col(20).setZero();
    return g;
  }

  /// The least value, by Nesterov's method with restarts.
  double least() const {
    Points x = target, ahead = target;
    double t = 1;
    for (int k = 0; k < 4000; ++k) {
      const Points g = gradient(ahead), next = ahead - g / (kMass / (kH * kH) + 16 * kStiffness);
      const bool restart = g.cwiseProduct(next - x).sum() > 0;
      const double t_next = restart ? 1 : (1 + std::sqrt(1 + 4 * t * t)) / 2;
      ahead = next + (restart ? 0 : (t - 1) / t_next) * (next - x);
      x = next;
      t = t_next;
    }
    return value(x);
  }

  double energy_gap(twin::Games103::Method method) const {
    twin::Games103 cloth(method);
    cloth.step();
    Points x(3, 441);
    for (int v = 0; v < 441; ++v) x.col(v) = cloth.positions()[v];
    const double minimum = least();
    return (value(x) - minimum) / (value(target) - minimum);
  }
};

TEST(CompareGames103, EnergyGapsAreThoseOfTheTwin) {
  const Comparison comparison = compare(games103(), under({"chebyshev", "implicit_plain", "pbd"}, 1));
  const FirstStepOfTheLab lab;
  const auto last_gap = [&](int s) { return *comparison.solvers[s].traces[0].rows.back().error.energy_gap; };
  const auto near = [](double value, double expected) { return std::abs(value / expected - 1) < 1e-5; };
  EXPECT_PRED2(near, last_gap(0), lab.energy_gap(twin::Games103::Method::chebyshev));
  EXPECT_PRED2(near, last_gap(1), lab.energy_gap(twin::Games103::Method::plain));
  EXPECT_PRED2(near, last_gap(2), lab.energy_gap(twin::Games103::Method::pbd));
}

TEST(CompareGames103, PlainDescentLosesGravityAndChebyshevLess) {
  const Comparison comparison = compare(games103(), under({"implicit_plain", "chebyshev"}, 1));
  EXPECT_NEAR(*comparison.solvers[0].frames[0].error.lost_gravity, 0.41, 0.005);
  EXPECT_NEAR(*comparison.solvers[1].frames[0].error.lost_gravity, 0.07, 0.005);
  EXPECT_NEAR(*comparison.reference.frames[0].error.lost_gravity, 0, 1e-9);
  for (const SolverRecord& record : comparison.solvers) {
    const std::vector<IterationRow>& rows = record.traces[0].rows;
    ASSERT_EQ(rows.size(), 33u);
    EXPECT_NEAR(*rows[0].error.lost_gravity, 1, 1e-9) << "the lab begins without gravity";
    for (int k = 0; k <= 32; ++k) EXPECT_EQ(rows[k].iteration, k);
    EXPECT_EQ(*rows.back().error.energy_gap, *record.frames[0].error.energy_gap)
        << "the first step from the reference's state is the first step of the trajectory";
  }
}

TEST(CompareGames103, TrajectoriesAreThoseOfARun) {
  Simulation simulation(games103());
  const Comparison comparison = compare(games103(), under({"chebyshev"}, 5));
  for (const FrameRow& row : comparison.solvers[0].frames) {
    const FrameReport report = simulation.step();
    EXPECT_EQ(row.kinetic_energy, report.kinetic_energy);
    EXPECT_EQ(row.elastic_energy, report.elastic_energy);
    EXPECT_EQ(row.strain.max, report.strain_max);
    EXPECT_EQ(row.time, report.time);
  }
}

TEST(CompareGames103, WithoutGapsInContact) {
  CompareOptions options = under({"chebyshev"}, 95);
  options.every = 1;
  options.trace_frames = {92};
  const Comparison comparison = compare(games103(), options);
  int touched = 0;
  for (const FrameRow& row : comparison.reference.frames) {
    touched += row.step.contacts > 0;
    EXPECT_EQ(row.step.contacts > 0, !row.error.energy_gap.has_value()) << "frame " << row.frame;
  }
  EXPECT_GT(touched, 3);
  for (const IterationRow& row : comparison.solvers[0].traces[0].rows) {
    EXPECT_FALSE(row.error.energy_gap || row.error.residual);
    EXPECT_GE(row.error.position.max, row.error.position.rms);
  }
}

// --- the comparison --------------------------------------------------------------------------------

TEST(Compare, RowsComeInTheOrderAskedFor) {
  CompareOptions options = under({"xpbd", "pbd", "chebyshev"}, 7);
  options.trace_frames = {5, 2};
  options.every = 3;
  const Comparison comparison = compare(sheet(), options);
  ASSERT_EQ(comparison.solvers.size(), 3u);
  for (size_t s = 0; s < 3; ++s) {
    const SolverRecord& record = comparison.solvers[s];
    EXPECT_EQ(record.name, options.solvers[s]);
    ASSERT_EQ(record.frames.size(), 7u);
    for (int k = 0; k < 7; ++k) {
      EXPECT_EQ(record.frames[k].frame, k + 1);
      EXPECT_NEAR(record.frames[k].time, (k + 1) / 60.0, 1e-12);
      EXPECT_EQ(record.frames[k].has_reference, k == 0 || k == 3 || k == 6);
      EXPECT_EQ(record.frames[k].error.energy_gap.has_value(), k == 0 || k == 3 || k == 6);
    }
    EXPECT_EQ(record.traces.size(), 2u);
  }
  EXPECT_EQ(comparison.traces[0].frame, 2);
  EXPECT_EQ(comparison.traces[1].frame, 5);
  EXPECT_EQ(comparison.unconverged_reference_steps, 0);
  EXPECT_EQ(comparison.reference_steps, 7 + 3 * 3 + 2);
}

TEST(Compare, ConvergedSolversAgreeWithTheReference) {
  Scene scene = sheet();
  scene.solver.implicit.tolerance = 1e-12;
  scene.solver.implicit.iterations = 100000;
  scene.solver.newton.tolerance = 1e-10;
  const Comparison comparison = compare(scene, under({"chebyshev", "newton"}, 3));
  for (const SolverRecord& record : comparison.solvers)
    for (const FrameRow& row : record.frames) {
      EXPECT_LT(row.error.position.max, 1e-8) << record.name << ", frame " << row.frame;
      EXPECT_LT(std::abs(*row.error.energy_gap), 1e-9) << record.name << ", frame " << row.frame;
    }
}

TEST(Compare, RefusesWhatARunRefuses) {
  Scene stiff = sheet();
  stiff.cloths[0].membrane = Membrane::stvk;
  const Comparison comparison = compare(stiff, under({"pbd", "newton"}, 1));
  EXPECT_TRUE(comparison.solvers[0].refused);
  EXPECT_NE(comparison.solvers[0].failure.find("cannot run"), std::string::npos);
  EXPECT_FALSE(comparison.solvers[1].refused);
}

TEST(Compare, GoesOnWithoutASolverThatDiverges) {
  const Comparison comparison = compare(games103(), under({"explicit", "chebyshev"}, 12));
  const SolverRecord& gone = comparison.solvers[0];
  EXPECT_TRUE(gone.diverged);
  ASSERT_FALSE(gone.frames.empty());
  EXPECT_LT(gone.frames.size(), 12u);
  EXPECT_EQ(gone.frames.back().step.status, Status::diverged);
  EXPECT_NE(gone.failure.find("needs 6 a frame"), std::string::npos) << gone.failure;
  EXPECT_EQ(comparison.solvers[1].frames.size(), 12u);
  EXPECT_TRUE(comparison.solvers[1].failure.empty());
}

TEST(Compare, EndsWithWhatIsCompleteWhenStopped) {
  int reached = 0;
  CompareWatcher watcher;
  watcher.frame = [&](const Comparison&, int frame) { reached = frame; };
  watcher.stop = [&] { return reached >= 3; };
  CompareOptions options = under({"pbd", "xpbd"}, 6);
  options.sweeps = {{{SweepAxis::iterations, {1, 2}}}};
  const Comparison comparison = compare(sheet(), options, watcher);
  EXPECT_TRUE(comparison.interrupted);
  for (const SolverRecord& record : comparison.solvers) EXPECT_EQ(record.frames.size(), 3u);
  EXPECT_TRUE(comparison.sweeps.empty());
}

TEST(Compare, RefusesFramesThatAreNotThere) {
  CompareOptions options = under({"pbd"}, 4);
  options.trace_frames = {5};
  EXPECT_THROW(compare(sheet(), options), Error);
  EXPECT_THROW(compare(sheet(), under({"pdb"}, 1)), Error);
}

// --- sweeps ----------------------------------------------------------------------------------------

TEST(CompareSweep, OfIterationsMeetsTheTrace) {
  CompareOptions options = under({"implicit_plain", "chebyshev"}, 4);
  options.trace_frames = {1, 4};
  options.sweeps = {{{SweepAxis::iterations, {8, 32}}}};
  const Comparison comparison = compare(games103(), options);
  const std::vector<SweepRow>& rows = comparison.sweeps[0].rows;
  ASSERT_EQ(rows.size(), 8u);  // 2 values x 2 solvers x 2 traces
  for (size_t r = 0; r < rows.size(); ++r) {
    const size_t solver = r / 2 % 2, trace = r % 2;
    EXPECT_EQ(rows[r].point.iterations, r < 4 ? 8 : 32);
    EXPECT_EQ(rows[r].solver, options.solvers[solver]);
    EXPECT_EQ(rows[r].frame, options.trace_frames[trace]);
    EXPECT_EQ(rows[r].iterations, rows[r].point.iterations);
    const IterationRow& same = comparison.solvers[solver].traces[trace].rows[rows[r].iterations];
    EXPECT_EQ(*rows[r].error.energy_gap, *same.error.energy_gap);
    EXPECT_EQ(rows[r].error.position.max, same.error.position.max);
    EXPECT_FALSE(rows[r].path_error);
  }
}

TEST(CompareSweep, OfStepsShowsFirstOrder) {
  Scene scene = sheet();
  scene.frames = 4;
  scene.cloths[0].fabric.warp = scene.cloths[0].fabric.weft = 20;
  scene.cloths[0].fabric.shear = 5;
  scene.solver.newton.tolerance = 1e-9;
  CompareOptions options = under({"newton"}, 4);
  const double frame = scene.frame_time;
  options.sweeps = {{{SweepAxis::dt, {frame / 16, frame / 8, frame / 4}}}};
  const Comparison comparison = compare(scene, options);
  const SweepResult& sweep = comparison.sweeps[0];
  EXPECT_NEAR(sweep.end_time, 4 * frame, 1e-15);
  EXPECT_NEAR(sweep.finest_step, frame / 64, 1e-15);
  ASSERT_EQ(sweep.rows.size(), 6u);
  std::vector<double> errors;
  for (size_t r = 0; r < 6; r += 2) {
    EXPECT_EQ(sweep.rows[r].solver, "reference");
    errors.push_back(sweep.rows[r].path_error->rms);
    EXPECT_NEAR(sweep.rows[r + 1].path_error->rms, errors.back(), 1e-3 * errors.back()) << "Newton";
  }
  // e = C (h - h_finest): 3, 7 and 15 parts
  EXPECT_NEAR(errors[1] / errors[0], 7.0 / 3, 0.15);
  EXPECT_NEAR(errors[2] / errors[1], 15.0 / 7, 0.15);
}

TEST(CompareSweep, OfCellsShowsWhatTheMeshMisses) {
  Scene scene = sheet();
  scene.frames = 2;
  CompareOptions options = under({"newton"}, 2);
  options.sweeps = {{{SweepAxis::resolution, {1, 2, 4}}}};
  const SweepResult sweep = compare(scene, options).sweeps[0];
  EXPECT_EQ(sweep.finest_resolution, 8);
  ASSERT_EQ(sweep.rows.size(), 6u);
  const int counts[] = {7 * 5, 13 * 9, 25 * 17};
  for (size_t r = 0; r < 6; ++r) {
    EXPECT_EQ(sweep.rows[r].vertices, counts[r / 2]);
    EXPECT_EQ(sweep.rows[r].point.resolution, 1 << r / 2);
  }
  EXPECT_GT(sweep.rows[0].path_error->rms, 1.5 * sweep.rows[2].path_error->rms);
  EXPECT_GT(sweep.rows[2].path_error->rms, 1.5 * sweep.rows[4].path_error->rms);
}

TEST(CompareSweep, OfAProductHasEveryPair) {
  CompareOptions options = under({"chebyshev", "xpbd"}, 2);
  options.sweeps = {{{SweepAxis::iterations, {3, 9}},
                     {SweepAxis::dt, {1.0 / 120, 1.0 / 60}},
                     {SweepAxis::resolution, {0.5, 1}}}};
  const SweepResult sweep = compare(sheet(), options).sweeps[0];
  std::set<std::tuple<std::string, int, double, double>> places;
  for (const SweepRow& row : sweep.rows)
    places.insert({row.solver, row.point.iterations.value_or(0), row.point.dt, row.point.resolution});
  EXPECT_EQ(places.size(), sweep.rows.size());
  EXPECT_EQ(places.size(), 2u * 2 * (2 * 2 + 1)) << "two solvers at two numbers, and the reference";
}

TEST(CompareSweep, RefusesMeshesAndTheSameAxisTwice) {
  CompareOptions options = under({"newton"}, 1);
  options.sweeps = {{{SweepAxis::dt, {0.01}}, {SweepAxis::dt, {0.02}}}};
  EXPECT_THROW(compare(sheet(), options), Error);
  options.sweeps = {{{SweepAxis::resolution, {1000}}}};
  EXPECT_THROW(compare(sheet(), options), Error) << "24 million vertices";
}

TEST(Resolution, KeepsSizeMassAndPins) {
  Scene scene = games103();
  scene.cloths[0].pins[0].vertices = {20 * 21 + 10};  // the middle of the last row
  const Model model = build_model(scene);
  const Scene fine_scene = at_resolution(scene, 2.5);
  const Model fine = build_model(fine_scene);
  EXPECT_EQ(fine.vertex_count(), 51 * 51);
  EXPECT_NEAR(fine.mass.sum(), model.mass.sum(), 1e-9);
  ASSERT_EQ(fine.script.pins.size(), model.script.pins.size());
  for (size_t p = 0; p < fine.script.pins.size(); ++p)
    EXPECT_NEAR(
        (fine.start.col(fine.script.pins[p].vertex) - model.start.col(model.script.pins[p].vertex)).norm(), 0,
        1e-12);

  // What is linear in both directions is sampled exactly
  const auto bent = [](const Points& flat) {
    Points points = flat;
    points.row(1) = flat.row(0).cwiseProduct(flat.row(2));
    return points;
  };
  EXPECT_LT((sampled(bent(fine.start), fine_scene, scene) - bent(model.start)).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace muslin
