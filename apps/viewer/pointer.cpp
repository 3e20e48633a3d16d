#include "pointer.h"

#include <epoxy/gl.h>
// GLFW after epoxy, which takes the place of the system's GL header
#include <GLFW/glfw3.h>

using namespace muslin;

void Pointer::look_at(const Snapshot& snapshot, const Stage& stage, const Area& area) {
  stage_ = &stage;
  area_ = area;
  model_ = snapshot.lanes.back().model;  // there is one in the last lane always
  carried_ = snapshot.carried;
  colliders_ = colliders_on_stage(*snapshot.scene);
}

void Pointer::look_away() {
  if (!drags()) pick_.reset();
  stage_ = nullptr;
}

Ray Pointer::ray(const Event& event) const {
  return camera_ray(camera_.camera(), event.x - area_.x, event.y - area_.y, area_.width, area_.height);
}

std::optional<Pick> Pointer::pick_at(const Event& event) const {
  std::optional<Pick> found = ::pick(*stage_, ray(event));
  if (found && found->kind == Pick::Kind::collider) found->index = colliders_.at(found->index);
  return found;
}

bool Pointer::take(const Event& event) {
  bool moved = false;
  switch (event.kind) {
    case Event::Kind::press:
      if (!drags()) press(event);
      break;
    case Event::Kind::move:
      moved = move(event);
      break;
    case Event::Kind::release:
      release(event);
      break;
    case Event::Kind::wheel:
      camera_.zoom(event.y);
      moved = true;
      break;
    default:
      break;
  }
  if (event.kind != Event::Kind::wheel) {
    x_ = event.x;
    y_ = event.y;
  }
  return moved;
}

void Pointer::press(const Event& event) {
  pick_ = pick_at(event);
  const bool left = event.code == GLFW_MOUSE_BUTTON_LEFT, shift = event.modifiers & GLFW_MOD_SHIFT;
  if (!left || shift) {
    does_ = Does::pan;
  } else if (lasso_on_) {
    does_ = Does::lasso;
    line_ = {{event.x, event.y}};
  } else if (!pick_) {
    does_ = Does::orbit;
  } else if (pick_->kind == Pick::Kind::collider) {
    does_ = Does::carry;
    offset_ = carried_.at(pick_->index);
  } else {
    does_ = Does::pull;
    place_ = pick_->point = stage_->positions.col(pick_->index);
    pull();
  }
}

bool Pointer::move(const Event& event) {
  const double dx = (event.x - x_) / area_.height, dy = (event.y - y_) / area_.height;
  switch (does_) {
    case Does::nothing:
      pick_ = pick_at(event);
      return false;
    case Does::orbit:
      camera_.orbit(dx, dy);
      return true;
    case Does::pan:
      camera_.pan(dx, dy);
      panned_ = true;
      return true;
    case Does::pull:
      place_ = on_camera_plane(ray(event), camera_.camera(), pick_->point);
      pull();
      return false;
    case Does::lasso:
      line_.push_back({event.x, event.y});
      return false;
    case Does::carry:
      thread_.carry(pick_->index,
                    offset_ + on_camera_plane(ray(event), camera_.camera(), pick_->point) - pick_->point);
      return false;
  }
  return false;
}

void Pointer::pull() const { thread_.pull(model_->vertex_numbers.to_user(pick_->index), place_); }

void Pointer::release(const Event& event) {
  if (does_ == Does::pull) thread_.release();
  if (does_ == Does::lasso) {
    for (Vec2& point : line_) point -= Vec2(area_.x, area_.y);
    lasso_ = {std::exchange(line_, {}), area_, (event.modifiers & GLFW_MOD_CONTROL) != 0};
  }
  does_ = Does::nothing;
}
