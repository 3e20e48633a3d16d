#include "muslin/io/run_record.h"

#include <fmt/format.h>

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
          {"ms", {{"frame", frame.ms}, {"solve", step.solve_ms}, {"contact", step.contact_ms}}}};
}

}  // namespace

std::string encode_run(const RunRecord& record) {
  Json frames = Json::array();
  for (const FrameReport& frame : record.frames) frames.push_back(encode(frame));
  const Json run{{"muslin", std::string(version())},
                 {"outcome", record.outcome},
                 {"seed", record.scene.seed},
                 {"threads", record.threads},
                 {"substeps", record.substeps},
                 {"warnings", record.warnings},
                 {"folder", absolute_folder(record.scene)},
                 {"scene", Json::parse(write_scene(record.scene))},
                 {"frames", frames}};
  return run.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";  // names may be no UTF-8
}

}  // namespace muslin
