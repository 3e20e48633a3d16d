#pragma once
#include "muslin/solver/solver.h"

// One factory a family, and what it makes of an energy if it does not run all; the table in solver.cpp names
// them.

namespace muslin {

std::unique_ptr<Solver> make_explicit(const SolverSettings& settings);
Support explicit_support(const SolverSettings& settings, std::string_view energy);
std::unique_ptr<Solver> make_position(const SolverSettings& settings);
Support position_support(const SolverSettings& settings, std::string_view energy);
std::unique_ptr<Solver> make_implicit(const SolverSettings& settings);
std::unique_ptr<Solver> make_newton(const SolverSettings& settings);
std::unique_ptr<Solver> make_baraff_witkin(const SolverSettings& settings);
std::unique_ptr<Solver> make_block_descent(const SolverSettings& settings);
std::unique_ptr<Solver> make_projective(const SolverSettings& settings);
std::unique_ptr<Solver> make_quasi_newton(const SolverSettings& settings);

}  // namespace muslin
