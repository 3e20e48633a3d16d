#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "muslin/model/input.h"
#include "muslin/model/model.h"
#include "muslin/model/report.h"

namespace muslin {

/// Advances a State by one substep. Holds numerical settings, and scratch memory made for the one model that it is
/// used with.
class Solver {
 public:
  virtual ~Solver() = default;

  /// How many equal steps a frame of `frame_time` seconds is cut into.
  virtual int substeps(const Model& model, double frame_time) const = 0;

  /// What of the model this solver leaves out, one sentence, or "".
  virtual std::string limits(const Model&) const { return ""; }

  /// One step of h seconds. Never throws for numerical trouble: the report's status says so.
  virtual StepReport step(const Model& model, const Input& input, State& state, double h) = 0;

  /// Calls `watch` with the positions before the first and after every iteration of a step, from now on.
  void watch(std::function<void(const Points& iterate)> watch) { watch_ = std::move(watch); }

 protected:
  void show(const Points& iterate) const {
    if (watch_) watch_(iterate);
  }

 private:
  std::function<void(const Points& iterate)> watch_;
};

/// A line of the table of solvers.
struct SolverEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Solver> (*make)(const SolverSettings& settings);
};

/// Every solver family.
const std::vector<SolverEntry>& solvers();

/// The solver that settings.family names. Throws Error(invalid) if there is none.
std::unique_ptr<Solver> make_solver(const SolverSettings& settings);

}  // namespace muslin
