#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "muslin/model/input.h"
#include "muslin/model/model.h"
#include "muslin/solver/solver.h"

namespace muslin {

/// What a person does to a running cloth, as changes of the controls: pins come and go, a spring pulls,
/// colliders stand elsewhere.
class Hands {
 public:
  /// Does all that was asked for so far to the controls of another model of the same cloth.
  void take(const Model& model, const Solver& solver, double frame_time, Controls& controls);
  /// Gives all up: the controls are as the scene has them.
  void drop(const Model& model, Controls& controls);

  void hold(int vertex, const Vec3& place, const Model& model, Controls& controls);
  void let_go(int vertex, const Model& model, Controls& controls);

  /// `positions` are those of the cloth. Returns whether other vertices are pulled now; else only the place
  /// is another.
  bool pull(int vertex, const Vec3& place, const Points& positions, const Solver& solver, double frame_time,
            const Model& model, Controls& controls);
  void release(const Model& model, Controls& controls);
  bool pulls() const { return pull_.has_value(); }
  /// The beginning of a frame: the pulls go where they may be.
  void reach(const Points& positions, Controls& controls) const;

  void carry(int collider, const Vec3& offset) { wanted_[collider] = offset; }
  /// What carried colliders do between two fractions of a frame.
  void glide(double from, double to, Input& input) const;
  /// The end of a frame: carried colliders have arrived.
  void arrive(Controls& controls) const { controls.collider_offset = wanted_; }

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

  void tune(const Solver& solver, double frame_time, const Model& model, Controls& controls);
  void set_pins(const Model& model, Controls& controls) const;
  void set_pulls(const Model& model, Controls& controls) const;

  std::map<int, Vec3> held_;  // vertex -> place [m]
  std::set<int> let_go_;      // of the scene's pins
  std::optional<Pull> pull_;
  std::vector<Vec3> wanted_;  // offsets of colliders at the end of the next frame [m]
};

}  // namespace muslin
