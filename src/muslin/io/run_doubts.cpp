#include "muslin/io/run_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "muslin/core/text.h"

namespace muslin {

namespace {

constexpr double kSuspiciousStrain = 0.1;  // of the 99th percentile
constexpr double kLongFrame = 1;           // [s] nobody draws fewer pictures

/// How long a family works at a step.
struct Effort {
  int iterations = 0;
  double tolerance = 0;  ///< [m]; 0: always all iterations
};

// Of the families that iterate on the incremental potential.
std::optional<Effort> effort_of(const SolverSettings& solver) {
  const auto effort = [](const auto& settings) { return Effort{settings.iterations, settings.tolerance}; };
  if (solver.family == "implicit") return effort(solver.implicit);
  if (solver.family == "newton") return effort(solver.newton);
  if (solver.family == "block_descent") return effort(solver.block_descent);
  if (solver.family == "projective") return effort(solver.projective);
  if (solver.family == "quasi_newton")
    return Effort{solver.quasi_newton.most_iterations(), solver.quasi_newton.nearness()};
  return {};
}

bool gives_springs(const Scene& scene) {
  return std::any_of(scene.cloths.begin(), scene.cloths.end(),
                     [](const Cloth& cloth) { return cloth.springs.has_value(); });
}

bool is_pbd(const SolverSettings& solver) {
  return solver.family == "position" && solver.position.method == PositionMethod::pbd;
}

// Sweeps of constraints leave forces that the next substeps take back while cloth moves: of these, where a
// run ends tells, and only what is larger than the weight. Sweeps without stiffness have no forces.
bool is_swept(const RunRecord& record) { return record.scene.solver.family == "position"; }
constexpr double kUnbalanced = 1;  // of the weight

bool is_far_from_material(const RunRecord& record) {
  return is_swept(record) && !is_pbd(record.scene.solver) && lost_in(record.tally.last) > kUnbalanced;
}

bool is_ended_by_distance(const SolverSettings& solver) {
  return solver.family == "newton" || solver.family == "quasi_newton";
}

// Steps that left weight unbalanced and should not have.
struct Unsolved {
  int count = 0;
  FrameReport worst;
};

// Where the distance to a step's minimum ends the step, what it leaves is the stiffness of the cloth times
// less than that distance, and its places are right to it. That matters where gravity moves cloth hardly
// farther within a step, and only while cloth moves.
Unsolved find_unsolved(const RunRecord& record) {
  const RunTally& tally = record.tally;
  const SolverSettings& solver = record.scene.solver;
  if (is_swept(record)) return {};
  if (!is_ended_by_distance(solver)) return {tally.unsolved, tally.most_lost};
  // Tolerances of sdirk2 fall with the square of a step below 1/60 s, so that they mean an acceleration
  const QuasiNewtonSettings& settings = solver.quasi_newton;
  const bool scales = solver.family == "quasi_newton" && settings.integrator == Integrator::sdirk2;
  const double taken = record.scene.frame_time / std::max(record.substeps, tally.most_lost.step.steps);
  const double step = scales ? std::max(taken, 1.0 / 60) : taken;
  const bool is_far_below =
      effort_of(solver)->tolerance < RunTally::kUnsolved * record.scene.gravity.norm() * step * step;
  return is_far_below ? Unsolved{tally.unsolved_missed, tally.most_lost_missed}
                      : Unsolved{tally.unsolved_moving, tally.most_lost_moving};
}

// --- what would help -------------------------------------------------------------------------------

std::string advice_on_explicit(const ExplicitSettings& settings) {
  if (!settings.spring_forces) return "more substeps may hold it (--set solver/explicit/substeps=…)";
  const std::string_view rest =
      "softer springs or fabric, or heavier cloth, need fewer; an implicit solver needs none of it";
  if (!settings.substeps)
    return fmt::format(
        "more substeps than stability asks for may hold it (--set solver/explicit/substeps=…); {}", rest);
  return fmt::format(
      "explicit steps must be short against the stiffest spring, and solver/explicit/substeps is {}: --set "
      "solver/explicit/substeps=null takes as many as stability needs; {}",
      *settings.substeps, rest);
}

// `path`: of the family's settings.
std::string advice_on_rho(std::string_view path, double rho) {
  return fmt::format(
      "Chebyshev with {0}/rho = {1:.6g} goes on past where it should stop: --set {0}/rho=null measures it, "
      "or "
      "give a smaller one",
      path, rho);
}

std::string advice_on_implicit(const ImplicitSettings& settings) {
  const bool overshoots = settings.acceleration == Acceleration::chebyshev && settings.rho;
  std::string words = overshoots ? advice_on_rho("solver/implicit", *settings.rho) : "";
  if (!overshoots && settings.direction == Direction::uniform && settings.uniform_factor < 4)
    words =
        fmt::format("solver/implicit/uniform_factor = {:.4g} makes the steps of descent too long: 4 is safe",
                    settings.uniform_factor);
  if (settings.check_every == 0 && !overshoots)  // a restart with a shorter step keeps what overshoots
    words += fmt::format("{}--set solver/implicit/check_every=8 catches descent that diverges",
                         words.empty() ? "" : "; ");
  return words.empty() ? "more substeps may hold it (--set solver/implicit/substeps=…)" : words;
}

// Before the name of the setting: a quality has to go first.
std::string set_substeps_of(const SolverSettings& solver) {
  const bool chosen = solver.family == "position" && solver.position.quality;
  return fmt::format("{}--set solver/{}/substeps=", chosen ? "--set solver/position/quality=null " : "",
                     solver.family);
}

std::string advice_on_family(const RunRecord& record) {
  const SolverSettings& solver = record.scene.solver;
  if (solver.family == "explicit") return advice_on_explicit(solver.explicit_);
  if (solver.family == "implicit") return advice_on_implicit(solver.implicit);
  if (solver.family == "block_descent" && solver.block_descent.acceleration == Acceleration::chebyshev &&
      solver.block_descent.rho)
    return advice_on_rho("solver/block_descent", *solver.block_descent.rho);
  const std::string substeps = fmt::format("more substeps may hold it ({}…)", set_substeps_of(solver));
  if (solver.family == "position") return substeps;
  // These take what the scene asks for seriously.
  if (record.tally.last.failure == Failure::overstretched)
    return "less force or speed, or a stiffer fabric may hold it; " + substeps;
  return substeps;
}

// Cloth that lies in one place without being joined cannot be kept apart, however long a solver works.
bool is_held_by_seams(const RunRecord& record) {
  return !record.open_seams.empty() && record.scene.self_collision.enabled;
}
constexpr const char* kSewFirst = "cloth that has open seams may hold itself there: sew it first";

// "more solver/quasi_newton/milliseconds than 30", if the clock ends steps.
std::string more_time(const SolverSettings& solver) {
  if (solver.family != "quasi_newton" || !solver.quasi_newton.milliseconds) return "";
  return fmt::format("more solver/quasi_newton/milliseconds than {:.4g}", *solver.quasi_newton.milliseconds);
}

// What lets a solver come to its tolerance.
std::string more_iterations(const RunRecord& record) {
  const SolverSettings& solver = record.scene.solver;
  if (is_held_by_seams(record)) return fmt::format("; {}", kSewFirst);
  if (const std::string time = more_time(solver); !time.empty())
    return fmt::format("; the clock ends steps: {} bring it there", time);
  const std::string setting = solver.family == "baraff_witkin" ? "linear_iterations" : "iterations";
  return fmt::format("; shorter steps, or more iterations (--set solver/{}/{}=…), bring it there",
                     solver.family, setting);
}

// Steps that were not solved: what would solve them.
std::string advice_on_unsolved(const RunRecord& record, const FrameReport& worst) {
  const SolverSettings& solver = record.scene.solver;
  if (is_held_by_seams(record)) return kSewFirst;
  const std::optional<Effort> effort = effort_of(solver);
  if (!effort) return "more substeps would bring them nearer";
  if (const std::string time = more_time(solver); !time.empty())
    return fmt::format("the clock ends steps: {} would come nearer", time);
  std::string words =
      effort->tolerance > 0 && worst.step.status == Status::ok
          ? fmt::format("a smaller solver/{0}/tolerance than {1:.3g} m", solver.family, effort->tolerance)
          : fmt::format("more solver/{}/iterations than {}", solver.family, effort->iterations);
  if (solver.family == "implicit" && solver.implicit.acceleration == Acceleration::none)
    words += ", or --set solver/implicit/acceleration=chebyshev,";
  words += " would come nearer";
  if (solver.family != "newton" && solver.family != "quasi_newton")
    words += "; --solver newton solves each step";
  return words;
}

// Whether steps follow the material so closely that what they show is its own doing.
bool follows_material(const RunRecord& record) {
  const SolverSettings& solver = record.scene.solver;
  if (record.tally.not_converged > 0 || find_unsolved(record).count > 0 || is_far_from_material(record) ||
      record.tally.cut > 0)
    return false;
  if (solver.family == "explicit") return solver.explicit_.spring_forces;
  if (is_pbd(solver)) return false;
  const std::optional<Effort> effort = effort_of(solver);
  return (effort && effort->tolerance > 0) || record.tally.knows_gravity;
}

std::string advice_on_strain(const RunRecord& record) {
  const SolverSettings& solver = record.scene.solver;
  if (is_pbd(solver))
    return "pbd holds lengths and knows no material: how far they stretch depends on its iterations and "
           "substeps";
  if (!follows_material(record))
    return solver.family == "position" || solver.family == "explicit"
               ? "more substeps tell whether the solver does it or the material"
               : "more iterations tell whether the solver does it or the material";
  if (gives_springs(record.scene))
    return fmt::format(
        "so much the scene asks of these springs: stiffer ones (cloths/…/springs) or lighter cloth "
        "would change it{}",
        solver.family == "explicit" && solver.explicit_.stretch_limit
            ? ", and more solver/explicit/limit_sweeps hold the stretch_limit"
            : "");
  return "so much the scene asks of this fabric: stiffer warp and weft, a strain_limit or other pins would "
         "change it";
}

// --- the doubts ------------------------------------------------------------------------------------

using Doubts = std::vector<std::string>;

void doubt_outcome(const RunRecord& record, Doubts& doubts) {
  const FrameReport& last = record.tally.last;
  if (record.outcome == "diverged")
    doubts.push_back(fmt::format("{} in frame {} (t = {:.4g} s): {}; {}",
                                 last.failure >= Failure::over_budget ? "given up" : "diverged", last.frame,
                                 last.time, describe(last.failure), advice(record)));
  if (record.outcome == "time_limit")
    doubts.push_back(fmt::format("--time-limit ended the run before frame {} of {} was done", last.frame + 1,
                                 record.scene.frames));
}

void doubt_convergence(const RunRecord& record, Doubts& doubts) {
  const int frames = record.tally.frames - 1;
  if (const int missed = record.tally.not_converged; missed > 0)
    doubts.push_back(fmt::format("{} of {} frames stopped before the solver's tolerance was reached{}",
                                 missed, frames, more_iterations(record)));
  const auto [count, worst] = find_unsolved(record);
  if (record.outcome == "diverged" || count == 0) return;
  const double lost = *worst.step.lost_gravity;
  // Where nothing balances the weight and yet nothing falls, that is the first thing to be said
  const bool hangs = lost > RunTally::kHangs && 2 * count > record.tally.frames;
  const bool is_missed = worst.step.status != Status::ok || !is_ended_by_distance(record.scene.solver);
  doubts.push_back(fmt::format(
      "{}steps {} up to {:.0f} % of gravity (frame {}; over {:.0f} % in {} of {} frames): {}; {}",
      hangs ? "the cloth hangs in the air, for its solver has lost gravity: " : "",
      lost > 0 ? "lost" : "made up forces of", 100 * lost_in(worst), worst.frame, 100 * RunTally::kUnsolved,
      count, frames,
      is_missed
          ? "they were not solved"
          : "they ended at the solver's tolerance, which is as far as gravity moves cloth within such a step",
      advice_on_unsolved(record, worst)));
}

void doubt_seams(const RunRecord& record, Doubts& doubts) {
  for (const OpenSeams& seams : record.open_seams)
    doubts.push_back(fmt::format("cloth \"{}\": {} (--set cloths/{}/mesh/merge={})",
                                 record.scene.cloths.at(seams.cloth).name, describe(seams), seams.cloth,
                                 merge_text(seams)));
}

// Of lengths held by sweeps: whether the material would pull as they say.
void doubt_sweeps(const RunRecord& record, Doubts& doubts) {
  if (record.outcome == "diverged" || !is_far_from_material(record)) return;
  doubts.push_back(fmt::format(
      "xpbd has not come to its material: by that, the last step's forces are out of balance by {:.3g} times "
      "the weight of the cloth, so it is stretched further than its fabric; {}",
      lost_in(record.tally.last),
      is_held_by_seams(record)
          ? kSewFirst
          : fmt::format("more substeps bring it nearer ({}{}), and --solver quasi_newton solves each step",
                        set_substeps_of(record.scene.solver), 4 * record.substeps)));
}

// A quality is a promise for nine frames of ten: cloth that is caught by its pins passes it for a moment.
void doubt_quality(const RunRecord& record, Doubts& doubts) {
  const std::optional<PositionQuality>& quality = record.scene.solver.position.quality;
  if (record.outcome == "diverged" || !is_swept(record) || !quality) return;
  const int frames = record.tally.frames - 1;
  const int missed = record.tally.over_quality[static_cast<size_t>(*quality)];
  if (10 * missed <= frames) return;
  const FrameReport& worst = record.tally.most_strained;
  doubts.push_back(
      fmt::format("the quality \"{}\" was missed in {} of {} frames: 1 % of the edges stretched by up to "
                  "{:.2g} % (frame {}); "
                  "`muslin tune` tells what other settings give",
                  name_of(*quality), missed, frames, 100 * worst.strain_p99, worst.frame));
}

void doubt_strain(const RunRecord& record, Doubts& doubts) {
  if (record.outcome == "diverged") return;
  const FrameReport& softest = record.tally.most_strained;
  if (softest.strain_p99 > kSuspiciousStrain)
    doubts.push_back(fmt::format(
        "edges stretched by up to {:.0f} % (1 % of them by over {:.0f} %, frame {}): cloth seldom does; {}",
        100 * softest.strain_max, 100 * softest.strain_p99, softest.frame, advice_on_strain(record)));
  const FrameReport& tautest = record.tally.most_limited;
  if (tautest.limit_ratio > 1)
    doubts.push_back(fmt::format(
        "warp or weft stretched to {:.5g} times the strain limit (frame {}): pulled harder than the "
        "limit holds, or by steps that stopped too early",
        *tautest.limit_ratio, tautest.frame));
}

// What pairs cut off a displacement is gone, and what drew it there is stretched.
void doubt_cuts(const RunRecord& record, Doubts& doubts) {
  if (record.tally.cut == 0 || !is_swept(record)) return;
  doubts.push_back(fmt::format(
      "displacements were cut short {} time{}, for cloth would have met cloth: that takes momentum, and "
      "stretches what is drawn on; more substeps cut less ({}{})",
      record.tally.cut, record.tally.cut == 1 ? "" : "s", set_substeps_of(record.scene.solver),
      4 * record.substeps));
}

void doubt_contact(const RunRecord& record, Doubts& doubts) {
  const std::vector<Collider>& colliders = record.scene.colliders;
  const FrameReport& held = record.tally.most_blocked;
  const int blocked = held.step.blocked_collider;
  if (held.step.blocked > 0 && blocked >= 0 && blocked < std::ssize(colliders) && colliders[blocked].frames)
    doubts.push_back(fmt::format(
        "\"{}\" deforms, and frames for other programs have it as its file does, not where cloth stopped it",
        colliders[blocked].name));
  if (held.step.blocked > 0)
    doubts.push_back(fmt::format(
        "{} stopped up to {} short of where the scene wants it (frame {}): {}",
        held.step.blocked_collider < 0 ? "a pin" : '"' + colliders[held.step.blocked_collider].name + '"',
        distance_text(held.step.blocked), held.frame,
        held.step.jammed ? "it jammed cloth that could not give way"
                         : "its way took more iterations than a step has"));
  const FrameReport& jumped = record.tally.most_jumped;
  if (jumped.step.jumped > 0)
    doubts.push_back(
        fmt::format("\"{}\" went through cloth: it passed {} vertices from one side to the other within one "
                    "step of frame {}; {} looks at vertices where a step ends: more substeps see it, and "
                    "quasi_newton lets nothing through",
                    colliders[jumped.step.jumped_collider].name, jumped.step.jumped, jumped.frame,
                    record.scene.solver.family));
}

void doubt_restarts(const RunRecord& record, Doubts& doubts) {
  if (const int restarts = record.tally.restarts; restarts > 0)
    doubts.push_back(fmt::format("descent diverged and was restarted {} time{} with a shorter step", restarts,
                                 restarts == 1 ? "" : "s"));
}

}  // namespace

std::string advice(const RunRecord& record) {
  if (record.scene.frame_time > kLongFrame)
    return fmt::format("frame_time is {:.4g} s: is it in milliseconds? 60 frames a second are 0.01667 s",
                       record.scene.frame_time);
  if (record.tally.last.failure == Failure::stuck)
    return fmt::format("smaller steps may find one ({}…), slower bodies or thicker cloth, too",
                       set_substeps_of(record.scene.solver));
  if (record.tally.last.failure == Failure::over_budget)
    return "what the scene asks of this solver may have no end; --set solver/budget=… gives it more";
  return advice_on_family(record);
}

std::string largest_error(const RunRecord& record) {
  const RunTally& tally = record.tally;
  const StepReport& worst = tally.most_mistimed.step;
  const SolverSettings& solver = record.scene.solver;
  if (!worst.time_error || record.outcome == "diverged") return "";
  const double left = worst.distance_left.value_or(0) * std::max(worst.steps, record.substeps);
  const bool is_of_time = *worst.time_error >= left;
  const auto error = [](double metres) { return distance_text(metres); };
  const std::string what =
      is_of_time ? fmt::format("largest known error: steps in time, {} in frame {}, {} in all",
                               error(*worst.time_error), tally.most_mistimed.frame, error(tally.time_error))
                 : fmt::format("largest known error: solver, {} in frame {}", error(left),
                               tally.most_mistimed.frame);
  const bool chooses = solver.family == "quasi_newton" && !solver.quasi_newton.substeps;
  const std::string remedy = !is_of_time ? fmt::format("--set solver/{}/tolerance=…", solver.family)
                             : chooses   ? fmt::format("--set solver/quasi_newton/accuracy={:.2g}",
                                                       solver.quasi_newton.error_of_frame() / 4)
                                         : fmt::format("{}{}", set_substeps_of(solver), 4 * record.substeps);
  return fmt::format("{}\n  {} lowers it; the mesh's is not known", what, remedy);
}

std::vector<std::string> doubts_about(const RunRecord& record) {
  Doubts doubts;
  doubt_seams(record, doubts);
  doubt_outcome(record, doubts);
  doubt_convergence(record, doubts);
  doubt_sweeps(record, doubts);
  doubt_quality(record, doubts);
  doubt_cuts(record, doubts);
  doubt_strain(record, doubts);
  doubt_contact(record, doubts);
  doubt_restarts(record, doubts);
  return doubts;
}

}  // namespace muslin
