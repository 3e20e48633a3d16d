#pragma once
#include <optional>
#include <string>

#include "camera_control.h"
#include "picking.h"
#include "simulation_thread.h"
#include "stage_view.h"
#include "window.h"

/// The mouse on a stage: turns the camera, or takes hold of what lies under it.
class Pointer {
 public:
  Pointer(CameraControl& camera, SimulationThread& thread) : camera_(camera), thread_(thread) {}

  /// What the mouse is about to meet from now on: a stage, where on the window, and how colliders were carried.
  void look_at(const muslin::Stage& stage, const Area& area, const std::vector<muslin::Vec3>& carried);
  /// Nothing is there to be taken.
  void look_away();

  /// An event over the area, or of a drag that began there. True if the camera has moved.
  bool take(const Event& event);

  bool drags() const { return does_ != Does::nothing; }
  /// What lies under the mouse, or what it holds.
  const std::optional<Pick>& pick() const { return pick_; }
  bool pulls_vertex() const { return does_ == Does::pull; }
  /// Where the mouse pulls a vertex to.
  const muslin::Vec3& place() const { return place_; }

 private:
  enum class Does { nothing, orbit, pan, pull, carry };
  void press(const Event& event);
  bool move(const Event& event);
  void release();
  Ray ray(const Event& event) const;

  CameraControl& camera_;
  SimulationThread& thread_;
  muslin::Stage stage_;
  std::vector<muslin::Vec3> carried_;
  Area area_;
  Does does_ = Does::nothing;
  double x_ = 0, y_ = 0;  ///< where the mouse was last
  std::optional<Pick> pick_;
  muslin::Vec3 place_ = muslin::Vec3::Zero();
  muslin::Vec3 offset_ = muslin::Vec3::Zero();  ///< of the collider when it was taken
};
