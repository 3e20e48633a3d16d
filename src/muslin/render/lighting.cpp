#include "muslin/render/lighting.h"

#include <algorithm>
#include <cmath>

#include "muslin/render/gl.h"
#include "muslin/render/shaders.h"

namespace muslin {
namespace {

const Vec3 kKeyDirection = Vec3(-0.75, 1.0, 0.55).normalized();
constexpr double kGoldenAngle = 2.39996322972865332;

/// How finely light is worked out.
struct Fineness {
  int key_resolution, key_taps, key_first_taps;
  int sky_resolution, sky_directions;
  int sky_turns;  // a part of the sky's maps is drawn anew when the stage changes, the whole in so many turns
};

Fineness fineness(Quality quality) {
  switch (quality) {
    case Quality::draft:
      return {1024, 6, 3, 64, 16, 4};
    case Quality::good:
      return {2048, 10, 4, 128, 40, 1};
    case Quality::best:
      break;
  }
  return {2048, 16, 16, 160, shaders::kMostSkyDirections, 1};
}

/// Even over the whole sphere [Vogel 1979].
std::vector<Vec3> sky_directions(int count) {
  std::vector<Vec3> directions;
  for (int i = 0; i < count; ++i) {
    const double y = 1 - (2 * i + 1.0) / count, angle = i * kGoldenAngle;
    const double out = std::sqrt(1 - y * y);
    directions.emplace_back(out * std::cos(angle), y, out * std::sin(angle));
  }
  return directions;
}

/// Even over a disc, in units of the depth map; the first ones lie farthest out.
std::vector<Vec2> sunflower(int count) {
  constexpr double kRadius = 0.0048;
  std::vector<Vec2> disc;
  for (int i = 0; i < count; ++i) {
    const double r = kRadius * std::sqrt((i + 0.5) / count), angle = i * kGoldenAngle;
    disc.emplace_back(r * std::cos(angle), r * std::sin(angle));
  }
  std::reverse(disc.begin(), disc.end());
  return disc;
}

/// Whether maps for one ball do for another, which lies in it and is not much smaller.
bool is_near(const Ball& ball, const Ball& room) {
  constexpr double kLeast = 0.7;
  return (ball.center - room.center).norm() + ball.radius <= room.radius &&
         ball.radius >= kLeast * room.radius;
}

/// As `sky_radiance` in common.glsl.
Vec3 sky_radiance(const Vec3& direction) {
  const double t = std::clamp((direction.y() + 0.35) / 0.90, 0.0, 1.0), s = t * t * (3 - 2 * t);
  return (1 - s) * 0.55 * Vec3(1.00, 0.94, 0.87) + s * 0.95 * Vec3(0.95, 0.98, 1.03);
}

/// The sky's light on a level plane that sees all of it.
Vec3 open_sky(const std::vector<Vec3>& directions) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& d : directions) sum += sky_radiance(d) * std::max(d.y(), 0.0);
  return 4 * sum / static_cast<double>(directions.size());
}

}  // namespace

Vec3 key_direction() { return kKeyDirection; }

Lighting::Lighting()
    : depth_(std::make_unique<Program>(shaders::depth())), sky_(std::make_unique<Program>(shaders::sky())) {}

Lighting::~Lighting() = default;

void Lighting::draw_map(const DepthMaps& maps, int layer, const Vec3& direction,
                        const Casters& casters) const {
  maps.begin(layer);
  depth_->set("clip", light_clip(direction, stage_));
  casters.cloth.draw();
  glEnable(GL_CULL_FACE);
  casters.solids.draw();
  glDisable(GL_CULL_FACE);
}

void Lighting::draw_depth(const Ball& stage, Quality quality, bool shadows, const Casters& casters) {
  const Fineness fine = fineness(quality);
  bool all = fine.sky_turns == 1 || quality != quality_ || shadows != shadows_ || !is_near(stage, stage_);
  if (!key_map_ || quality != quality_) {
    key_map_ = std::make_unique<DepthMaps>(fine.key_resolution, 1);
    sky_maps_ = std::make_unique<DepthMaps>(fine.sky_resolution, fine.sky_directions);
    all = true;
  }
  constexpr double kRoom = 1.1;  // so that cloth may move before all maps are due
  if (all) stage_ = {stage.center, (fine.sky_turns == 1 ? 1 : kRoom) * stage.radius};
  quality_ = quality;
  shadows_ = shadows;
  if (!shadows) return;

  depth_->use();
  draw_map(*key_map_, 0, kKeyDirection, casters);
  turn_ = (turn_ + 1) % fine.sky_turns;
  const std::vector<Vec3> directions = sky_directions(fine.sky_directions);
  for (int i = 0; i < fine.sky_directions; ++i)
    if (all || i % fine.sky_turns == turn_) draw_map(*sky_maps_, i, directions[i], casters);
}

void Lighting::bake_sky(const std::vector<const DrawBuffer*>& lit) const {
  const Fineness fine = fineness(quality_);
  std::vector<Mat3> axes;
  for (const Vec3& direction : sky_directions(fine.sky_directions))
    axes.push_back(light_axes(direction, stage_));
  sky_->use();
  sky_->set("sky_axes", axes);
  sky_->set("sky_count", fine.sky_directions);
  sky_->set("sky_center", stage_.center);
  sky_->set("sky_offset", 2.5 * stage_.radius / fine.sky_resolution);
  sky_->set("sky_shadow", shadows_ ? 1 : 0);
  sky_maps_->bind(0);
  sky_->set("sky_maps", 0);
  for (const DrawBuffer* buffer : lit) buffer->bake();
}

void Lighting::apply(const Program& program) const {
  const Fineness fine = fineness(quality_);
  program.set("key_direction", kKeyDirection);
  program.set("key_clip", light_clip(kKeyDirection, stage_));
  program.set("key_offset", 6 * stage_.radius / fine.key_resolution);
  program.set("key_shadow", shadows_ ? 1 : 0);
  program.set("key_taps", fine.key_taps);
  program.set("key_first_taps", fine.key_first_taps);
  program.set("key_disc", sunflower(fine.key_taps));
  program.set("open_sky", open_sky(sky_directions(fine.sky_directions)));
  key_map_->bind(0);
  program.set("key_map", 0);
}

}  // namespace muslin
