#include "muslin/render/renderer.h"

#include <algorithm>
#include <cmath>

#include "muslin/core/check.h"
#include "muslin/render/colour_map.h"
#include "muslin/render/hem.h"
#include "muslin/render/legend.h"
#include "muslin/render/shaders.h"

namespace muslin {
namespace {

enum Unit { kKeyUnit, kHeatUnit, kImageUnit, kHeightUnit };  // texture units
enum Paint { kWeave, kChecks, kImage, kHeat };               // as in paint.glsl

/// Fine checks a unit of uv, so that the longer side of the whole has `kFineChecks`.
Vec2 weave_scale(const Stage& stage) {
  constexpr double kFineChecks = 32;
  Eigen::AlignedBox2d range;
  for (const Vec2& uv : stage.uv) range.extend(uv);
  if (range.isEmpty() || range.sizes().maxCoeff() <= 0) return Vec2::Zero();
  return Vec2::Constant(kFineChecks / range.sizes().maxCoeff());
}

bool has_heat(const View& view) {
  return view.look.heat != Heat::none && view.stage.heat.values.size() == view.stage.positions.cols();
}

Paint paint_of(const View& view) {
  if (has_heat(view)) return kHeat;
  return static_cast<Paint>(view.look.pattern);
}

/// How heights lie on the cloth.
struct Relief {
  double height;  // of white [m]
  double repeat;  // tiles over a piece
};

Relief relief_of(const View& view) {
  const bool displaced = view.look.shading == Shading::displacement;
  const double size = cloth_size(view.stage);
  if (!view.look.texture.empty()) return {view.look.height.value_or(0.03 * size), 1};
  const double tiles = displaced ? 8 : 24;  // of two threads each way
  return {view.look.height.value_or(0.2 * size / tiles), tiles};
}

Vec3 middle_of(const PosedCollider& posed) {
  const Vec3 middle = posed.shape.cols() > 0 ? Vec3(posed.shape.rowwise().mean()) : Vec3(Vec3::Zero());
  return posed.pose.rotation * middle + posed.pose.translation;
}

/// 1 if the front of the cloth is its outer side, -1 if the back is: the side away from solids, or else the
/// upper one.
float outer_side(const Drawable& cloth, const Stage& stage) {
  Vec3 middle = Vec3::Zero();
  int solids = 0;
  for (const PosedCollider& posed : stage.colliders) {
    if (posed.collider.shape == Shape::plane) continue;
    middle += middle_of(posed);
    ++solids;
  }
  double sum = 0;
  for (const DrawVertex& vertex : cloth.vertices) {
    const Vec3 out = solids > 0 ? Vec3((vertex.position.cast<double>() - middle / solids).normalized())
                                : Vec3(Vec3::UnitY());
    sum += out.dot(vertex.normal.cast<double>());
  }
  constexpr double kUndecided = 0.1;  // of all vertices, for instance a flag
  return sum < -kUndecided * static_cast<double>(cloth.vertices.size()) ? -1.0f : 1.0f;
}

/// The cloth with its vertices moved out along their normals; the normals stay those of the smooth cloth, on
/// which the heights are seen by their slopes.
void displace(Drawable& cloth, float side, const Image& heights, const Relief& relief) {
  for (DrawVertex& vertex : cloth.vertices) {
    const Eigen::Vector2f place = vertex.texture_uv * static_cast<float>(relief.repeat);
    const double height = relief.height * height_at(heights, place.x(), place.y());
    vertex.position += side * static_cast<float>(height) * vertex.normal;
  }
}

bool same_points(const Points& a, const Points& b) { return a.cols() == b.cols() && a == b; }

bool same_shape(const PosedCollider& a, const PosedCollider& b) {
  return a.collider.shape == b.collider.shape && a.collider.radius == b.collider.radius &&
         a.collider.length == b.collider.length && a.collider.size == b.collider.size &&
         a.pose.rotation == b.pose.rotation && a.pose.translation == b.pose.translation &&
         same_points(a.shape, b.shape);
}

/// Whether the same light falls on the same shapes.
bool same_shapes(const View& a, const View& b) {
  const Stage &s = a.stage, &t = b.stage;
  return same_points(s.positions, t.positions) && s.triangles == t.triangles && s.ground == t.ground &&
         std::equal(s.colliders.begin(), s.colliders.end(), t.colliders.begin(), t.colliders.end(),
                    same_shape) &&
         a.look.shadows == b.look.shadows && a.quality == b.quality &&
         (a.look.shading == Shading::displacement) == (b.look.shading == Shading::displacement) &&
         (a.look.shading == Shading::custom) == (b.look.shading == Shading::custom) &&
         a.look.texture == b.look.texture && a.look.height == b.look.height && a.look.hem == b.look.hem;
}

/// Whether shapes have the same colours.
bool same_colours(const View& a, const View& b) {
  const Stage &s = a.stage, &t = b.stage;
  const auto same_paint = [](const PosedCollider& x, const PosedCollider& y) {
    return x.colours == y.colours && x.collider.colour == y.collider.colour;
  };
  return s.colours == t.colours &&
         std::equal(s.colliders.begin(), s.colliders.end(), t.colliders.begin(), t.colliders.end(),
                    same_paint) &&
         s.uv == t.uv && s.piece == t.piece && s.heat.values.size() == t.heat.values.size() &&
         s.heat.values == t.heat.values && s.heat.low == t.heat.low && s.heat.high == t.heat.high;
}

bool same_lines(const Stage& s, const Stage& t) {
  const auto same = [](const SpringLine& a, const SpringLine& b) {
    return a.kind == b.kind && a.vertices == b.vertices;
  };
  return s.triangles == t.triangles && s.marked == t.marked &&
         std::equal(s.springs.begin(), s.springs.end(), t.springs.begin(), t.springs.end(), same);
}

void upload_heat_colours(GLuint texture) {
  std::vector<Eigen::Vector3f> colours;
  for (int i = 0; i < 256; ++i) colours.push_back(heat_colour(i / 255.0));
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB16F, 256, 1, 0, GL_RGB, GL_FLOAT, colours.data());
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
}

/// The radiance that `display` (common.glsl) shows as a part of an sRGB colour, linear.
double radiance_of(double shown) {
  const double a = 2.51 - 2.43 * shown, b = 0.03 - 0.59 * shown, c = -0.14 * shown;
  return (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a) / 0.80;
}

/// Tells a program of the paper behind everything: the scene's colour in the middle of the picture.
void hang_paper(const Program& program, const Stage& stage) {
  Vec3 below(1.30, 1.23, 1.13), above(0.80, 0.79, 0.77);
  if (stage.background) {
    constexpr double kBelow = 1.12, kAbove = 0.82;
    Vec3 radiance;
    const std::array<float, 3> shown = linear(*stage.background);
    std::transform(shown.begin(), shown.end(), radiance.begin(), radiance_of);
    below = kBelow * radiance;
    above = kAbove * radiance;
  }
  program.set("paper_below", below);
  program.set("paper_above", above);
}

}  // namespace

Renderer::Renderer()
    : backdrop_(shaders::backdrop()),
      plane_(shaders::plane()),
      solid_(shaders::solid()),
      cloth_(shaders::cloth()),
      phong_(shaders::phong()),
      normals_(shaders::normals()),
      mirror_(shaders::mirror()),
      lines_(cloth_buffer_) {
  upload_heat_colours(heat_colours_);
  heights_ = weave_heights();
  height_texture_.upload(heights_, false);
  image_texture_.upload({1, 1, {Pixel{255, 255, 255}}}, true);
}

void Renderer::draw(const View& view, GLuint framebuffer) {
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_SCISSOR_TEST);

  // 1. what has changed since the last view: shapes, and the light on them
  update(view);

  // 2. the picture: surfaces, what they leave of the backdrop, then what lies on top
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, view.width, view.height);
  glEnable(GL_MULTISAMPLE);
  glClear(GL_DEPTH_BUFFER_BIT);
  draw_surfaces(view);
  phase("surfaces");
  draw_backdrop(view);
  phase("backdrop");
  lines_.draw(view, camera_clip(view, ball_));
  phase("lines");
  draw_annotations(view);
  phase("words");
}

void Renderer::update(const View& view) {
  prepare_textures(view);
  if (view.look.shading == Shading::custom) student_.read(view.look.shaders);
  const bool shapes = !seen_ || !same_shapes(view, *seen_);
  const bool colours = !seen_ || !same_colours(view, *seen_);
  const bool lines = !seen_ || !same_lines(view.stage, seen_->stage);
  if (shapes || colours) upload(view);
  if (lines) lines_.upload(view.stage);
  phase("upload");
  if (shapes) light(view);
  if (shapes || colours || lines) seen_ = view;
}

void Renderer::prepare_textures(const View& view) {
  const std::string& path = view.look.texture;
  const bool weave = path.empty();
  if (weave && view.look.pattern == Pattern::image)
    throw Error(ErrorKind::invalid,
                "texture: must name a PNG or JPEG file for the pattern 'image', got none");
  if (weave == weave_ && (weave || !file_.read(path))) return;
  if (!weave) file_.read(path);
  weave_ = weave;
  heights_ = weave ? weave_heights() : file_.image();
  height_texture_.upload(heights_, false);
  if (!weave) image_texture_.upload(file_.image(), true);
  seen_.reset();  // vertices may have been moved by the last one
}

void Renderer::upload(const View& view) {
  const Stage& stage = view.stage;
  ball_ = ball_around(bounds(stage));
  const double gap = 1e-3 * ball_.radius;
  Drawable solids, planes;
  const bool has_wall =
      std::any_of(stage.colliders.begin(), stage.colliders.end(), [](const PosedCollider& posed) {
        return posed.collider.shape == Shape::plane && posed.pose.rotation.col(1).y() < kLevel;
      });
  const auto add_plane = [&](PosedCollider plane) {
    plane.pose.translation -= gap * plane.pose.rotation.col(1);  // cloth may lie on it
    const double radius = has_wall ? kWallRadius : kFloorRadius;
    planes.append(plane_drawable(plane, ball_.center, radius * ball_.radius));
  };
  if (stage.ground) add_plane({{}, {Mat3::Identity(), {0, *stage.ground, 0}}});
  for (const PosedCollider& posed : stage.colliders) {
    if (posed.collider.shape == Shape::plane)
      add_plane(posed);
    else
      solids.append(solid_drawable(posed, sag(stage, posed)));
  }
  Drawable cloth = cloth_drawable(stage);
  side_ = outer_side(cloth, stage);
  if (view.look.shading == Shading::displacement) displace(cloth, side_, heights_, relief_of(view));
  if (view.look.shading == Shading::custom) {
    Drawable outside = cloth;  // the course's shaders light one side only
    for (DrawVertex& vertex : outside.vertices) vertex.normal *= side_;
    student_.upload(outside, solids);
  }
  const bool is_woven = view.look.shading != Shading::displacement && view.look.shading != Shading::custom;
  if (view.look.hem && is_woven) add_hem(stage, cloth);
  cloth_buffer_.upload(cloth);
  solid_buffer_.upload(solids);
  plane_buffer_.upload(planes);
}

void Renderer::light(const View& view) {
  lighting_.draw_depth(ball_, view.quality, view.look.shadows, {cloth_buffer_, solid_buffer_});
  phase("depth maps");
  lighting_.bake_sky({&cloth_buffer_, &solid_buffer_, &plane_buffer_});
  phase("sky light");
}

void Renderer::draw_backdrop(const View& view) const {
  glDepthMask(GL_FALSE);
  backdrop_.use();
  backdrop_.set("picture_size", Vec2(view.width, view.height));
  hang_paper(backdrop_, view.stage);
  glBindVertexArray(no_vertices_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthMask(GL_TRUE);
}

void Renderer::draw_surfaces(const View& view) const {
  // The nearest first: what they hide costs nothing then.
  if (custom(view))
    student_.draw(view, ball_);
  else
    draw_cloth(view);
  glEnable(GL_CULL_FACE);  // planes are seen from above only
  if (!custom(view)) {
    use(solid_, view);
    solid_buffer_.draw();
  }
  use(plane_, view);
  plane_buffer_.draw();
  glDisable(GL_CULL_FACE);
}

void Renderer::draw_cloth(const View& view) const {
  const auto program = [&]() -> const Program& {
    switch (view.look.shading) {
      case Shading::phong:
      case Shading::bump:
      case Shading::displacement:
        return phong_;
      case Shading::normals:
        return normals_;
      case Shading::mirror:
        return mirror_;
      case Shading::cloth:
      case Shading::custom:
        break;
    }
    return cloth_;
  };
  const Program& cloth = program();
  use(cloth, view);
  cloth.set("paint", static_cast<int>(paint_of(view)));
  cloth.set("weave_scale", weave_scale(view.stage));
  glActiveTexture(GL_TEXTURE0 + kHeatUnit);
  glBindTexture(GL_TEXTURE_2D, heat_colours_);
  cloth.set("heat_colours", static_cast<int>(kHeatUnit));
  image_texture_.bind(kImageUnit);
  cloth.set("image", static_cast<int>(kImageUnit));
  height_texture_.bind(kHeightUnit);
  cloth.set("heights", static_cast<int>(kHeightUnit));
  const Relief relief = relief_of(view);
  cloth.set("height_scale", side_ * relief.height);
  cloth.set("height_repeat", relief.repeat);
  const Shading shading = view.look.shading;
  cloth.set("bumpy", shading == Shading::bump || shading == Shading::displacement ? 1 : 0);
  cloth_buffer_.draw();
}

void Renderer::draw_annotations(const View& view) {
  const Font& font = overlay_.font(letter_size(view.height, view.screen_scale));
  overlay_.draw(annotate(view, font), font, view.width, view.height);
}

void Renderer::use(const Program& program, const View& view) const {
  program.use();
  program.set("picture_size", Vec2(view.width, view.height));
  program.set("eye", view.camera.eye);
  hang_paper(program, view.stage);
  program.set("clip", camera_clip(view, ball_));
  lighting_.apply(program);
}

}  // namespace muslin
