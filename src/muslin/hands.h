#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "muslin/model/input.h"
#include "muslin/model/model.h"
#include "muslin/solver/solver.h"

namespace muslin {

/// What a person does to a running cloth, and how that changes the model: pins come and go, an anchor pulls,
/// colliders stand elsewhere.
class Hands {
 public:
  /// Takes over a model as its scene has it, and does to it all that was asked for so far.
  void take(Model& model, const Solver& solver, double frame_time);
  /// Gives all up: the model is as its scene has it.
  void drop(Model& model);

  void hold(int vertex, const Vec3& place, Model& model);
  void let_go(int vertex, Model& model);

  /// `positions` are those of the cloth. Returns whether the model has other anchors now; else only their
  /// places are others.
  bool pull(int vertex, const Vec3& place, const Points& positions, const Solver& solver, double frame_time,
            Model& model);
  void release(Model& model);
  /// The beginning of a frame: the anchors go where the pull may have them.
  void reach(const Points& positions, Model& model) const;

  void carry(int collider, const Vec3& offset) { wanted_[collider] = offset; }
  /// What carried colliders do between two shares of a frame.
  void glide(double from, double to, Input& input) const;
  /// The end of a frame: carried colliders have arrived.
  void arrive(Model& model);

 private:
  /// A vertex between the fingers.
  struct Grip {
    int vertex;
    Vec3 offset;   // from the pulled one, kept as it was when the pull began [m]
    double share;  // of the whole spring
  };
  struct Pull {
    int vertex;
    Vec3 place;        // [m]
    double stiffness;  // of the whole spring [N/m]
    double damping;    // [s]
    double reach;      // longest stretch [m]
    std::vector<Grip> grips;
  };

  void tune(const Solver& solver, double frame_time, Model& model);
  void set_pins(Model& model) const;
  void set_anchors(Model& model) const;
  void set_colliders(Model& model) const;

  std::vector<PinnedVertex> scene_pins_;
  size_t scene_motions_ = 0;         // of pins
  std::vector<Vec3> scene_centers_;  // one a collider [m]
  std::map<int, Vec3> held_;         // vertex -> place [m]
  std::set<int> let_go_;             // of the scene's pins
  std::optional<Pull> pull_;
  std::vector<Vec3> offset_, wanted_;  // of colliders, now and at the end of the next frame [m]
};

}  // namespace muslin
