#include "muslin/solver/solver.h"

#include <fmt/format.h>

#include "muslin/core/check.h"
#include "muslin/core/text.h"
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
  };
  return table;
}

std::unique_ptr<Solver> make_solver(const SolverSettings& settings) {
  std::vector<std::string_view> names;
  for (const SolverEntry& entry : solvers()) {
    if (entry.name == settings.family) return entry.make(settings);
    names.push_back(entry.name);
  }
  const std::string nearest = nearest_name(settings.family, names);
  throw Error(ErrorKind::invalid,
              fmt::format("/solver/family: unknown solver \"{}\"; {}", settings.family,
                          nearest.empty() ? fmt::format("known are {}", fmt::join(names, ", "))
                                          : fmt::format("did you mean \"{}\"?", nearest)));
}

}  // namespace muslin
