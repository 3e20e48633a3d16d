#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "camera_control.h"
#include "picking.h"
#include "simulation_thread.h"
#include "stage_view.h"
#include "window.h"

/// The mouse on a stage: turns the camera, or takes hold of what lies under it.
class Pointer {
 public:
  Pointer(CameraControl& camera, SimulationThread& thread) : camera_(camera), thread_(thread) {}

  /// What the next event meets: a stage of a snapshot, and where it is on the window.
  void look_at(const Snapshot& snapshot, const muslin::Stage& stage, const Area& area);
  /// Nothing is there to be taken.
  void look_away();

  /// An event over the area, or of a drag that began there. True if the camera has moved.
  bool take(const Event& event);

  /// While on, a left drag draws a line about vertices instead.
  void use_lasso(bool on) { lasso_on_ = on; }
  bool has_lasso() const { return lasso_on_; }
  /// The line that is drawn [pixels of the window].
  const std::vector<muslin::Vec2>& line() const { return line_; }
  /// A line about vertices that has just been closed.
  struct Lasso {
    std::vector<muslin::Vec2> line;  ///< [pixels of the area]
    Area area;
    bool through;  ///< also about what is hidden
  };
  std::optional<Lasso> take_lasso() { return std::exchange(lasso_, {}); }
  /// Whether a drag has shifted the picture since the last question.
  bool take_panned() { return std::exchange(panned_, false); }

  bool drags() const { return does_ != Does::nothing; }
  /// What lies under the mouse, or what it holds; a collider by its number in the scene, a vertex by that on
  /// the stage.
  const std::optional<Pick>& pick() const { return pick_; }
  bool pulls_vertex() const { return does_ == Does::pull; }
  /// Where the mouse pulls a vertex to.
  const muslin::Vec3& place() const { return place_; }

 private:
  enum class Does { nothing, orbit, pan, pull, carry, lasso };
  void press(const Event& event);
  bool move(const Event& event);
  void release(const Event& event);
  Ray ray(const Event& event) const;
  std::optional<Pick> pick_at(const Event& event) const;
  void pull() const;

  CameraControl& camera_;
  SimulationThread& thread_;
  const muslin::Stage* stage_ = nullptr;        ///< only for the event that follows
  std::shared_ptr<const muslin::Model> model_;  ///< of the stage
  std::vector<muslin::Vec3> carried_;
  std::vector<int> colliders_;  ///< of the scene, as they are on the stage
  Area area_;
  Does does_ = Does::nothing;
  double x_ = 0, y_ = 0;  ///< where the mouse was last
  std::optional<Pick> pick_;
  muslin::Vec3 place_ = muslin::Vec3::Zero();
  muslin::Vec3 offset_ = muslin::Vec3::Zero();  ///< of the collider when it was taken
  bool lasso_on_ = false, panned_ = false;
  std::vector<muslin::Vec2> line_;
  std::optional<Lasso> lasso_;
};
