#pragma once
#include <optional>
#include <string>

#include "muslin/model/field.h"

// Numerical settings of the solver families. Never a material: what cloth is made of stands in the scene.

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
  std::optional<int> substeps;  // absent: chosen from the stability bound
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
          {"share of the velocity that every substep takes away (CS184's damping percent / 100)", "",
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
    visit("split", self.split, {"how sweeps share a correction between the two ends"});
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

struct PositionSettings {
  int substeps = 20;
  double velocity_loss = 0;
  PositionMethod method = PositionMethod::xpbd;
  Sweep sweep = Sweep::gauss_seidel;
  int iterations = 1;
  double blend = 0.2;
  Split split = Split::mass;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("substeps", self.substeps, {"steps a frame", "", Range::between(1, 100000)});
    visit("velocity_loss", self.velocity_loss,
          {"share of the velocity that every substep takes away", "", Range::between(0, 1)});
    visit("method", self.method, {"pbd: rigid constraints; xpbd: the material's compliance"});
    visit("sweep", self.sweep, {"order in which constraints are projected"});
    visit("iterations", self.iterations, {"sweeps a substep", "", Range::between(1, 100000)});
    visit("blend", self.blend, {"weight of the old position in a Jacobi average", "", Range::not_negative()});
    visit("split", self.split, {"how pbd shares a correction between the two ends"});
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

enum class Acceleration { none, chebyshev };
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
  double rho = 0.999;
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
          {"share of the velocity that every substep takes away", "", Range::between(0, 1)});
    visit("direction", self.direction, {"what the gradient is divided by"});
    visit("uniform_factor", self.uniform_factor,
          {"c of the uniform direction m/h^2 + c k", "", Range::positive()});
    visit("acceleration", self.acceleration, {"none or Chebyshev over-relaxation"});
    visit("rho", self.rho, {"spectral radius that Chebyshev assumes", "", Range::between(0, 0.99999)});
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
};

/// The names that SolverSettings::family takes; the table in solver/solver.cpp has a line for each.
inline constexpr std::array<std::string_view, 3> kFamilies{"explicit", "position", "implicit"};

/// Which family runs, and the settings of each: a scene may carry them for several.
struct SolverSettings {
  std::string family = "position";
  ExplicitSettings explicit_;
  PositionSettings position;
  ImplicitSettings implicit;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("family", self.family, {"solver that runs the scene: a name from `muslin list solvers`"});
    visit("explicit", self.explicit_, {"settings of the explicit family"});
    visit("position", self.position, {"settings of the position-based family"});
    visit("implicit", self.implicit, {"settings of the implicit family"});
  }
};

}  // namespace muslin
