#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "muslin/changed_scene.h"
#include "muslin/model/field.h"

// A plan of a sweep: one scene, run many times with other values.

namespace muslin {

/// Values from one number to another, both included.
struct PlannedSpan {
  double from = 0;  ///< first value
  double to = 1;    ///< last value
  int count = 2;    ///< how many

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("from", self.from, {"first value"});
    visit("to", self.to, {"last value"});
    visit("count", self.count, {"how many values, both ends among them", "", Range::between(2, 1e6)});
  }
};

/// Random numbers, even between two bounds; the same for the same seed.
struct PlannedDraws {
  double low = 0;          ///< least value
  double high = 1;         ///< values are below
  int count = 1;           ///< how many
  std::uint64_t seed = 0;  ///< of this axis

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("low", self.low, {"least value"});
    visit("high", self.high, {"bound that values stay below"});
    visit("count", self.count, {"how many values", "", Range::between(1, 1e6)});
    visit("seed", self.seed, {"seed of the draws"});
  }
};

/// A place of the scene and the values that it takes, in one of five ways.
struct PlannedAxis {
  std::string set;                       ///< path in the scene, as --set has it
  std::vector<double> values;            ///< numbers
  std::vector<std::string> words;        ///< anything that --set takes: a word, or JSON
  std::optional<PlannedSpan> range;      ///< equal differences
  std::optional<PlannedSpan> log_range;  ///< equal ratios
  std::optional<PlannedDraws> draws;     ///< random numbers

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("set", self.set, {"path of the value in the scene, as --set has it"});
    visit("values", self.values, {"numbers, one a run"});
    visit("words", self.words, {"values as --set takes them: words, or JSON"});
    visit("range", self.range, {"numbers with equal differences"});
    visit("log_range", self.log_range, {"numbers above 0 with equal ratios"});
    visit("draws", self.draws, {"random numbers"});
  }
};

/// How the values of several axes meet.
enum class Combine { products, zipped };
template <>
struct EnumNames<Combine> {
  static constexpr std::array<std::string_view, 2> names{"products", "zipped"};
};

/// What a sweep runs, and what it keeps.
struct SweepPlan {
  std::string name;               ///< for people
  std::string scene;              ///< file, from the plan's folder, or a shipped scene
  std::vector<std::string> set;   ///< PATH=VALUE for all runs
  std::vector<PlannedAxis> axes;  ///< the last one changes fastest
  Combine combine = Combine::products;
  std::string solver;         ///< a method; "": the scene's
  std::optional<int> frames;  ///< absent: the scene's
  int checkpoint = 0;         ///< frames between two saved states; 0: none are saved
  std::vector<std::string> figures{"lost_gravity", "strain_max", "kinetic_energy", "elastic_energy"};
  bool pictures = false;  ///< of the last frame of every run

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("name", self.name, {"what the sweep is called"});
    visit("scene", self.scene, {"scene file, seen from the plan, or the name of a shipped scene"});
    visit("set", self.set, {"PATH=VALUE, values of the scene that all runs replace"});
    visit("axes", self.axes, {"what changes from run to run"});
    visit("combine", self.combine, {"every value of an axis at every one of the others, or side by side"});
    visit("solver", self.solver, {"method instead of the scene's"});
    visit("frames", self.frames, {"frames instead of the scene's number", "", Range::between(1, 1e7)});
    visit("checkpoint", self.checkpoint, {"frames between two saved states", "", Range::between(0, 1e7)});
    visit("figures", self.figures,
          {"columns of the table: what a frame tells, of the last frame; or max, min or mean of it, of all"});
    visit("pictures", self.pictures, {"keep a picture of the last frame of every run, for the page"});
  }
};

/// Most runs of one plan.
inline constexpr std::size_t kMostRuns = 1'000'000;
/// Most values of all runs of one plan together.
inline constexpr std::size_t kMostValues = 10'000'000;

/// Reads a plan. Throws Error(invalid) with all that is wrong, one line each, as scenes do: also paths that
/// no scene has, and figures that there are not.
SweepPlan parse_plan(const std::string& text, const std::string& name);

/// What every run of the plan replaces of the scene besides SweepPlan::set: one list a run, one entry an
/// axis. Random numbers are functions of seed and place [core/random.h].
std::vector<std::vector<Override>> planned_runs(const SweepPlan& plan);

/// The scene of a run of the plan, whose `scene` is a file: with what all runs replace, then with the run's
/// own. Throws as read_changed_scene does.
Scene planned_scene(const SweepPlan& plan, const std::vector<Override>& values);

/// JSON Schema (draft-07) of plans, for editors.
std::string plan_schema();

}  // namespace muslin
