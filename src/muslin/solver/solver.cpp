#include "muslin/solver/solver.h"

#include <fmt/format.h>

#include "muslin/core/check.h"
#include "muslin/solver/families.h"

namespace muslin {

const std::vector<SolverEntry>& solvers() {
  static const std::vector<SolverEntry> table{
      {"explicit", "Verlet or symplectic Euler on springs, Provot's stretch limit, Mosegaard's relaxation",
       make_explicit},
      {"position", "PBD (Jacobi or Gauss-Seidel) and XPBD with small steps and the material's compliance",
       make_position},
      {"implicit", "implicit Euler as energy minimisation: diagonal descent, plain or with Chebyshev",
       make_implicit},
      {"newton",
       "Newton's method on the incremental potential: line search, projected curvature, PCG or Cholesky",
       make_newton},
      {"baraff_witkin", "Baraff and Witkin's linearised step: exact constraints, adaptive time step",
       make_baraff_witkin},
      {"block_descent",
       "block coordinate descent: a 3x3 Newton step a vertex, colour by colour, with Chebyshev",
       make_block_descent},
      {"projective", "projective dynamics in gradient form: one matrix, factored once, and L-BFGS on top",
       make_projective},
  };
  return table;
}

std::unique_ptr<Solver> make_solver(const SolverSettings& settings) {
  for (const SolverEntry& entry : solvers())
    if (entry.name == settings.family) return entry.make(settings);
  throw Error(ErrorKind::invalid, fmt::format("/solver/family: unknown solver \"{}\"", settings.family));
}

}  // namespace muslin
