#pragma once
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "muslin/simulation.h"

/// One solver on its way through the scene, as it was after a frame. Never changes.
struct LaneSnapshot {
  std::string label;    ///< name of the method for people
  std::string failure;  ///< why it has stopped, or never began; or ""
  std::string limits;   ///< what of the scene it leaves out, or ""
  bool is_reference = false;
  std::shared_ptr<const muslin::Model> model;        ///< null if it never began
  std::shared_ptr<const muslin::Controls> controls;  ///< likewise
  muslin::State state;
  muslin::FrameReport report;
};

/// Whether all pins of two scenes say the same.
bool same_pins(const muslin::Scene& a, const muslin::Scene& b);

/// One to five simulations of the same scene in step, and what hands do to all of them alike.
class Lanes {
 public:
  /// From the beginning: the scene's own solver, or these named methods and a reference beside them. Throws
  /// muslin::Error if the scene cannot be built, and then nothing has changed.
  void load(const muslin::Scene& scene, const std::vector<std::string>& methods);

  /// The scene under the cloth, which goes on from where it is; from the beginning if the cloth itself is
  /// another. Throws muslin::Error, and then nothing has changed: where one lane has no room for its cloth,
  /// none is edited. A method of a comparison that cannot run such a scene stops until the next reset, and
  /// the others go on.
  void edit(const muslin::Scene& scene);

  /// One frame of every lane that can. False if none can.
  bool step();
  /// Back to the beginning of the scene as it is now, with all methods that can run it. Throws muslin::Error
  /// if edits left no room for the cloth there, and then nothing has changed.
  void reset();

  void hold(int vertex);
  void let_go(int vertex);
  void pull(int vertex, const muslin::Vec3& place);
  void release();
  void carry(int collider, const muslin::Vec3& offset);

  bool empty() const { return lanes_.empty(); }
  const muslin::Scene& scene() const { return scene_; }
  const std::vector<std::string>& methods() const { return methods_; }
  int frame() const { return frame_; }
  const std::vector<int>& held() const { return held_; }
  /// How far each collider is from where its motion has it [m].
  const std::vector<muslin::Vec3>& carried() const { return carried_; }
  std::vector<LaneSnapshot> snapshots() const;

 private:
  struct Lane {
    std::string method;  ///< "" the scene's own, "reference"
    std::string label, failure;
    std::unique_ptr<muslin::Simulation> simulation;
    std::shared_ptr<const muslin::Controls> controls;  ///< a copy that windows may keep
    muslin::FrameReport report;

    void copy_controls() { controls = std::make_shared<const muslin::Controls>(simulation->controls()); }
  };
  static Lane start(const std::string& method, const muslin::Scene& scene, const muslin::Model* model);
  static Lane edited(const Lane& lane, const muslin::Scene& scene, const muslin::Model* model);
  static void pin_in_place(const std::set<int>& before, const std::set<int>& after, std::vector<Lane>& lanes);
  template <class Action>
  void each(const Action& action);

  muslin::Scene scene_;
  std::vector<std::string> methods_;
  std::vector<Lane> lanes_;
  std::vector<int> held_;
  std::vector<muslin::Vec3> carried_;
  int frame_ = 0;
  bool carries_ = false;  ///< a collider moves during the next frame
  bool edited_ = false;   ///< nobody has looked whether cloth has room where the scene begins
};
