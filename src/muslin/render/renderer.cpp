#include "muslin/render/renderer.h"

#include <algorithm>
#include <cmath>

#include "muslin/render/shaders.h"

namespace muslin {
namespace {

using Mat4 = Eigen::Matrix4d;

constexpr int kKeyResolution = 2048, kSkyResolution = 128;
constexpr double kPlaneRadius = 5;  // of a plane, in radii of the stage

/// What the depth maps cover.
struct Sphere {
  Vec3 center;
  double radius;
};

Sphere around(const Box& box) {
  if (box.isEmpty()) return {Vec3::Zero(), 1};
  return {box.center(), std::max(box.diagonal().norm() / 2, 1e-6)};
}

/// World to the eye's axes: x right, y up, z back.
Mat4 look(const Vec3& eye, const Vec3& back, const Vec3& up) {
  const Vec3 z = back.normalized();
  Vec3 x = up.cross(z);
  x = x.norm() > 1e-9 ? x.normalized() : z.unitOrthogonal();
  Mat4 view = Mat4::Identity();
  view.block<1, 3>(0, 0) = x.transpose();
  view.block<1, 3>(1, 0) = z.cross(x).transpose();
  view.block<1, 3>(2, 0) = z.transpose();
  view.block<3, 1>(0, 3) = -view.block<3, 3>(0, 0) * eye;
  return view;
}

/// World to clip space of the camera, near and far planes about the stage and its planes.
Mat4 camera_clip(const View& view, const Sphere& stage) {
  const Camera& camera = view.camera;
  const double reach = kPlaneRadius * stage.radius + (camera.eye - stage.center).norm();
  const double near = std::max((camera.eye - stage.center).norm() - 2 * stage.radius, reach / 2000);
  const double scale = 1 / std::tan(camera.field_of_view * M_PI / 360);
  Mat4 projection = Mat4::Zero();
  projection(0, 0) = scale * view.height / view.width;
  projection(1, 1) = scale;
  projection(2, 2) = -(reach + near) / (reach - near);
  projection(2, 3) = -2 * reach * near / (reach - near);
  projection(3, 2) = -1;
  return projection * look(camera.eye, camera.eye - camera.target, camera.up);
}

/// Rows right, up and towards a light that is far away, so long that the stage reaches from -1 to 1.
Mat3 light_axes(const Vec3& direction, const Sphere& stage) {
  return look(stage.center, direction, Vec3::UnitY()).topLeftCorner<3, 3>() / (1.02 * stage.radius);
}

/// World to clip space of that light.
Mat4 light_clip(const Vec3& direction, const Sphere& stage) {
  Mat4 clip = Mat4::Identity();
  clip.topLeftCorner<3, 3>() = light_axes(direction, stage);
  clip.row(2) *= -1;  // depth grows away from the light
  clip.topRightCorner<3, 1>() = -clip.topLeftCorner<3, 3>() * stage.center;
  return clip;
}

/// Even over the whole sphere [Vogel 1979].
std::vector<Vec3> sky_directions() {
  std::vector<Vec3> directions;
  for (int i = 0; i < shaders::kSkyDirections; ++i) {
    const double y = 1 - (2 * i + 1.0) / shaders::kSkyDirections, angle = i * M_PI * (3 - std::sqrt(5.0));
    const double out = std::sqrt(1 - y * y);
    directions.emplace_back(out * std::cos(angle), y, out * std::sin(angle));
  }
  return directions;
}

/// Checks a unit of uv, so that the longer side of the whole has `kChecks`.
Vec2 weave_scale(const Stage& stage) {
  constexpr double kChecks = 32;
  Eigen::AlignedBox2d range;
  for (const Vec2& uv : stage.uv) range.extend(uv);
  if (range.isEmpty() || range.sizes().maxCoeff() <= 0) return Vec2::Zero();
  return Vec2::Constant(kChecks / range.sizes().maxCoeff());
}

}  // namespace

struct Renderer::Light {
  Sphere stage;
  Vec3 key_direction = Vec3(-0.75, 1.0, 0.55).normalized();
  std::vector<Vec3> sky_directions = muslin::sky_directions();
};

Renderer::Renderer()
    : depth_(shaders::depth_vertex(), shaders::depth_fragment()),
      backdrop_(shaders::backdrop_vertex(), shaders::backdrop_fragment()),
      plane_(shaders::lit_vertex(), shaders::plane_fragment()),
      solid_(shaders::lit_vertex(), shaders::solid_fragment()),
      cloth_(shaders::lit_vertex(), shaders::cloth_fragment()),
      key_map_(kKeyResolution, 1),
      sky_maps_(kSkyResolution, shaders::kSkyDirections) {}

void Renderer::draw(const View& view, GLuint framebuffer) {
  const Box box = bounds(view.stage);
  const Light light{around(box)};
  upload(view.stage, box);

  // 1. what each light sees
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_SCISSOR_TEST);
  draw_depth(light);

  // 2. the backdrop
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, view.width, view.height);
  glEnable(GL_MULTISAMPLE);
  glClear(GL_DEPTH_BUFFER_BIT);
  glDepthMask(GL_FALSE);
  backdrop_.use();
  backdrop_.set("picture_size", Vec2(view.width, view.height));
  glBindVertexArray(no_vertices_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthMask(GL_TRUE);

  // 3. planes from above, solids, cloth from both sides
  set_light(plane_, view, light);
  glEnable(GL_CULL_FACE);
  plane_buffer_.draw();
  set_light(solid_, view, light);
  solid_buffer_.draw();
  glDisable(GL_CULL_FACE);
  set_light(cloth_, view, light);
  cloth_.set("weave_scale", weave_scale(view.stage));
  cloth_buffer_.draw();
}

void Renderer::upload(const Stage& stage, const Box& box) {
  const Sphere sphere = around(box);
  const double gap = 1e-3 * sphere.radius;
  Drawable solids, planes;
  const auto add_plane = [&](Pose plane) {
    plane.translation -= gap * plane.rotation.col(1);  // cloth may lie on it
    planes.append(plane_drawable(plane, sphere.center, kPlaneRadius * sphere.radius));
  };
  if (stage.ground) add_plane({Mat3::Identity(), {0, *stage.ground, 0}});
  for (const PosedCollider& posed : stage.colliders) {
    if (posed.collider.shape == Shape::plane)
      add_plane(posed.pose);
    else
      solids.append(solid_drawable(posed, sag(stage, posed)));
  }
  cloth_buffer_.upload(cloth_drawable(stage));
  solid_buffer_.upload(solids);
  plane_buffer_.upload(planes);
}

void Renderer::draw_depth(const Light& light) const {
  depth_.use();
  const auto draw_map = [&](const DepthMaps& maps, int layer, const Mat4& clip) {
    maps.begin(layer);
    depth_.set("clip", clip);
    cloth_buffer_.draw();
    solid_buffer_.draw();
  };
  draw_map(key_map_, 0, light_clip(light.key_direction, light.stage));
  for (int i = 0; i < shaders::kSkyDirections; ++i)
    draw_map(sky_maps_, i, light_clip(light.sky_directions[i], light.stage));
}

void Renderer::set_light(const Program& program, const View& view, const Light& light) const {
  program.use();
  program.set("picture_size", Vec2(view.width, view.height));
  program.set("eye", view.camera.eye);
  program.set("clip", camera_clip(view, light.stage));
  program.set("key_direction", light.key_direction);
  program.set("key_clip", light_clip(light.key_direction, light.stage));
  program.set("key_offset", 6 * light.stage.radius / kKeyResolution);
  std::vector<Mat3> sky_axes;
  for (const Vec3& direction : light.sky_directions) sky_axes.push_back(light_axes(direction, light.stage));
  program.set("sky_axes", sky_axes);
  program.set("sky_center", light.stage.center);
  program.set("sky_offset", 2.5 * light.stage.radius / kSkyResolution);
  key_map_.bind(0);
  program.set("key_map", 0);
  sky_maps_.bind(1);
  program.set("sky_maps", 1);
}

}  // namespace muslin
