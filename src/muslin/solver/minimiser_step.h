#pragma once
#include <optional>

#include "muslin/model/measure.h"
#include "muslin/solver/step.h"
#include "muslin/solver/step_problem.h"

namespace muslin {

/// A step of all families that minimise the incremental potential F; they differ in `minimise`.
class MinimiserStep : public Solver {
  struct Stage;

 public:
  int substeps(const Model&, const Controls&, double) const override {
    return stepping_.substeps.value_or(stepping_.usual_substeps);
  }

 protected:
  MinimiserStep(const Stepping& stepping, ContactForm contact) : stepping_(stepping), contact_(contact) {}

  /// Minimises F from x = y, or from a guess where F is less, with pins at their targets. Reports iterations,
  /// last_move, status, linear_iterations.
  virtual void minimise(const StepProblem& problem, Points& x, StepReport& report) = 0;

 private:
  const Stepping* stepping() const override { return &stepping_; }
  StepReport advance(const Model& model, const Input& input, State& state, double h) override;
  StepReport advance_one_stage(const Model& model, const Input& input, State& state, double h);
  StepReport advance_two_stages(const Model& model, const Input& input, State& state, double h);
  StepReport solve_stage(const Model& model, const Input& input, const Stage& stage, State& state, Points& x);
  void finish_contact(const Objective& objective, const ContactEnergy& contact, const Input& input,
                      const Points& start, Points& x, StepReport& report);
  void remember(const Points& start, bool touches, const Points& acceleration, State& state) const;
  void mark_touched(const ContactEnergy& contact, const Points& before, const Points& x,
                    const StepReport& report);

  const Stepping stepping_;
  const ContactForm contact_;
  Energies energies_;  // with damping and pulls of this step
  Scratch scratch_;
  Points gradient_;
  VertexMemory memory_;
  std::vector<char> touched_;  // 1: contact pushes the vertex at the end of a stage
};

/// Steps by a Minimiser, which is kept while model and controls stay the same:
///
///   explicit Minimiser(const Settings&)      Settings derive from Stepping
///   kContact                                 a ContactForm
///   void minimise(const StepProblem&, Points& x, StepReport&)
template <class Minimiser, class Settings>
class MinimiserStepOf final : public MinimiserStep {
 public:
  explicit MinimiserStepOf(const Settings& settings)
      : MinimiserStep(settings, Minimiser::kContact), settings_(settings) {}

 private:
  void forget() override { minimiser_.emplace(settings_); }
  void minimise(const StepProblem& problem, Points& x, StepReport& report) override {
    minimiser_->minimise(problem, x, report);
  }

  const Settings settings_;
  std::optional<Minimiser> minimiser_;
};

}  // namespace muslin
