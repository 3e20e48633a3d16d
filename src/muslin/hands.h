#pragma once
#include <utility>
#include <vector>

#include "muslin/model/grasp.h"
#include "muslin/model/input.h"
#include "muslin/model/model.h"
#include "muslin/solver/solver.h"

namespace muslin {

/// What a person does to a running cloth, as changes of the controls: pins come and go, a spring pulls,
/// colliders stand elsewhere. Simulation has one and checks what it is told; vertices have the model's
/// numbers here.
class Hands {
 public:
  /// Does all that was asked for so far to the controls of another model of the same cloth.
  void take(const Model& model, const Solver& solver, double frame_time, Controls& controls);
  /// Gives all up: the controls are as the scene has them.
  void drop(const Model& model, Controls& controls);

  /// The pins of the scene that act in a frame which begins at a time [s]: those whose time has come take
  /// their vertices where they are, others let go. Returns whether any did.
  bool keep_time(double time, const Points& positions, const Model& model, Controls& controls);

  /// All that hands do now; with `restore` another run goes on from it.
  const Grasp& grasp() const { return grasp_; }
  /// Continues with what hands did to the same model before, and with the scene's controls apart from that,
  /// as of a frame that began at a time [s].
  void restore(Grasp grasp, double time, const Model& model, Controls& controls);

  /// Pins a vertex at a place [m], in all directions.
  void hold(int vertex, const Vec3& place, const Model& model, Controls& controls);
  /// Where a vertex that hands hold is to be at the end of the next frame [m]. Keeps what solvers keep.
  void move(int vertex, const Vec3& place, Controls& controls);
  /// Whether hands hold a vertex.
  bool holds(int vertex) const { return grasp_.held.contains(vertex); }
  /// Fastens vertices where they are to a collider as it is at a time [s].
  void attach(const std::vector<int>& vertices, int collider, double time, const Points& positions,
              const Model& model, Controls& controls);
  /// Unpins a vertex, whether the scene pinned it or a hand.
  void let_go(int vertex, const Model& model, Controls& controls);

  /// Pulls a vertex and those about it towards a place [m], by a spring made for the cloth's weight
  /// (Simulation::pull). `positions` are those of the cloth. Returns whether other vertices are pulled now;
  /// else only the place is another.
  bool pull(int vertex, const Vec3& place, const Points& positions, const Solver& solver, double frame_time,
            const Model& model, Controls& controls);
  /// Ends the pull, if there is one.
  void release(const Model& model, Controls& controls);
  /// Whether a pull is on.
  bool pulls() const { return grasp_.pull.has_value(); }
  /// The beginning of a frame: the pulls go where they may be, and moved vertices set out.
  void reach(const Points& positions, Controls& controls);

  /// A collider is to be this far from where its own motion has it [m], at the end of the next frame.
  void carry(int collider, const Vec3& offset) { grasp_.wanted[collider] = offset; }
  /// What carried colliders and moved vertices do between two fractions of a frame.
  void glide(double from, double to, Input& input) const;
  /// The end of a frame: carried colliders have arrived.
  void arrive(Controls& controls) const { controls.collider_offset = grasp_.wanted; }

 private:
  void tune(const Solver& solver, double frame_time, const Model& model, Controls& controls);
  void set_pins(const Model& model, Controls& controls) const;
  void set_pulls(const Model& model, Controls& controls) const;

  bool acts(int motion, const Model& model) const;
  bool take_late(int motion, const Points& positions, const Model& model, const Controls& controls);
  void forget_taken(int vertex);

  Grasp grasp_;
  double time_ = 0;                          // when the frame began [s]
  std::vector<std::pair<int, Vec3>> moved_;  // pins that are not yet at their places, and where they set out
};

}  // namespace muslin
