#include "muslin/io/run_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "muslin/core/check.h"
#include "muslin/io/scene_json.h"
#include "muslin/version.h"

namespace muslin {

namespace {

using Json = nlohmann::ordered_json;

// Where the scene's mesh files are, from wherever the record is read.
std::string absolute_folder(const Scene& scene) {
  std::error_code error;
  const auto folder =
      std::filesystem::absolute(scene.folder.empty() ? "." : scene.folder, error).lexically_normal();
  return error ? scene.folder : folder.string();
}

// --- frames ----------------------------------------------------------------------------------------

// Every number of a frame with its name in the record, in the record's order; both ways follow from it.
template <class Report, class Visit>
void each_number(Report& frame, Visit&& visit) {
  auto& step = frame.step;
  visit("frame", frame.frame);
  visit("time", frame.time);
  visit("hash", frame.hash);
  visit("status", step.status);
  visit("failure", frame.failure);
  visit("work", frame.work);
  visit("path", step.path);
  visit("iterations", step.iterations);
  visit("linear_iterations", step.linear_iterations);
  visit("restarts", step.restarts);
  visit("rebuilds", step.rebuilds);
  visit("setups", step.setups);
  visit("detections", step.detections);
  visit("handovers", step.handovers);
  visit("rejections", step.rejections);
  visit("shortened", step.shortened);
  visit("cut", step.cut);
  visit("distance_left", step.distance_left);
  visit("residual", step.residual);
  visit("residual_start", step.residual_start);
  visit("lost_gravity", step.lost_gravity);
  visit("last_move", step.last_move);
  visit("strain_max", frame.strain_max);
  visit("strain_p99", frame.strain_p99);
  visit("strain_mean", frame.strain_mean);
  visit("limit_ratio", frame.limit_ratio);
  visit("kinetic_energy", frame.kinetic_energy);
  visit("elastic_energy", frame.elastic_energy);
  visit("potential_energy", frame.potential_energy);
  visit("center_of_mass", frame.center_of_mass);
  visit("free_fall_error", frame.free_fall_error);
  visit("contacts", step.contacts);
  visit("min_gap", step.min_gap);
  visit("least_distance", step.least_distance);
  visit("blocked", step.blocked);
  visit("blocked_collider", step.blocked_collider);
  visit("jammed", step.jammed);
  visit("jumped", step.jumped);
  visit("jumped_collider", step.jumped_collider);
}

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
  each_number(frame, [&](const char* name, const auto& value) { json[name] = to_json(value); });
  json["ms"] = {{"frame", frame.ms}, {"solve", frame.step.solve_ms}, {"contact", frame.step.contact_ms}};
  return json;
}

// Of a number that was not finite the record says null: what begins infinite stays so.
void from_json(const Json& json, double& value) {
  if (!json.is_null()) json.get_to(value);
  if (json.is_null() && !std::isinf(value)) value = std::numeric_limits<double>::quiet_NaN();
}
void from_json(const Json& json, int& value) { json.get_to(value); }
void from_json(const Json& json, std::int64_t& value) { json.get_to(value); }
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
  each_number(frame, [&](const char* name, auto& value) { from_json(json.at(name), value); });
  const Json& ms = json.at("ms");
  from_json(ms.at("frame"), frame.ms);
  from_json(ms.at("solve"), frame.step.solve_ms);
  from_json(ms.at("contact"), frame.step.contact_ms);
  return frame;
}

// --- the whole -------------------------------------------------------------------------------------

// What does not change from frame to frame.
Json encode_setting(const RunRecord& record) {
  const Fingerprint& fingerprint = record.fingerprint;
  return {
      {"muslin", record.program.empty() ? std::string(version()) : record.program},
      {"process", ::getpid()},
      {"seed", record.scene.seed},
      {"threads", record.threads},
      {"substeps", record.substeps},
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
          {"not_converged", count_not_converged(record)}};
}

Json of_type(const char* type, const Json& members) {
  Json line{{"type", type}};
  line.update(members);
  return line;
}

void decode_setting(const Json& json, RunRecord& record) {
  json.at("muslin").get_to(record.program);
  json.at("threads").get_to(record.threads);
  json.at("substeps").get_to(record.substeps);
  const Json& options = json.at("options");
  options.at("formats").get_to(record.formats);
  options.at("checkpoint").get_to(record.checkpoint);
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
  const std::size_t doubts = std::min(json.at("doubts").get<std::size_t>(), record.warnings.size());
  record.doubts.assign(record.warnings.end() - static_cast<std::ptrdiff_t>(doubts), record.warnings.end());
  record.warnings.resize(record.warnings.size() - doubts);
}

void decode_frames(const Json& frames, RunRecord& record) {
  frames.get_ref<const Json::array_t&>();
  for (const Json& frame : frames) {
    record.frames.push_back(decode_frame(frame));
    const int number = record.frames.back().frame, place = static_cast<int>(record.frames.size()) - 1;
    if (number != place)
      throw Error(ErrorKind::invalid, fmt::format("frame {} stands in the place of {}", number, place));
    auto& files = record.files.emplace_back();
    if (frame.contains("sha256")) frame["sha256"].get_to(files);
    if (frame.contains("intersections")) frame["intersections"].get_to(record.intersections[number]);
  }
}

std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";  // names may be no UTF-8
}

}  // namespace

int count_not_converged(const RunRecord& record) {
  return static_cast<int>(
      std::count_if(record.frames.begin(), record.frames.end(),
                    [](const FrameReport& frame) { return frame.step.status == Status::not_converged; }));
}

std::string encode_run(const RunRecord& record) {
  Json frames = Json::array();
  for (size_t k = 0; k < record.frames.size(); ++k) {
    frames.push_back(encode(record.frames[k]));
    const auto looked = record.intersections.find(record.frames[k].frame);
    if (looked != record.intersections.end()) frames.back()["intersections"] = looked->second;
    if (k < record.files.size() && !record.files[k].empty()) frames.back()["sha256"] = record.files[k];
  }
  Json run = encode_result(record);
  run.update(encode_setting(record));
  if (!record.series.empty()) run["series"] = record.series;
  run["frames"] = std::move(frames);
  return text_of(run, 1);
}

RunRecord decode_run(const std::string& text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, false);
  const auto fail = [&](const std::string& words) {
    throw Error(ErrorKind::invalid, name + ": must be the record of a run of this Muslin: " + words);
  };
  if (json.is_discarded()) fail("it is no JSON");
  RunRecord record;
  try {
    decode_setting(json, record);
    decode_result(json, record);
    decode_frames(json.at("frames"), record);
  } catch (const Json::exception& error) {
    fail(error.what());
  } catch (const Error& error) {
    fail(error.what());
  }
  record.scene = parse_scene(json["scene"].dump(), name, json["folder"].get<std::string>());
  return record;
}

std::string encode_begin(const RunRecord& record) {
  Json setting = of_type("run", encode_setting(record));
  setting["warnings"] = record.warnings;
  return text_of(setting, -1);
}

std::string encode_frame(const FrameReport& frame) { return text_of(of_type("frame", encode(frame)), -1); }

std::string encode_end(const RunRecord& record) { return text_of(of_type("end", encode_result(record)), -1); }

}  // namespace muslin
