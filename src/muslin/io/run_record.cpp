#include "muslin/io/run_record.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "muslin/io/scene_json.h"
#include "muslin/version.h"

namespace muslin {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }
Json vector(const Vec3& v) { return {number(v.x()), number(v.y()), number(v.z())}; }

// Where the scene's mesh files are, from wherever the record is read.
std::string absolute_folder(const Scene& scene) {
  std::error_code error;
  const auto folder =
      std::filesystem::absolute(scene.folder.empty() ? "." : scene.folder, error).lexically_normal();
  return error ? scene.folder : folder.string();
}

Json encode(const FrameReport& frame) {
  const StepReport& step = frame.step;
  return {{"frame", frame.frame},
          {"time", frame.time},
          {"hash", fmt::format("{:016x}", frame.hash)},
          {"status", std::string(name_of(step.status))},
          {"failure", std::string(name_of(frame.failure))},
          {"work", frame.work},
          {"path", step.path ? Json(name_of(*step.path)) : Json(nullptr)},
          {"iterations", step.iterations},
          {"linear_iterations", step.linear_iterations},
          {"restarts", step.restarts},
          {"rebuilds", step.rebuilds},
          {"handovers", step.handovers},
          {"rejections", step.rejections},
          {"shortened", step.shortened},
          {"cut", step.cut},
          {"residual", number(step.residual)},
          {"residual_start", number(step.residual_start)},
          {"lost_gravity", number(step.lost_gravity)},
          {"last_move", number(step.last_move)},
          {"strain_max", number(frame.strain_max)},
          {"strain_p99", number(frame.strain_p99)},
          {"strain_mean", number(frame.strain_mean)},
          {"limit_share", number(frame.limit_share)},
          {"kinetic_energy", number(frame.kinetic_energy)},
          {"elastic_energy", number(frame.elastic_energy)},
          {"potential_energy", number(frame.potential_energy)},
          {"center_of_mass", vector(frame.center_of_mass)},
          {"free_fall_error", frame.free_fall_error ? vector(*frame.free_fall_error) : Json(nullptr)},
          {"contacts", step.contacts},
          {"min_gap", number(step.min_gap)},
          {"least_distance", number(step.least_distance)},
          {"held_up", number(step.held_up)},
          {"squeezes", step.squeezes},
          {"jumped", step.jumped},
          {"ms", {{"frame", frame.ms}, {"solve", step.solve_ms}, {"contact", step.contact_ms}}}};
}

// What does not change from frame to frame.
Json encode_setting(const RunRecord& record) {
  return {{"muslin", std::string(version())},
          {"process", ::getpid()},
          {"seed", record.scene.seed},
          {"threads", record.threads},
          {"substeps", record.substeps},
          {"folder", absolute_folder(record.scene)},
          {"scene", Json::parse(write_scene(record.scene))}};
}

Json encode_result(const RunRecord& record) {
  return {{"outcome", record.outcome}, {"warnings", record.warnings}};
}

Json of_type(const char* type, const Json& members) {
  Json line{{"type", type}};
  line.update(members);
  return line;
}

std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";  // names may be no UTF-8
}

}  // namespace

std::string encode_run(const RunRecord& record) {
  Json frames = Json::array();
  for (size_t k = 0; k < record.frames.size(); ++k) {
    frames.push_back(encode(record.frames[k]));
    if (k < record.files.size() && !record.files[k].empty()) frames.back()["sha256"] = record.files[k];
  }
  Json run = encode_result(record);
  run.update(encode_setting(record));
  run["frames"] = std::move(frames);
  return text_of(run, 1);
}

std::string encode_begin(const RunRecord& record) {
  Json setting = of_type("run", encode_setting(record));
  setting["warnings"] = record.warnings;
  return text_of(setting, -1);
}

std::string encode_frame(const FrameReport& frame) { return text_of(of_type("frame", encode(frame)), -1); }

std::string encode_end(const RunRecord& record) { return text_of(of_type("end", encode_result(record)), -1); }

}  // namespace muslin
