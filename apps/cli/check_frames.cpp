// The command that judges the frames of a run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "commands.h"
#include "muslin/audit/names.h"
#include "muslin/audit/verdict.h"
#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/core/text.h"
#include "muslin/io/file.h"
#include "muslin/io/run_folder.h"
#include "muslin/model/model.h"
#include "muslin/model/motion.h"
#include "obj_of_places.h"
#include "progress.h"
#include "streams.h"

using namespace muslin;
using Json = nlohmann::ordered_json;

namespace {

struct CheckFramesArguments {
  std::string folder, obj;
  std::optional<double> within;  // [m]
  int threads = 0;
  bool verbose = false, quiet = false, json = false, force = false;
};

/// The frames of a run, made sure to be complete and of one kind.
class Frames {
 public:
  explicit Frames(const std::string& folder)
      : run_(read_run_folder(folder)), model_(build_model(run_.scene)), count_(count_frames(run_)) {}

  int count() const { return count_; }
  const Model& model() const { return model_; }
  const std::set<int>& blocked() const { return run_.blocked; }
  Moment moment(int frame) const {
    const double time = frame * run_.scene.frame_time;
    return {time, places_with_bodies(model_, read_frame(run_, frame, model_), time),
            !run_.blocked.contains(frame)};
  }
  /// That the whole run would have.
  int wanted() const { return run_.scene.frames + 1; }
  /// As in run.json; "" if it says none.
  const std::string& outcome() const { return run_.outcome; }
  /// Files that are no longer what the run wrote; nothing if that is not recorded.
  std::optional<std::vector<std::string>> changed() const {
    return run_.sums.empty() ? std::nullopt : std::optional(changed_files(run_));
  }
  bool whole() const { return count_ >= wanted() && run_.outcome != "diverged"; }

 private:
  RunFolder run_;
  Model model_;
  int count_;
};

// --- what is said ----------------------------------------------------------------------------------

/// The verdicts on all frames, with the words for them. Where one is pointed to, its place in the list is its
/// frame.
class Summary {
 public:
  Summary(const Frames& frames, const Judge& judge, std::vector<Verdict> verdicts)
      : frames_(frames),
        model_(frames.model()),
        judge_(judge),
        verdicts_(std::move(verdicts)),
        changed_(frames.changed()) {}

  /// Whether any file is no longer what the run wrote.
  bool tampered() const { return changed_ && !changed_->empty(); }
  bool clean() const { return !first_bad(); }
  int frame_of(const Verdict* verdict) const { return static_cast<int>(verdict - verdicts_.data()); }
  const Verdict* first_bad() const {
    return first([](const Verdict& v) { return !v.clean(); });
  }

  std::string text() const {
    return fmt::format("frames              {} of {} vertices, {} triangles\n", verdicts_.size(),
                       model_.vertex_count(), model_.triangles.size()) +
           "intersecting pairs  " + meeting_text() + "\nleast gap           " + gap_text() +
           "\ninside colliders    " + inside_text() + "\ncut by colliders    " + cut_text() +
           "\nlayer order         " + crossing_text() + "\nthrough colliders   " + through_text() + "\n" +
           doubted_text() + possible_text() + blocked_text() + left_out_text() + changed_text();
  }

  Json json() const {
    return {{"type", "verdict"},
            {"clean", clean()},
            {"vertices", model_.vertex_count()},
            {"triangles", model_.triangles.size()},
            {"searched_within", judge_.within()},
            {"intersecting_pairs", {{"total", total(&Verdict::meeting)}, {"first", meeting_json()}}},
            {"least_gap", gap_json()},
            {"inside_colliders",
             {{"total", total(&Verdict::inside)},
              {"first", inside_json(first_of(&Verdict::inside))},
              {"deepest", inside_json(deepest_of(&Verdict::inside))}}},
            {"cut_by_colliders",
             {{"total", total(&Verdict::cut)},
              {"first", cut_json(first_of(&Verdict::cut))},
              {"deepest", cut_json(deepest_of(&Verdict::cut))}}},
            {"layer_crossings",
             {{"total", total(&Verdict::crossings)},
              {"first", crossing_json()},
              {"doubted", total(&Verdict::doubted)}}},
            {"through_colliders",
             {{"total", total(&Verdict::through)},
              {"first", through_json()},
              {"possible", total(&Verdict::possible)}}},
            {"blocked", frames_.blocked()},
            {"outcome", frames_.outcome()},
            {"frames_wanted", frames_.wanted()},
            {"changed_files", changed_ ? Json(*changed_) : Json(nullptr)}};
  }

 private:
  /// A finding and the frame that it is in.
  template <class T>
  struct Found {
    int frame;
    T what;
  };
  template <class T>
  std::optional<Found<T>> first_of(std::vector<T> Verdict::*findings) const {
    const Verdict* const v = first([&](const Verdict& verdict) { return !(verdict.*findings).empty(); });
    return v ? std::optional(Found<T>{frame_of(v), (v->*findings)[0]}) : std::nullopt;
  }
  template <class T>
  std::optional<Found<T>> deepest_of(std::vector<T> Verdict::*findings) const {
    std::optional<Found<T>> deepest;
    for (const Verdict& v : verdicts_)
      for (const T& one : v.*findings)
        if (!deepest || one.depth > deepest->what.depth) deepest = Found<T>{frame_of(&v), one};
    return deepest;
  }

  template <class Wanted>
  const Verdict* first(const Wanted& wanted) const {
    const auto found = std::find_if(verdicts_.begin(), verdicts_.end(), wanted);
    return found == verdicts_.end() ? nullptr : &*found;
  }
  const Verdict* first_meeting() const {
    return first([](const Verdict& v) { return !v.meeting.empty(); });
  }
  const Verdict* first_crossing() const {
    return first([](const Verdict& v) { return !v.crossings.empty(); });
  }
  template <class Findings>
  std::size_t total(Findings Verdict::*findings) const {
    std::size_t sum = 0;
    for (const Verdict& v : verdicts_) sum += (v.*findings).size();
    return sum;
  }
  /// "26 in 9 frames".
  template <class Findings>
  std::string counted(Findings Verdict::*findings) const {
    const auto frames = std::count_if(verdicts_.begin(), verdicts_.end(),
                                      [&](const Verdict& v) { return !(v.*findings).empty(); });
    return fmt::format("{} in {} frame{}", total(findings), frames, frames == 1 ? "" : "s");
  }

  const Verdict* narrowest() const {
    const Verdict* narrowest = nullptr;
    for (const Verdict& v : verdicts_)
      if (v.gap && (!narrowest || v.gap->distance < narrowest->gap->distance)) narrowest = &v;
    return narrowest;
  }

  std::string meeting_text() const {
    const Verdict* const v = first_meeting();
    if (!v) return "none";
    const auto& [a, b] = v->meeting[0];
    return fmt::format("{}; first in frame {}: {} and {} at {}", counted(&Verdict::meeting), frame_of(v),
                       triangle_name(model_, a), triangle_name(model_, b), place_name(v->meeting_place));
  }
  std::string gap_text() const {
    const Verdict* const v = narrowest();
    const std::string where = first_meeting() ? " (where nothing intersects)" : "";
    if (judge_.within() == 0) return "not looked for: the cloth has no thickness; see --within";
    if (!v) return fmt::format("above {}{}", distance_text(judge_.within()), where);
    return fmt::format("{}{} in frame {}: {} at {}", distance_text(v->gap->distance), where, frame_of(v),
                       pair_name(model_, judge_.surface(), *v->gap), place_name(v->gap->place));
  }
  std::string inside_text() const {
    const auto one = [&](const Found<InsideVertex>& i) {
      return fmt::format("frame {}: {}, {} inside {}", i.frame, vertex_name(model_, i.what.vertex),
                         distance_text(i.what.depth), collider_name(i.what.collider));
    };
    if (total(&Verdict::inside) == 0) return none();
    return fmt::format("{}; first in {}; deepest in {}", counted(&Verdict::inside),
                       one(*first_of(&Verdict::inside)), one(*deepest_of(&Verdict::inside)));
  }
  std::string cut_text() const {
    const auto one = [&](const Found<CutTriangle>& c) {
      return fmt::format("frame {}: {}, {} inside {} at {}", c.frame, triangle_name(model_, c.what.triangle),
                         distance_text(c.what.depth), collider_name(c.what.collider),
                         place_name(c.what.place));
    };
    if (total(&Verdict::cut) == 0) return none();
    return fmt::format("{}, between vertices; first in {}; deepest in {}", counted(&Verdict::cut),
                       one(*first_of(&Verdict::cut)), one(*deepest_of(&Verdict::cut)));
  }
  std::string through_text() const {
    const auto found = first_of(&Verdict::through);
    if (!found) return none();
    return fmt::format("{}; first between frames {} and {}: {} and {}", counted(&Verdict::through),
                       found->frame - 1, found->frame, vertex_name(model_, found->what.vertex),
                       collider_name(found->what.collider));
  }
  std::string none() const { return model_.colliders.empty() ? "none: there are no colliders" : "none"; }
  std::string collider_name(int collider) const { return "\"" + model_.colliders[collider].name + "\""; }
  std::string crossing_text() const {
    const Verdict* const v = first_crossing();
    if (!v) return "kept";
    return fmt::format("crossed: {}; first between frames {} and {}: {} at {}", counted(&Verdict::crossings),
                       frame_of(v) - 1, frame_of(v), pair_name(model_, judge_.surface(), v->crossings[0]),
                       place_name(v->crossings[0].place));
  }
  std::string doubted_text() const {
    const Verdict* const v = first([](const Verdict& verdict) { return !verdict.doubted.empty(); });
    if (!v) return "";
    return fmt::format(
        "note                {} changed sides on the straight way, which is no passage here: the frames do "
        "not "
        "prove it, the order is right at the end, or they turned by more than a right angle meanwhile, as "
        "folds that snap over do; first between frames {} and {}: {} at {}\n",
        counted(&Verdict::doubted), frame_of(v) - 1, frame_of(v),
        pair_name(model_, judge_.surface(), v->doubted[0]), place_name(v->doubted[0].place));
  }
  std::string possible_text() const {
    const auto found = first_of(&Verdict::possible);
    if (!found) return "";
    return fmt::format(
        "note                {} passed through colliders on the straight way, which the frames do not prove: "
        "cloth may have gone round; first between frames {} and {}: {} and {}\n",
        counted(&Verdict::possible), found->frame - 1, found->frame, vertex_name(model_, found->what.vertex),
        collider_name(found->what.collider));
  }

  std::string blocked_text() const {
    const std::set<int>& blocked = frames_.blocked();
    const bool any_moves = std::any_of(model_.colliders.begin(), model_.colliders.end(),
                                       [](const Collider& collider) { return moves(collider); });
    if (blocked.empty() || !any_moves) return "";
    return fmt::format(
        "moving colliders    not judged in {} frame{}, first {}, last {}: the run held them up\n",
        blocked.size(), blocked.size() == 1 ? "" : "s", *blocked.begin(), *blocked.rbegin());
  }
  std::string left_out_text() const {
    if (frames_.whole()) return "";
    const std::string& outcome = frames_.outcome();
    return fmt::format("left out            the run {}: {} of its {} frames are there\n",
                       outcome == "diverged" || outcome == "failed" ? outcome
                       : outcome == "interrupted"                   ? "was interrupted"
                       : outcome == "time_limit"                    ? "ran out of time"
                                                                    : "did not come to its end",
                       frames_.count(), frames_.wanted());
  }
  std::string changed_text() const {
    if (!tampered()) return changed_ ? "files               as the run wrote them\n" : "";
    return fmt::format("files               {} of the frames differ from what the run wrote: {}\n",
                       changed_->size(), fmt::join(*changed_, ", "));
  }

  static Json place_json(const Vec3& p) { return {p.x(), p.y(), p.z()}; }
  Json meeting_json() const {
    const Verdict* const v = first_meeting();
    if (!v) return nullptr;
    const auto& [first, second] = v->meeting[0];
    const UserElement a = user_triangle_of(model_, first), b = user_triangle_of(model_, second);
    return {{"frame", frame_of(v)},
            {"triangles", {a.number, b.number}},
            {"vertices", {vertices_of(model_, a), vertices_of(model_, b)}},
            {"collider", b.collider ? Json(b.collider->name) : Json(nullptr)},
            {"place", place_json(v->meeting_place)}};
  }
  Json pair_json(const ElementPair& pair) const {
    return {{"elements", pair_name(model_, judge_.surface(), pair)},
            {"distance", pair.distance},
            {"place", place_json(pair.place)}};
  }
  Json gap_json() const {
    const Verdict* const v = narrowest();
    if (!v) return nullptr;
    Json json = pair_json(*v->gap);
    json["frame"] = frame_of(v);
    return json;
  }
  Json crossing_json() const {
    const Verdict* const v = first_crossing();
    if (!v) return nullptr;
    Json json = pair_json(v->crossings[0]);
    json["frames"] = {frame_of(v) - 1, frame_of(v)};
    return json;
  }
  Json inside_json(const std::optional<Found<InsideVertex>>& inside) const {
    if (!inside) return nullptr;
    return {{"frame", inside->frame},
            {"vertex", model_.vertex_numbers.to_user(inside->what.vertex)},
            {"collider", model_.colliders[inside->what.collider].name},
            {"depth", inside->what.depth}};
  }
  Json cut_json(const std::optional<Found<CutTriangle>>& cut) const {
    if (!cut) return nullptr;
    return {{"frame", cut->frame},
            {"triangle", model_.triangle_numbers.to_user(cut->what.triangle)},
            {"collider", model_.colliders[cut->what.collider].name},
            {"depth", cut->what.depth},
            {"place", place_json(cut->what.place)}};
  }
  Json through_json() const {
    const auto found = first_of(&Verdict::through);
    if (!found) return nullptr;
    return {{"frames", {found->frame - 1, found->frame}},
            {"vertex", model_.vertex_numbers.to_user(found->what.vertex)},
            {"collider", model_.colliders[found->what.collider].name}};
  }

  const Frames& frames_;
  const Model& model_;
  const Judge& judge_;
  std::vector<Verdict> verdicts_;
  std::optional<std::vector<std::string>> changed_;
};

Json frame_json(int frame, const Verdict& v) {
  return {{"type", "frame"},
          {"frame", frame},
          {"intersecting_pairs", v.meeting.size()},
          {"least_gap", v.gap ? Json(v.gap->distance) : Json(nullptr)},
          {"inside_colliders", v.inside.size()},
          {"cut_by_colliders", v.cut.size()},
          {"layer_crossings", v.crossings.size()},
          {"through_colliders", v.through.size()}};
}

void print_verdict(int frame, const Verdict& v) {
  const std::string gap = v.gap ? fmt::format("{:.4g}", 1000 * v.gap->distance) : "-";
  print("{:>6} {:>14} {:>8} {:>8} {:>8} {:>10} {:>8}\n", frame, v.meeting.size(), gap, v.inside.size(),
        v.cut.size(), v.crossings.size(), v.through.size());
}

/// The triangles to look at in a frame that is not clean.
std::string obj_of(const Frames& frames, const Surface& surface, int frame, const Verdict& verdict) {
  Place meeting{"intersecting", {}}, crossing{"crossing", {}}, inside{"inside", {}}, cut{"cut", {}},
      through{"through", {}};
  const auto add_around = [&](int vertex, Place& place) {
    if (vertex >= frames.model().vertex_count()) return;  // a body's
    const Incidence& around = frames.model().triangle_incidence;
    place.triangles.insert(place.triangles.end(), around.item.begin() + around.begin[vertex],
                           around.item.begin() + around.begin[vertex + 1]);
  };
  for (const auto& [a, b] : verdict.meeting) meeting.triangles.insert(meeting.triangles.end(), {a, b});
  for (const ElementPair& pair : verdict.crossings) {
    if (pair.kind == PairOf::vertex_triangle) {
      add_around(pair.first, crossing);
      crossing.triangles.push_back(pair.second);
    } else {
      for (const int edge : {pair.first, pair.second}) add_around(surface.edges[edge][0], crossing);
    }
  }
  for (const InsideVertex& vertex : verdict.inside) add_around(vertex.vertex, inside);
  for (const CutTriangle& triangle : verdict.cut) cut.triangles.push_back(triangle.triangle);
  for (const ThroughVertex& vertex : verdict.through) add_around(vertex.vertex, through);
  return obj_of_places(frames.model(), frames.moment(frame).places, surface.triangles,
                       {meeting, crossing, inside, cut, through});
}

std::vector<Verdict> judge_all(const Frames& frames, const Judge& judge,
                               const CheckFramesArguments& options) {
  const bool lines = options.verbose && !options.json;
  if (lines)
    print("{:>6} {:>14} {:>8} {:>8} {:>8} {:>10} {:>8}\n", "frame", "intersections", "gap mm", "inside",
          "cut", "crossings", "through");
  Countdown countdown("frame", frames.count(), options.quiet || lines);
  std::vector<Verdict> verdicts;
  Moment earlier{}, before{};
  for (int frame = 0; frame < frames.count(); ++frame) {
    Moment moment = frames.moment(frame);
    verdicts.push_back(judge.judge(moment, before, earlier));
    if (lines) print_verdict(frame, verdicts.back());
    if (options.json) print("{}\n", frame_json(frame, verdicts.back()).dump());
    earlier = std::exchange(before, std::move(moment));
    countdown.done(frame + 1);
  }
  countdown.end();
  doubt_crossings(judge.surface(), before.places, verdicts);
  return verdicts;
}

void check_frames(const CheckFramesArguments& options) {
  set_threads(options.threads);
  const Frames frames(options.folder);
  const double twice_thickness = 4 * frames.model().half_thickness.maxCoeff();
  const Judge judge(frames.model(), options.within.value_or(twice_thickness));
  const Summary summary(frames, judge, judge_all(frames, judge, options));
  if (options.json)
    print("{}\n", summary.json().dump());
  else if (!options.quiet)
    print("{}", summary.text());
  const Verdict* const bad = summary.first_bad();
  if (!bad && summary.tampered()) throw Exit{kInvalid};
  if (!bad) return;
  if (!options.obj.empty())
    write_file(options.obj, obj_of(frames, judge.surface(), summary.frame_of(bad), *bad), options.force,
               Links::followed);
  throw Exit{kFailed};
}

}  // namespace

void add_check_frames_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("check-frames", R"(Judge the frames of a run: does anything pass through anything?

Examples:
  muslin run sphere_drape --out drape && muslin check-frames drape
  muslin check-frames drape -v                        a line a frame
  muslin check-frames drape --obj bad.obj             the triangles to look at, of the first bad frame
  muslin check-frames drape --json > verdict.json

The judge is exact and shares no code with contact. It finds triangles that intersect (touching counts),
the least gap, vertices inside colliders, triangles that colliders cut between vertices, and what passed
through other layers or colliders between two frames.
Vertices and triangles count from 0, through all cloths.

Files that are no longer what the run wrote, by the SHA-256 sums in run.json, are judged and named.

Exit codes: 0 nothing passes through, 1 something does, 2 usage, 3 invalid or changed frames, 5 file trouble.
)");
  const auto o = std::make_shared<CheckFramesArguments>();
  command->add_option("DIR", o->folder, "folder that `muslin run --out` filled: OBJ or PLY frames, run.json")
      ->required();
  command->add_flag("-v,--verbose", o->verbose, "a line a frame");
  command->add_flag("-q,--quiet", o->quiet, "say nothing: the exit code tells");
  command->add_flag("--json", o->json, "print JSON: a line a frame, then one of the whole; lengths in m");
  command
      ->add_option("--within", o->within, "look for gaps up to this [m] (default: twice the thickest cloth)")
      ->check(between(0, 1e3));
  command
      ->add_option("--obj", o->obj, "write the triangles to look at of the first bad frame, if there is one")
      ->type_name("FILE");
  command->add_flag("--force", o->force, "let --obj replace a file");
  command->add_option("--threads", o->threads, "most threads (0: all cores); results do not depend on it")
      ->check(CLI::Range(0, 4096));
  command->callback([o] { check_frames(*o); });
}
