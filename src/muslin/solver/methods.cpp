#include "muslin/solver/methods.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muslin/core/check.h"
#include "muslin/core/text.h"

namespace muslin {

namespace {

void choose_position(SolverSettings& settings, PositionMethod method) {
  settings.family = "position";
  settings.position.method = method;
  if (method == PositionMethod::xpbd && settings.position.sweep == Sweep::jacobi)
    settings.position.sweep = Sweep::gauss_seidel;  // averages serve PBD alone
}

void choose_implicit(SolverSettings& settings, Acceleration acceleration) {
  settings.family = "implicit";
  settings.implicit.acceleration = acceleration;
}

}  // namespace

const std::vector<Method>& methods() {
  static const std::vector<Method> table{
      {"explicit",
       "Explicit",
       "forces at the beginning of the step move the cloth; nothing is solved",
       {"#a58b73", "#86644b", "3 5"},
       [](SolverSettings& s) { s.family = "explicit"; }},
      {"pbd",
       "PBD",
       "springs are set back to their rest length, over and over; stiffness plays no part",
       {"#cf1f9c", "#e858b8", "1.5 2.5"},
       [](SolverSettings& s) { choose_position(s, PositionMethod::pbd); }},
      {"xpbd",
       "XPBD",
       "PBD that yields as much as the material does",
       {"#561580", "#a24bff", "10 3 2 3"},
       [](SolverSettings& s) {
         choose_position(s, PositionMethod::xpbd);
         s.position.path = PositionPath::general;
       }},
      {"implicit_plain",
       "Plain descent",
       "down the gradient, every vertex for itself",
       {"#c03a08", "#f2551c", "18 4"},
       [](SolverSettings& s) { choose_implicit(s, Acceleration::none); }},
      {"chebyshev",
       "Chebyshev",
       "plain descent that carries on in the direction it was going",
       {"#bb8600", "#ffd166", "8 3"},
       [](SolverSettings& s) { choose_implicit(s, Acceleration::chebyshev); }},
      {"block_descent",
       "Block descent",
       "every vertex solves its own 3x3 system, colour after colour",
       {"#006d4e", "#12a374", "5 3"},
       [](SolverSettings& s) { s.family = "block_descent"; }},
      {"projective",
       "Projective",
       "one matrix, factored once, for every step and iteration",
       {"#1f9dc9", "#8fdcff", "12 4"},
       [](SolverSettings& s) { s.family = "projective"; }},
      {"baraff_witkin",
       "Baraff–Witkin",
       "one linear system a step, then on to the next",
       {"#56442c", "#c0ea20", "9 3 2 3 2 3"},
       [](SolverSettings& s) { s.family = "baraff_witkin"; }},
      {"newton",
       "Newton",
       "linear systems until nothing moves",
       {"#1f4fd8", "#6f9dff", "24 3"},
       [](SolverSettings& s) { s.family = "newton"; }},
      {"newton_multigrid",
       "Newton multigrid",
       "Newton whose linear systems are solved on meshes of all sizes at once",
       {"#0c00b4", "#186c84", "24 3 2 3"},
       [](SolverSettings& s) {
         s.family = "newton";
         s.newton.preconditioner = Preconditioner::multigrid;
       }},
      {"quasi_newton",
       "Quasi-Newton",
       "one multigrid cycle an iteration, corrected by what the last ones taught",
       {"#609c48", "#0cfc9c", "14 3 5 3"},
       [](SolverSettings& s) { s.family = "quasi_newton"; }},
      {"position",
       "Position",
       "the position-based family as the scene sets it",
       {"#9c78fc", "#9c3cc0", "6 2 2 2"},
       [](SolverSettings& s) { s.family = "position"; }},
      {"implicit",
       "Implicit",
       "the descent family as the scene sets it",
       {"#183054", "#c0b4b4", "4 2"},
       [](SolverSettings& s) { s.family = "implicit"; }},
      {"line_xpbd",
       "Line XPBD",
       "XPBD that solves whole rows and columns of grids at once, where the scene allows it",
       {"#24010b", "#84af5c", "2 2 8 2"},
       [](SolverSettings& s) {
         choose_position(s, PositionMethod::xpbd);
         s.position.path = PositionPath::lines;
         s.position.iterations = 1;
       }},
  };
  return table;
}

const Method& find_method(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Method& method : methods()) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  const std::string nearest = nearest_name(name, names);
  throw Error(ErrorKind::invalid,
              fmt::format("unknown solver '{}'; {}", name,
                          nearest.empty() ? fmt::format("known are {}", fmt::join(names, ", "))
                                          : fmt::format("did you mean '{}'?", nearest)));
}

std::string family_of_method(std::string_view name) {
  SolverSettings settings;
  find_method(name).choose(settings);
  return settings.family;
}

}  // namespace muslin
