#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "muslin/linear/preconditioner.h"
#include "muslin/model/field.h"

// Numerical settings of the solver families. Never a material: what cloth is made of stands in the scene.
// The sentence, unit and range of a setting stand in fields(), from where the reference takes them.

namespace muslin {

/// How a step treats the pair of a spring when it moves its ends.
enum class Split {
  mass,  ///< in proportion to the inverse masses: a pinned end leaves the whole correction to the other
  half,  ///< half each, and the half of a pinned end is lost (GAMES103, Mosegaard)
};
template <>
struct EnumNames<Split> {
  static constexpr std::array<std::string_view, 2> names{"mass", "half"};
};

/// Verlet and symplectic Euler on springs.
struct ExplicitSettings {
  std::optional<int> substeps;
  double velocity_loss = 0;
  bool verlet = true;
  bool spring_forces = true;
  int relaxation_sweeps = 0;
  std::optional<double> stretch_limit;
  int limit_sweeps = 1;
  Split split = Split::mass;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("substeps", self.substeps,
          {"steps a frame; absent: as many as the stiffest vertex needs to stay stable", "",
           Range::between(1, 100000)});
    visit("velocity_loss", self.velocity_loss,
          {"fraction of the velocity that every substep takes away (CS184's damping percent / 100)", "",
           Range::between(0, 1)});
    visit("verlet", self.verlet,
          {"velocity is the last displacement over the step, so constraints change it too; false: symplectic "
           "Euler"});
    visit("spring_forces", self.spring_forces,
          {"springs pull; false: only relaxation holds the cloth together"});
    visit("relaxation_sweeps", self.relaxation_sweeps,
          {"sweeps that restore every spring to its rest length before the step (Mosegaard)", "",
           Range::between(0, 100000)});
    visit("stretch_limit", self.stretch_limit,
          {"longest allowed spring over its rest length, enforced after the step (Provot 1995); absent: none",
           "", Range::between(1, 100)});
    visit("limit_sweeps", self.limit_sweeps, {"sweeps of the stretch limit", "", Range::between(1, 100000)});
    visit("split", self.split, {"how sweeps divide a correction between the two ends"});
  }
  /// Calls note({names}, why) for the settings that nothing reads as the others stand.
  template <class Note>
  void inert(const Note& note) const {
    if (!stretch_limit) note({"limit_sweeps"}, "there is no stretch_limit");
    if (!stretch_limit && relaxation_sweeps == 0) note({"split"}, "there are no sweeps");
  }
  /// Why lengths are kept whatever the material's stiffness is, as a clause; "" if the material decides.
  std::string_view why_rigid() const {
    return spring_forces ? "" : "without spring_forces lengths are kept, and nothing else";
  }
};

/// The two position-based methods.
enum class PositionMethod {
  pbd,   ///< constraints are rigid: springs return to their rest length [Müller 2007]
  xpbd,  ///< constraints have the material's compliance [Macklin 2016]
};
template <>
struct EnumNames<PositionMethod> {
  static constexpr std::array<std::string_view, 2> names{"pbd", "xpbd"};
};

/// How a position-based sweep visits the constraints.
enum class Sweep {
  gauss_seidel,  ///< one after another, by colours so that threads share the work
  natural,       ///< one after another in the order of the model, on one thread
  jacobi,        ///< all from the same positions, then averaged at each vertex (GAMES103)
};
template <>
struct EnumNames<Sweep> {
  static constexpr std::array<std::string_view, 3> names{"gauss_seidel", "natural", "jacobi"};
};

/// How position-based cloth meets cloth.
enum class PositionContact {
  vertices,  ///< vertices keep apart: cloth can pass between them
  pairs,     ///< triangles and edges keep apart, and no vertex goes further than leaves them so [Chen 2025]
};
template <>
struct EnumNames<PositionContact> {
  static constexpr std::array<std::string_view, 2> names{"vertices", "pairs"};
};

/// Which code runs xpbd.
enum class PositionPath {
  general,  ///< constraint by constraint in double: any scene
  lines,    ///< whole rows and columns of grids at once, in float; else colours
  colours,  ///< elements that share no vertex side by side, springs along the weave of a mesh in whole lines,
            ///< in float; general where a scene does not allow it
};
template <>
struct EnumNames<PositionPath> {
  static constexpr std::array<std::string_view, 3> names{"general", "lines", "colours"};
};

/// What xpbd shall reach, whatever that takes: how far 99 of 100 edges may be stretched.
enum class PositionQuality { strain_5, strain_2, strain_1, strain_half };
template <>
struct EnumNames<PositionQuality> {
  static constexpr std::array<std::string_view, 4> names{"strain 5 %", "strain 2 %", "strain 1 %",
                                                         "strain 0.5 %"};
};
/// The strain that a quality allows.
constexpr double allowed_strain(PositionQuality quality) {
  constexpr double kStrains[] = {0.05, 0.02, 0.01, 0.005};
  return kStrains[static_cast<int>(quality)];
}

/// How accelerations are replaced by differences.
enum class Integrator {
  euler,   ///< backward Euler, first order, damps
  bdf2,    ///< two steps back, second order (of `position` four fifths of it)
  sdirk2,  ///< two implicit stages, second order, L-stable [Alexander 1977]; not for `position`
};
template <>
struct EnumNames<Integrator> {
  static constexpr std::array<std::string_view, 3> names{"euler", "bdf2", "sdirk2"};
};

/// Position-based dynamics: constraints are projected one after another [Müller 2007, Macklin 2016].
struct PositionSettings {
  std::optional<PositionQuality> quality;
  std::optional<PositionPath> path;
  std::optional<int> substeps;
  Integrator integrator = Integrator::euler;
  double velocity_loss = 0;
  PositionMethod method = PositionMethod::xpbd;
  Sweep sweep = Sweep::gauss_seidel;
  int iterations = 1;
  bool coarse = false;
  double blend = 0.2;
  Split split = Split::mass;
  PositionContact contact = PositionContact::vertices;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("quality", self.quality,
          {"strain that 99 of 100 edges keep below: substeps, iterations and coarse follow from it by a "
           "measured rule; absent: they are as given"});
    visit("path", self.path,
          {"general: constraint by constraint; lines: whole rows and columns of grids at once, else colours; "
           "colours: elements that share no vertex side by side, springs along a mesh's weave in whole "
           "lines; both where xpbd and the scene allow it, else "
           "general; absent: the fastest that they allow, general where iterations or sweep are given"});
    visit("substeps", self.substeps, {"steps a frame; absent: 20", "", Range::between(1, 100000)});
    visit("integrator", self.integrator,
          {"euler: first order; bdf2: two steps back, with a fifth of euler, which loses less of a swing; "
           "steps in contact are euler's"});
    visit("velocity_loss", self.velocity_loss,
          {"fraction of the velocity that every substep takes away", "", Range::between(0, 1)});
    visit("method", self.method, {"pbd: rigid constraints; xpbd: the material's compliance"});
    visit("sweep", self.sweep, {"order in which constraints are projected"});
    visit("iterations", self.iterations, {"sweeps a substep", "", Range::between(1, 100000)});
    visit("coarse", self.coarse,
          {"whether every substep also corrects what is too long over many vertices: by tethers to the "
           "pins, on lines by a coarser net, too"});
    visit("blend", self.blend, {"weight of the old position in a Jacobi average", "", Range::not_negative()});
    visit("split", self.split, {"how pbd divides a correction between the two ends"});
    visit("contact", self.contact,
          {"of cloth with cloth: vertices keep apart, or pairs of elements, which never pass through each "
           "other"});
  }
  /// Calls note({names}, why) for the settings that nothing reads as the others stand.
  template <class Note>
  void inert(const Note& note) const {
    if (method == PositionMethod::xpbd) note({"split"}, "xpbd divides by masses");
    if (sweep != Sweep::jacobi) note({"blend"}, "the sweep is not jacobi");
    if (wanted_path() == PositionPath::general) note({"coarse"}, "the path is general");
  }
  /// Which path to take where the scene allows it. Who sets iterations or a sweep wants these, not lines.
  PositionPath wanted_path() const {
    const bool is_plain = method == PositionMethod::xpbd && iterations == 1 && sweep == Sweep::gauss_seidel;
    return path.value_or(is_plain ? PositionPath::lines : PositionPath::general);
  }
  /// Steps a frame where no quality chooses them.
  int steps() const { return substeps.value_or(20); }
  /// Why lengths are kept whatever the material's stiffness is, as a clause; "" for xpbd.
  std::string_view why_rigid() const {
    return method == PositionMethod::pbd ? "pbd holds lengths rigidly" : "";
  }
};

/// What the gradient is divided by.
enum class Direction {
  uniform,   ///< m/h² + c·k with one constant c and the stiffest spring k for every vertex (GAMES103)
  diagonal,  ///< m/h² + half the stiffness about each vertex: bounds the Hessian in any configuration [after
             ///< Wang 2016]
};
template <>
struct EnumNames<Direction> {
  static constexpr std::array<std::string_view, 2> names{"uniform", "diagonal"};
};

/// How the iterates of a fixed-point iteration are extrapolated.
enum class Acceleration {
  none,       ///< each iterate is used as it is
  chebyshev,  ///< over-relaxation with weights from the spectral radius rho [Wang 2016]
};
template <>
struct EnumNames<Acceleration> {
  static constexpr std::array<std::string_view, 2> names{"none", "chebyshev"};
};

/// Implicit Euler as the minimum of F(x) = |x−y|²_M / 2h² + E(x).
struct ImplicitSettings {
  int substeps = 4;
  double velocity_loss = 0;
  Direction direction = Direction::diagonal;
  double uniform_factor = 4;
  Acceleration acceleration = Acceleration::chebyshev;
  std::optional<double> rho;
  int delay = 10;
  int iterations = 200;
  double tolerance = 1e-5;
  int check_every = 8;
  bool start_with_gravity = true;
  bool contact_within = true;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("substeps", self.substeps, {"steps a frame", "", Range::between(1, 100000)});
    visit("velocity_loss", self.velocity_loss,
          {"fraction of the velocity that every substep takes away", "", Range::between(0, 1)});
    visit("direction", self.direction, {"what the gradient is divided by"});
    visit("uniform_factor", self.uniform_factor,
          {"c of the uniform direction m/h^2 + c k", "", Range::positive()});
    visit("acceleration", self.acceleration, {"none or Chebyshev over-relaxation"});
    visit("rho", self.rho,
          {"part of the slowest error that a plain iteration leaves; absent: measured", "",
           Range::between(0, 0.99999)});
    visit("delay", self.delay,
          {"plain iterations before Chebyshev begins, also after a restart", "", Range::between(0, 100000)});
    visit("iterations", self.iterations, {"most iterations a substep", "", Range::between(1, 1000000)});
    visit("tolerance", self.tolerance,
          {"stop when no vertex has further to go, by its last move and rho; 0: never stop early", "m",
           Range::not_negative()});
    visit("check_every", self.check_every,
          {"iterations between two looks at the objective, which catch divergence; 0: never look", "",
           Range::between(0, 100000)});
    visit("start_with_gravity", self.start_with_gravity,
          {"start from y = x + h v + h^2 f/m; false: from x + h v (GAMES103)"});
    visit("contact_within", self.contact_within,
          {"colliders push out every iterate; false: only the result, after the descent (GAMES103)"});
  }
  /// Calls note({names}, why) for the settings that nothing reads as the others stand.
  template <class Note>
  void inert(const Note& note) const {
    if (direction != Direction::uniform) note({"uniform_factor"}, "the direction is diagonal");
    if (acceleration == Acceleration::none) note({"delay"}, "the acceleration is none");
  }
};

// --- the minimisers of the incremental potential ---------------------------------------------------

/// What all implicit families below say of their time steps.
struct Stepping {
  std::optional<int> substeps;
  double velocity_loss = 0;
  Integrator integrator = Integrator::euler;
  bool adaptive = false;
  std::optional<double> accuracy;
  int usual_substeps = 1;  ///< where substeps is absent; no setting, but a family's own
  int halvings = 8;
  double stretch_change = 0.1;

  /// Visits these fields; the fields() of every family that has them begins with it.
  template <class Self, class Visitor>
  static void stepping_fields(Self& self, Visitor& visit) {
    visit("substeps", self.substeps,
          {"steps a frame; absent: 1, of block_descent 4, or as many as accuracy asks for", "",
           Range::between(1, 100000)});
    visit("velocity_loss", self.velocity_loss,
          {"fraction of the velocity that every substep takes away", "", Range::between(0, 1)});
    visit("integrator", self.integrator,
          {"euler: first order; bdf2: second order, but for steps in contact, which are euler's; sdirk2: "
           "second order in two implicit stages, where cloth touches something first order"});
    visit("accuracy", self.accuracy,
          {"estimated error that the steps of a frame may make, root mean square over a cloth; chooses the "
           "steps where adaptive is set and substeps is absent",
           "m", Range::positive()});
    visit("adaptive", self.adaptive,
          {"halve a step that stretches an edge too much or does not converge, grow again after good ones"});
    visit("halvings", self.halvings, {"most halvings of an adaptive step", "", Range::between(0, 20)});
    visit("stretch_change", self.stretch_change,
          {"largest change of an edge's strain that an adaptive step may make", "", Range::positive()});
  }
  /// Calls note({names}, why) for the settings that nothing reads as the others stand.
  template <class Note>
  void inert(const Note& note) const {
    if (!adaptive) note({"halvings", "stretch_change", "accuracy"}, "steps are not adaptive");
    if (adaptive && substeps) note({"accuracy"}, "substeps are given");
  }
};

/// How a linear system of cloth is solved.
enum class LinearSolver {
  pcg,       ///< conjugate gradients, 3x3 blocks as preconditioner
  cholesky,  ///< sparse factorisation, its symbolic part kept
};
template <>
struct EnumNames<LinearSolver> {
  static constexpr std::array<std::string_view, 2> names{"pcg", "cholesky"};
};

template <>
struct EnumNames<Preconditioner> {
  static constexpr std::array<std::string_view, 3> names{"block_jacobi", "two_level", "multigrid"};
};

/// Which second derivatives Newton uses.
enum class Curvature {
  projected,  ///< negative curvature of every element left out: always descends
  on_demand,  ///< exact as long as the system is positive definite, projected where it is not
};
template <>
struct EnumNames<Curvature> {
  static constexpr std::array<std::string_view, 2> names{"projected", "on_demand"};
};

/// Newton's method on the incremental potential.
struct NewtonSettings : Stepping {
  int iterations = 30;
  double tolerance = 1e-5;
  double residual = 0;
  LinearSolver linear = LinearSolver::pcg;
  Preconditioner preconditioner = Preconditioner::two_level;
  Curvature curvature = Curvature::on_demand;
  double forcing = 0.1;
  int linear_iterations = 2000;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    stepping_fields(self, visit);
    visit("iterations", self.iterations, {"most Newton iterations a substep", "", Range::between(1, 100000)});
    visit("tolerance", self.tolerance,
          {"stop when no vertex moves further in an iteration; 0: not by moves", "m", Range::not_negative()});
    visit("residual", self.residual,
          {"stop when the residual is this fraction of the first; 0: not by residuals", "",
           Range::between(0, 1)});
    visit("linear", self.linear, {"how the linear systems are solved"});
    visit("preconditioner", self.preconditioner,
          {"pcg: 3x3 blocks of the diagonal, these and patches of cloth that move as one, or a multigrid "
           "cycle"});
    visit("curvature", self.curvature, {"which second derivatives are used"});
    visit("forcing", self.forcing,
          {"pcg: largest relative error of a linear solve; it tightens as the residual falls", "",
           Range::between(1e-15, 1)});
    visit("linear_iterations", self.linear_iterations,
          {"pcg: most iterations of a linear solve", "", Range::between(1, 10000000)});
  }
  /// Calls note({names}, why) for the settings that nothing reads as the others stand.
  template <class Note>
  void inert(const Note& note) const {
    if (linear == LinearSolver::cholesky)
      note({"preconditioner", "forcing", "linear_iterations"}, "the linear solver is cholesky");
    Stepping::inert(note);
  }
};

/// Large steps in cloth simulation as published: one linearised implicit step [Baraff 1998].
struct BaraffWitkinSettings : Stepping {
  double linear_tolerance = 1e-3;
  Preconditioner preconditioner = Preconditioner::two_level;
  int linear_iterations = 2000;
  BaraffWitkinSettings() { adaptive = true; }

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    stepping_fields(self, visit);
    visit("linear_tolerance", self.linear_tolerance,
          {"relative error of the linear solve, in the preconditioned norm", "", Range::between(1e-15, 1)});
    visit("preconditioner", self.preconditioner,
          {"3x3 blocks of the diagonal, these and patches of cloth that move as one, or a multigrid cycle"});
    visit("linear_iterations", self.linear_iterations,
          {"most iterations of the linear solve", "", Range::between(1, 10000000)});
  }
};

/// Block coordinate descent on vertices, colour by colour [Chen 2024].
struct BlockDescentSettings : Stepping {
  int iterations = 200;
  double tolerance = 1e-5;
  Acceleration acceleration = Acceleration::chebyshev;
  std::optional<double> rho;
  BlockDescentSettings() { usual_substeps = 4; }

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    stepping_fields(self, visit);
    visit("iterations", self.iterations,
          {"most sweeps a substep; with Chebyshev they come in pairs", "", Range::between(1, 1000000)});
    visit("tolerance", self.tolerance,
          {"stop when no vertex has further to go, by its last move and rho; 0: never stop early", "m",
           Range::not_negative()});
    visit("acceleration", self.acceleration, {"none, or Chebyshev over-relaxation of sweeps there and back"});
    visit("rho", self.rho,
          {"part of the slowest error that one iteration (Chebyshev: two sweeps) leaves; absent: measured",
           "", Range::between(0, 0.99999)});
  }
};

/// Projective dynamics in gradient form: one constant matrix, factored once [Bouaziz 2014, Liu 2017].
struct ProjectiveSettings : Stepping {
  int iterations = 100;
  double tolerance = 1e-5;
  int history = 5;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    stepping_fields(self, visit);
    visit("iterations", self.iterations, {"most iterations a substep", "", Range::between(1, 1000000)});
    visit("tolerance", self.tolerance,
          {"stop when no vertex moves further in an iteration; 0: never stop early", "m",
           Range::not_negative()});
    visit("history", self.history,
          {"pairs that L-BFGS remembers; 0: plain projective dynamics", "", Range::between(0, 50)});
  }
};

/// The error that a frame of quasi_newton may make, from which steps and tolerances follow.
enum class Preset {
  interactive,  ///< 3 mm, in at most 30 iterations a stage: for the hand that pulls
  standard,     ///< 1 mm
  accurate,     ///< 0.1 mm
};
template <>
struct EnumNames<Preset> {
  static constexpr std::array<std::string_view, 3> names{"interactive", "default", "accurate"};
};

/// L-BFGS that begins with a multigrid cycle [after Liu 2017 and Vaněk 1996].
struct QuasiNewtonSettings : Stepping {
  Preset preset = Preset::standard;
  std::optional<int> iterations;
  std::optional<double> tolerance;
  std::optional<double> milliseconds;
  int history = 3;
  double forcing = 0.1;
  double relative_motion = 16;
  QuasiNewtonSettings() {
    integrator = Integrator::sdirk2;
    adaptive = true;
    halvings = 5;
    stretch_change = 10;  // what fails to converge is halved, what stretches is the material's matter
  }

  /// Estimated error of time that a frame may make [m]: `accuracy`, or else the preset's.
  double error_of_frame() const { return accuracy.value_or(of_preset(3e-3, 1e-3, 1e-4)); }
  /// Iterations that a stage may take: `iterations`, or else what the preset allows.
  int most_iterations() const { return iterations.value_or(preset == Preset::interactive ? 30 : 60); }
  /// Estimated root mean square distance to the minimum at which a step of 1/60 s ends that meets nothing
  /// [m]: `tolerance`, or else in proportion to the error of a frame. Shorter steps end nearer, stages of
  /// sdirk2 by the square of their length.
  double nearness() const {
    return tolerance.value_or((integrator == Integrator::sdirk2 ? 0.4 : 0.1) * error_of_frame());
  }
  /// The same of a step in contact. What drapes shows less of its error than what swings.
  double nearness_in_contact() const {
    return tolerance.value_or((integrator == Integrator::sdirk2 ? 3 : 0.1) * error_of_frame());
  }
  /// Acceleration of a piece of cloth as a whole that a step in contact may leave undone [m/s²]: 0.1 by
  /// default.
  double lost_acceleration() const { return tolerance ? 1e3 * *tolerance : 1e2 * error_of_frame(); }
  /// Whether a step that does not converge is thrown away and taken as two halves; not where the clock ends
  /// it.
  bool halves() const { return adaptive && !milliseconds; }
  /// Notes nothing: the preset decides, too, whether steps are cut, so that none of the settings is surely
  /// unread; and where `milliseconds` decide, a clock does.
  template <class Note>
  void inert(const Note&) const {}

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    stepping_fields(self, visit);
    visit(
        "preset", self.preset,
        {"accuracy of a frame, where that is absent, and tolerances that fit it: interactive 3 mm, default 1 "
         "mm, accurate 0.1 mm"});
    visit(
        "iterations", self.iterations,
        {"most iterations a substep; absent: 60, of preset interactive 30", "", Range::between(1, 1000000)});
    visit("tolerance", self.tolerance,
          {"stop when the estimated root mean square distance to the minimum is less, in every piece of "
           "cloth; of steps below 1/60 s less, in proportion to their length, of sdirk2 to its square; "
           "absent: as "
           "accuracy says",
           "m", Range::positive()});
    visit(
        "milliseconds", self.milliseconds,
        {"a substep that takes longer ends at its best iterate so far, and distance_left says how far from "
         "the minimum; steps are not halved; bodies and pins may stop short of their targets; what comes out "
         "hangs on the clock; absent: no limit",
         "ms", Range::between(1e-6, 1e9)});
    visit("history", self.history, {"pairs that L-BFGS remembers", "", Range::between(0, 50)});
    visit("forcing", self.forcing,
          {"relative error of linear solves where Newton's method takes over; twice that where cloth buckles",
           "", Range::between(1e-15, 1)});
    visit(
        "relative_motion", self.relative_motion,
        {"a step in which surfaces that meet move farther relative to each other than so many thicknesses of "
         "their contact is cut beforehand (adaptive)",
         "", Range::positive()});
  }

 private:
  double of_preset(double interactive, double standard, double accurate) const {
    return preset == Preset::interactive ? interactive : preset == Preset::standard ? standard : accurate;
  }
};

// --- all of them -----------------------------------------------------------------------------------

/// The one list of solver families: FAMILY(name in scenes, member of SolverSettings, its type, whose settings
/// they are). The names, the members, the fields and the table of solvers follow from it. Every family
/// describes itself in its own file, by a function NAME_family() (solver/solver.h): without one the program
/// does not link.
#define MUSLIN_SOLVER_FAMILIES(FAMILY)                                                              \
  FAMILY(explicit, explicit_, ExplicitSettings, "the explicit family")                              \
  FAMILY(position, position, PositionSettings, "the position-based family")                         \
  FAMILY(implicit, implicit, ImplicitSettings, "the implicit family")                               \
  FAMILY(newton, newton, NewtonSettings, "Newton's method")                                         \
  FAMILY(baraff_witkin, baraff_witkin, BaraffWitkinSettings, "Baraff and Witkin's linearised step") \
  FAMILY(block_descent, block_descent, BlockDescentSettings, "block descent")                       \
  FAMILY(projective, projective, ProjectiveSettings, "projective dynamics")                         \
  FAMILY(quasi_newton, quasi_newton, QuasiNewtonSettings, "multigrid quasi-Newton")

#define MUSLIN_NAME(name, member, Settings, whose) #name,
/// The names that SolverSettings::family takes, in the order of the list.
inline constexpr auto kFamilies = std::to_array<std::string_view>({MUSLIN_SOLVER_FAMILIES(MUSLIN_NAME)});
#undef MUSLIN_NAME

/// Which family runs, and the settings of each: a scene may carry them for several.
struct SolverSettings {
  std::string family = "quasi_newton";
  // The hardest of 50 frames of sphere_drape took 2411 iterations: forty times as many have no end.
  int budget = 100000;
#define MUSLIN_MEMBER(name, member, Settings, whose) Settings member; /**< read where this is the family */
  MUSLIN_SOLVER_FAMILIES(MUSLIN_MEMBER)
#undef MUSLIN_MEMBER

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("family", self.family, {"solver that runs the scene: a name from `muslin list solvers`"});
    visit("budget", self.budget,
          {"most work that a frame of newton or quasi_newton may take, or the run is given up; counted in "
           "iterations, those of linear solves and contact included",
           "", Range::between(1, 2e9)});
#define MUSLIN_VISIT(name, member, Settings, whose) visit(#name, self.member, {"settings of " whose});
    MUSLIN_SOLVER_FAMILIES(MUSLIN_VISIT)
#undef MUSLIN_VISIT
  }
};

/// action(name, settings) of every family, in the order of the list.
template <class Self, class Action>
void each_family(Self& settings, const Action& action) {
#define MUSLIN_ACT(name, member, Settings, whose) action(std::string_view(#name), settings.member);
  MUSLIN_SOLVER_FAMILIES(MUSLIN_ACT)
#undef MUSLIN_ACT
}

}  // namespace muslin
