#include "muslin/io/run_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "muslin/core/check.h"
#include "muslin/io/blocked_json.h"
#include "muslin/io/json_text.h"
#include "muslin/io/scene_json.h"
#include "muslin/model/report_fields.h"
#include "muslin/platform/processes.h"
#include "muslin/version.h"

namespace muslin {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kIndent = 1;  // of run.json

// Where the scene's mesh files are, from wherever the record is read.
std::string absolute_folder(const Scene& scene) {
  std::error_code error;
  const auto folder =
      std::filesystem::absolute(scene.folder.empty() ? "." : scene.folder, error).lexically_normal();
  return error ? scene.folder : folder.string();
}

// --- frames ----------------------------------------------------------------------------------------

template <class T>
concept Enumeration = std::is_enum_v<T>;

Json to_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json to_json(int value) { return value; }
Json to_json(std::int64_t value) { return value; }
Json to_json(bool value) { return value; }
Json to_json(std::uint64_t hash) { return fmt::format("{:016x}", hash); }
Json to_json(const Vec3& v) { return {to_json(v.x()), to_json(v.y()), to_json(v.z())}; }
Json to_json(Enumeration auto value) { return std::string(name_of(value)); }
template <class T>
Json to_json(const std::optional<T>& value) {
  return value ? to_json(*value) : Json(nullptr);
}

Json encode(const FrameReport& frame) {
  Json json = Json::object();
  report_fields(frame,
                [&](const char* name, const auto& value, const FieldInfo&) { json[name] = to_json(value); });
  json["ms"] = {{"frame", frame.ms}, {"solve", frame.step.solve_ms}, {"contact", frame.step.contact_ms}};
  return json;
}

// Of a number that was not finite the record says null: what begins infinite stays so.
void from_json(const Json& json, double& value) {
  if (!json.is_null()) json.get_to(value);
  if (json.is_null() && !std::isinf(value)) value = std::numeric_limits<double>::quiet_NaN();
}
void from_json(const Json& json, int& value) { value = need_whole<int>(json, "a count"); }
void from_json(const Json& json, std::int64_t& value) { value = need_whole<std::int64_t>(json, "a count"); }
void from_json(const Json& json, bool& value) { json.get_to(value); }
void from_json(const Json& json, std::uint64_t& hash) {
  const auto digits = json.get<std::string>();
  const char* const end = digits.data() + digits.size();
  if (const auto [stop, error] = std::from_chars(digits.data(), end, hash, 16);
      error != std::errc() || stop != end)
    throw Error(ErrorKind::invalid, "hash: must be hexadecimal, got " + digits);
}
void from_json(const Json& json, Vec3& vector) {
  for (int axis = 0; axis < 3; ++axis) from_json(json.at(axis), vector[axis]);
}
template <Enumeration E>
void from_json(const Json& json, E& value) {
  const auto name = json.get<std::string>();
  const auto& names = EnumNames<E>::names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw Error(ErrorKind::invalid, fmt::format("must be one of {}, got {}", fmt::join(names, ", "), name));
  value = static_cast<E>(found - names.begin());
}
template <class T>
void from_json(const Json& json, std::optional<T>& value) {
  if (json.is_null()) return;
  from_json(json, value.emplace());
}

FrameReport decode_frame(const Json& json) {
  FrameReport frame;
  report_fields(frame,
                [&](const char* name, auto& value, const FieldInfo&) { from_json(json.at(name), value); });
  const Json& ms = json.at("ms");
  from_json(ms.at("frame"), frame.ms);
  from_json(ms.at("solve"), frame.step.solve_ms);
  from_json(ms.at("contact"), frame.step.contact_ms);
  return frame;
}

Json encode(const Reactions& reactions) {
  Json pins = Json::array(), colliders = Json::array();
  for (const PinReaction& pin : reactions.pins)
    pins.push_back({{"vertices", pin.vertices}, {"reaction", to_json(pin.reaction)}});
  for (const ColliderLoad& load : reactions.colliders)
    colliders.push_back({{"vertices", load.vertices},
                         {"normal", to_json(load.normal)},
                         {"friction", to_json(load.friction)}});
  return {{"pins", pins}, {"colliders", colliders}};
}

Reactions decode_reactions(const Json& json) {
  Reactions reactions;
  for (const Json& row : json.at("pins")) {
    PinReaction& pin = reactions.pins.emplace_back();
    from_json(row.at("vertices"), pin.vertices);
    from_json(row.at("reaction"), pin.reaction);
  }
  for (const Json& row : json.at("colliders")) {
    ColliderLoad& load = reactions.colliders.emplace_back();
    from_json(row.at("vertices"), load.vertices);
    from_json(row.at("normal"), load.normal);
    from_json(row.at("friction"), load.friction);
  }
  return reactions;
}

Json encode(const BlockedBodies& blocked) {
  Json list = Json::array();
  for (const auto& [collider, pose] : blocked) {
    Json rows = Json::array();
    for (int row = 0; row < 3; ++row) rows.push_back(to_json(Vec3(pose.rotation.row(row).transpose())));
    list.push_back(
        {{"collider", collider}, {"rotation", std::move(rows)}, {"translation", to_json(pose.translation)}});
  }
  return list;
}

// --- the whole -------------------------------------------------------------------------------------

// What a quality chose, each with its name; both ways follow from it.
template <class Settings, class Visit>
void each_chosen(Settings& position, Visit&& visit) {
  visit("path", position.path);
  visit("substeps", position.substeps);
  visit("iterations", position.iterations);
  visit("coarse", position.coarse);
}

Json encode_chosen(const std::optional<PositionSettings>& chosen) {
  if (!chosen) return nullptr;
  Json json = Json::object();
  each_chosen(*chosen, [&](const char* name, const auto& value) { json[name] = to_json(value); });
  return json;
}

// What does not change from frame to frame.
Json encode_setting(const RunRecord& record) {
  const Fingerprint& fingerprint = record.fingerprint;
  return {
      {"muslin", record.program.empty() ? std::string(version()) : record.program},
      {"process", platform::process_number()},
      {"seed", record.scene.seed},
      {"threads", record.threads},
      {"substeps", record.substeps},
      {"chosen", encode_chosen(record.chosen)},
      {"options",
       {{"formats", record.formats}, {"checkpoint", record.checkpoint}, {"repair", record.repair}}},
      {"fingerprint",
       {{"shapes", fingerprint.shapes}, {"numbers", fingerprint.numbers}, {"solver", fingerprint.solver}}},
      {"folder", absolute_folder(record.scene)},
      {"scene", Json::parse(write_scene(record.scene))}};
}

Json encode_result(const RunRecord& record) {
  std::vector<std::string> warnings = record.warnings;
  warnings.insert(warnings.end(), record.doubts.begin(), record.doubts.end());
  return {{"outcome", record.outcome},
          {"warnings", warnings},
          {"doubts", record.doubts.size()},
          {"not_converged", record.tally.not_converged}};
}

Json of_type(const char* type, const Json& members) {
  Json line{{"type", type}};
  line.update(members);
  return line;
}

void decode_setting(const Json& json, RunRecord& record) {
  json.at("muslin").get_to(record.program);
  record.threads = need_whole<int>(json.at("threads"), "threads");
  record.substeps = need_whole<int>(json.at("substeps"), "substeps");
  if (const Json& chosen = json.at("chosen"); !chosen.is_null())
    each_chosen(record.chosen.emplace(),
                [&](const char* name, auto& value) { from_json(chosen.at(name), value); });
  const Json& options = json.at("options");
  options.at("formats").get_to(record.formats);
  record.checkpoint = need_whole<int>(options.at("checkpoint"), "checkpoint");
  options.at("repair").get_to(record.repair);
  const Json& fingerprint = json.at("fingerprint");
  fingerprint.at("shapes").get_to(record.fingerprint.shapes);
  fingerprint.at("numbers").get_to(record.fingerprint.numbers);
  fingerprint.at("solver").get_to(record.fingerprint.solver);
  json.at("folder").get_ref<const std::string&>();
  json.at("scene").get_ref<const Json::object_t&>();
}

void decode_result(const Json& json, RunRecord& record) {
  if (json.contains("series")) json["series"].get_to(record.series);
  json.at("outcome").get_to(record.outcome);
  json.at("warnings").get_to(record.warnings);
  const std::size_t doubts =
      std::min(need_whole<std::size_t>(json.at("doubts"), "doubts"), record.warnings.size());
  record.doubts.assign(record.warnings.end() - static_cast<std::ptrdiff_t>(doubts), record.warnings.end());
  record.warnings.resize(record.warnings.size() - doubts);
}

void decode_frames(const Json& frames, WholeRecord& run) {
  frames.get_ref<const Json::array_t&>();
  for (const Json& row : frames) {
    RecordedFrame& frame = run.frames.emplace_back();
    frame.report = decode_frame(row);
    if (row.contains("reactions")) frame.reactions = decode_reactions(row.at("reactions"));
    const int number = frame.report.frame, place = static_cast<int>(run.frames.size()) - 1;
    if (number != place)
      throw Error(ErrorKind::invalid, fmt::format("frame {} stands in the place of {}", number, place));
    if (row.contains("sha256")) row["sha256"].get_to(frame.files);
    if (row.contains("blocked_bodies")) frame.blocked = decode_blocked_bodies(row["blocked_bodies"]);
    if (row.contains("intersections"))
      run.record.intersections[number] = need_whole<int>(row["intersections"], "intersections");
    run.record.tally.add(frame.report);
  }
}

std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";  // names may be no UTF-8
}

}  // namespace

std::string encode_head(const RunRecord& record) {
  Json run = encode_result(record);
  run.update(encode_setting(record));
  if (!record.series.empty()) run["series"] = record.series;
  run["frames"] = Json::array();
  const std::string text = text_of(run, kIndent);
  return text.substr(0, text.rfind(']'));
}

std::string encode_row(const RecordedFrame& frame, const std::optional<int>& intersections) {
  Json row = encode(frame.report);
  if (frame.reactions) row["reactions"] = encode(*frame.reactions);
  if (intersections) row["intersections"] = *intersections;
  if (!frame.blocked.empty()) row["blocked_bodies"] = encode(frame.blocked);
  if (!frame.files.empty()) row["sha256"] = frame.files;
  std::string lines = frame.report.frame == 0 ? "" : ",";
  const std::string text = '\n' + row.dump(kIndent);
  for (const char c : text) {
    lines += c;
    if (c == '\n') lines.append(2 * kIndent, ' ');  // in a list of the whole
  }
  return lines;
}

std::string encode_tail(bool has_rows) { return has_rows ? "\n ]\n}\n" : "]\n}\n"; }

std::string encode_run(const WholeRecord& run) {
  std::string text = encode_head(run.record);
  for (const RecordedFrame& frame : run.frames) {
    const auto looked = run.record.intersections.find(frame.report.frame);
    const bool was_looked_at = looked != run.record.intersections.end();
    text += encode_row(frame, was_looked_at ? std::optional(looked->second) : std::nullopt);
  }
  return text + encode_tail(!run.frames.empty());
}

WholeRecord decode_run(const std::string& text, const std::string& name) {
  check_depth(text, name);
  const Json json = Json::parse(text, nullptr, false);
  const auto fail = [&](const std::string& words) {
    throw Error(ErrorKind::invalid, name + ": must be the record of a run of this Muslin: " + words);
  };
  if (json.is_discarded()) fail("it is no JSON");
  WholeRecord run;
  try {
    decode_setting(json, run.record);
    decode_result(json, run.record);
    decode_frames(json.at("frames"), run);
  } catch (const Json::exception& error) {
    fail(error.what());
  } catch (const Error& error) {
    fail(error.what());
  }
  run.record.scene = parse_scene(json["scene"].dump(), name, json["folder"].get<std::string>());
  return run;
}

std::string encode_begin(const RunRecord& record) {
  Json setting = of_type("run", encode_setting(record));
  setting["warnings"] = record.warnings;
  return text_of(setting, -1);
}

std::string encode_frame(const FrameReport& frame) { return text_of(of_type("frame", encode(frame)), -1); }

std::string encode_end(const RunRecord& record) { return text_of(of_type("end", encode_result(record)), -1); }

}  // namespace muslin
