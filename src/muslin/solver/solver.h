#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "muslin/model/input.h"
#include "muslin/model/model.h"
#include "muslin/model/report.h"
#include "muslin/solver/methods.h"

namespace muslin {

/// Advances a State by one substep. Holds numerical settings, and scratch memory made for the model and the
/// controls of the step before.
class Solver {
 public:
  virtual ~Solver() = default;

  /// How many equal steps a frame of `frame_time` seconds is cut into.
  virtual int substeps(const Model& model, const Controls& controls, double frame_time) const = 0;

  /// What of the model this solver leaves out in frames of so many seconds, one sentence, or "".
  virtual std::string limits(const Model&, double /*frame_time*/) const { return ""; }

  /// One step of h seconds; where Stepping::adaptive is set, in parts, of which none is shorter than
  /// h/2^halvings [Baraff 1998, §6]. Never throws for numerical trouble: the report's status says so.
  StepReport step(const Model& model, const Input& input, State& state, double h);

  /// Calls `watch` with the positions before the first and after every iteration of a step, from now on.
  void watch(std::function<void(const Points& iterate)> watch) { watch_ = std::move(watch); }

 protected:
  /// What a family does in one step of h seconds, or in the part of one that `input` tells of. Where
  /// Input::may_be_cut is set, it may ask for StepReport::parts instead. The state's positions and velocities
  /// are new afterwards, its time is not.
  virtual StepReport advance(const Model& model, const Input& input, State& state, double h) = 0;

  /// How steps are cut into parts; null for families that take each as it comes.
  virtual const Stepping* stepping() const { return nullptr; }

  /// The model or the controls have another revision than in the step before: gives up what was made for it.
  virtual void forget() {}

  /// Families call it with the positions before the first and after every iteration.
  void show(const Points& iterate) const {
    if (watch_) watch_(iterate);
  }

 private:
  void forget_if_stale(const Model& model, const Controls& controls);

  std::uint64_t model_revision_ = 0, controls_revision_ = 0;
  std::function<void(const Points& iterate)> watch_;
};

/// What a family makes of an energy.
struct Support {
  /// How far it goes.
  enum Level {
    runs,      ///< it acts
    left_out,  ///< the run goes on without it and warns
    refused,   ///< the scene is refused
  };
  Level level = runs;  ///< which of them
  std::string_view setting =
      "";  ///< where it is not run: what stands in the way, below /solver, as "position/method"
  std::string_view value = "";  ///< and its value, as "pbd"
};
/// The support of families that run every energy.
inline Support runs_everything(const SolverSettings&, std::string_view) { return {}; }

/// What there is to know of a family. Each tells it in its own file, by the function NAME_family().
struct SolverEntry {
  std::string_view name = "";     ///< as the list of families has it (model/settings.h)
  std::string_view summary = "";  ///< one line without its full stop
  /// A solver with these settings.
  std::unique_ptr<Solver> (*make)(const SolverSettings& settings) = nullptr;
  /// For an energy's kName; says nothing of settings of other families.
  Support (*support)(const SolverSettings& settings, std::string_view energy) = runs_everything;
  /// Whether it moves vertices by conditions, which an energy from outside may lack
  /// (CustomEnergy::is_square).
  bool by_conditions = false;
  bool keeps_out = false;  ///< lets nothing into colliders, so that cloth has to begin outside of them
  /// Whether pairs of elements of cloth keep apart, so that cloth never passes through cloth.
  bool (*keeps_pairs_apart)(const SolverSettings& settings) = [](const SolverSettings&) { return false; };
  /// Puts numbers in the place of what settings only aim at, for this model and frames of so many seconds.
  void (*settle)(SolverSettings& settings, const Model& model,
                 double frame_time) = [](SolverSettings&, const Model&, double) {};
  bool implicit_in_time = true;    ///< takes the common step of a comparison; others live on many small ones
  bool tells_convergence = false;  ///< Status::ok says that a step came to its minimum
  std::vector<Method> methods = {};  ///< by which people call it; one has the family's own name
};

#define MUSLIN_DECLARE_FAMILY(name, member, Settings, whose) /** What the family says of itself. */ \
  SolverEntry name##_family();
MUSLIN_SOLVER_FAMILIES(MUSLIN_DECLARE_FAMILY)
#undef MUSLIN_DECLARE_FAMILY

/// Every solver family, in the order of the list.
const std::vector<SolverEntry>& solvers();

/// Whether a solver lets nothing through: cloth has to begin outside colliders, as it does not let it out.
/// Others push vertices out.
bool keeps_out(const SolverSettings& settings);
/// Whether cloth never passes through cloth where it meets itself.
bool keeps_pairs_apart(const SolverSettings& settings);

/// The settings with numbers for what they only aim at, as PositionSettings::quality: what make_solver takes.
SolverSettings settled(const SolverSettings& settings, const Model& model, double frame_time);

/// Why a solver with these settings cannot run the model, with the place in the scene and what can; or "".
std::string find_refusal(const Model& model, const SolverSettings& settings);

/// What of a model a solver made with these settings leaves out, and what may pass between vertices where
/// only these are kept apart; or "". Edges can cross whose ends stay less than 1/√2 of their length apart,
/// and colliders get through that are narrower than an edge.
std::string limits_of(const Solver& solver, const Model& model, const SolverSettings& settings,
                      double frame_time);

/// The solver that settings.family names. Throws Error(invalid) if there is none.
std::unique_ptr<Solver> make_solver(const SolverSettings& settings);

}  // namespace muslin
