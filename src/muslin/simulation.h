#pragma once
#include <functional>
#include <memory>

#include "muslin/contact/reactions.h"
#include "muslin/core/thread_team.h"
#include "muslin/hands.h"
#include "muslin/io/fingerprint.h"
#include "muslin/model/input.h"
#include "muslin/model/model.h"
#include "muslin/model/report.h"
#include "muslin/model/saved_run.h"
#include "muslin/sewing/seam_report.h"
#include "muslin/solver/solver.h"

namespace muslin {

/// A run of one scene: owns Model, State and Solver. All calls of one that was moved from throw
/// Error(invalid), until another is assigned to it.
class Simulation {
 public:
  /// Builds the scene at time 0. Throws Error(invalid or file) if it cannot be built, or its solver cannot
  /// run it.
  explicit Simulation(const Scene& scene);

  /// One frame. After one that diverged the state stays as that left it, and the report says why. One that is
  /// stopped has not been: status cancelled, state and frame() of the frame before.
  FrameReport step();
  /// One frame of which nothing is measured: for games and training, which want positions alone. It has the
  /// bits of step(); report() measures whenever that is wanted. Of a failure it tells that positions are no
  /// finite numbers (status diverged), not that an edge is overstretched.
  StepReport advance();
  /// Frames made so far; 0 at the start.
  int frame() const { return frame_; }

  /// Positions [m], 3×n: one column a vertex, all cloths one after another, as their grids or meshes number
  /// them.
  Points positions() const { return model().vertex_numbers.to_user(state_.positions); }
  /// Velocities [m/s], likewise.
  Points velocities() const { return model().vertex_numbers.to_user(state_.velocities); }

  /// Puts the cloth elsewhere, or lets it move otherwise, between two frames: 3×n, as positions() and
  /// velocities() have them. Held vertices go back to their pins in the next frame; methods of two steps
  /// begin anew. Nobody looks whether cloth has room there (check_room, audit/start.h). Throw Error(invalid)
  /// for another number of columns, for what is not finite, and where vertices that are sewn together would
  /// part; then nothing has changed.
  void set_positions(const Points& positions);
  /// The same of velocities.
  void set_velocities(const Points& velocities);

  /// How many threads step() uses (0: those of the process, set_threads). Simulations of different numbers
  /// may run side by side; bits never depend on it. What it is edited to keeps it.
  void set_threads(int count);
  /// How many threads step() uses: what was set, or else the process's number.
  int threads() const;

  /// Ends the frame that is being made, or else the next, from any thread or signal handler:
  /// stop().request(); or at a time: stop().at(…). It takes as long as a loop of the solver over the cloth,
  /// or as one sparse factorisation (bench_cancel).
  Stop& stop() {
    expect_alive();
    return *stop_;
  }

  /// Calls `watch` with the iterates of the steps to come, as Solver::watch does, until the next `edit`.
  void watch(std::function<void(const Points& iterate)> watch);

  /// Is told of a substep: the states around it and what the world did meanwhile.
  using StepWatcher = std::function<void(const State& before, const Input& input, const State& after)>;
  /// Calls `watch` after every substep, until the next `edit`. What it is given is good during the call. What
  /// it throws ends the frame, and leaves the state of the frame before.
  void watch_steps(StepWatcher watch);

  /// Back to time 0 of the scene: what hands hold, pull and carried is as the scene has it.
  void reset();

  /// The scene begins at other positions [m] (3×n, in the order of model()), now and after every `reset` or
  /// `edit`; rest lengths and pins stay. For starts that had to be repaired (repair/untangle.h). Throws
  /// Error(invalid) for another number of columns and for what is not finite.
  void start_from(const Points& positions);

  /// Writes all that this run needs to go on with the same bits, but its scene, to a file (io/state_file.h):
  /// State, frame, and what hands hold, pull, carry and push. The file is complete or absent, and takes the
  /// place of another. Throws Error(file).
  void save(const std::string& path) const;

  /// Goes on from a file that `save` wrote of the same scene. Throws Error(file) if it cannot be read,
  /// Error(invalid) if it is no such file, of another version, cut short, damaged or of another scene
  /// (fingerprint()); then nothing has changed.
  void load(const std::string& path);

  /// The bytes that `save` writes.
  std::string saved() const;
  /// Goes on from such bytes, as `load` does; `name` stands for the file in messages.
  void load_saved(const std::string& bytes, const std::string& name = "saved state");

  /// What decides the steps of this run: saved states fit simulations with an equal one.
  Fingerprint fingerprint() const;

  /// The report of the state as it is, without stepping.
  FrameReport report() const;

  /// Forces of the last substep between the cloth and its pins and colliders (contact/reactions.h). Before
  /// the first step, and after the state was set, those that would keep it without acceleration.
  Reactions reactions() const;
  /// The same without those of vertices, for less.
  Reactions loads() const;
  /// Tension of every triangle [N/m], as Model::triangles has them (contact/reactions.h).
  Scalars tension() const { return triangle_tension(model(), state_.positions); }

  /// How the seams of the scene stand, in their order: of every cloth those of its pattern first.
  std::vector<SeamReport> seams() const;

  /// What of the scene its solver leaves out or lets through (solver.h), or "".
  std::string limits() const { return limits_of(*solver_, model(), settings_, scene_.frame_time); }

  /// The scene with every number of its fabrics given.
  const Scene& scene() const { return scene_; }
  /// The settings that run: the scene's, with numbers for what these only aim at (solver.position.quality).
  const SolverSettings& settings() const { return settings_; }
  /// Equal steps that a frame is cut into. Adaptive methods may halve them.
  int substeps() const { return substeps_; }

  // --- inside: in the model's own order --------------------------------------------------------------

  // Of a mesh, model() has the vertices in an order that suits the memory: column v is the user's vertex
  // model().vertex_numbers.to_user(v).

  /// What is constant during the run.
  const Model& model() const {
    expect_alive();
    return *model_;
  }
  /// The same, for those who keep it while this goes on or is edited.
  const std::shared_ptr<const Model>& shared_model() const { return model_; }
  /// What the scene, hands and callers want of all that may change, as of the last frame.
  const Controls& controls() const { return controls_; }
  /// Exactly what a restart needs.
  const State& state() const { return state_; }
  /// Continue from a saved state of the same model, with the hands as they are. Throws Error(invalid) for a
  /// state of another number of vertices, a time that is no number, or a frame below 0.
  void restore(const State& state, int frame);

  // --- by hand: what a person does to a running cloth ----------------------------------------------

  // Vertices and colliders have the scene's numbers. All throw Error(invalid) for one that there is not, and
  // for places that are no numbers; then nothing has changed.

  /// This simulation as it would go on with another scene under the cloth: solver, fabric, wind, … Positions,
  /// velocities, time and what hands do stay; a scene with another number of vertices or colliders, or with a
  /// mesh in another order, needs a new Simulation. Colliders that cloth blocks stay where they are, unless
  /// the geometry of any changes, the mean edge of cloth, or the solver's family: then all are where they
  /// should be. Nobody looks whether cloth has room among them (check_room, audit/start.h). Throws Error as
  /// the constructor does.
  Simulation edited(const Scene& scene) const;
  /// Goes on with another scene, as `edited` says; if that throws, nothing has changed.
  void edit(const Scene& scene) { *this = edited(scene); }

  /// Pins a vertex where it is, in all directions, from the next frame on.
  void hold(int vertex);
  /// The same, and it goes evenly to a place [m] during the next frame. To move what is held so costs
  /// nothing.
  void hold(int vertex, const Vec3& place);
  /// Fastens vertices where they are to a collider, which carries them from the next frame on, as pins do
  /// that follow one.
  void attach(const std::vector<int>& vertices, int collider);
  /// Unpins a vertex, whoever pinned it.
  void let_go(int vertex);
  /// In any direction, by the scene or by hand.
  bool is_held(int vertex) const;

  /// Takes a vertex between two fingers (3 % of the cloth's size wide) and pulls it towards a place, by a
  /// damped spring that carries its whole piece of cloth when stretched by 2 % of the size, and never pulls
  /// with more than thrice the weight; until `release`, or a pull elsewhere. A call for the same vertex moves
  /// the place and costs nothing. Held vertices do not follow.
  void pull(int vertex, const Vec3& place);
  /// Ends the pull, if there is one.
  void release();

  /// Adds external forces [N] to weight and wind from now on: 3×n, one column a vertex, as positions() has
  /// them; an empty matrix takes them away again. What is sewn together adds up. Throws Error(invalid) for
  /// another number of columns and for what is not finite.
  void push(const Points& force);

  /// Shifts a collider from where its own motion has it [m]; it goes there evenly during the next frame.
  void carry(int collider, const Vec3& offset);

 private:
  void expect_alive() const;
  Points last_acceleration() const;
  FrameReport make_frame(bool measures_balance);
  Input substep_input(int substep, Budget& budget) const;
  void start_solver_anew();
  void measure(FrameReport& report) const;
  int model_vertex(const char* call, int vertex) const;
  Points in_model_order(const char* call, const Points& columns) const;
  double step_time() const { return scene_.frame_time / substeps_; }  // [s]
  void turn_to_stage();
  void enter_stage(bool dresses);
  void set_stitch_lengths();
  void close_stitches();
  Scene scene_of(bool dresses) const;
  void take_model(std::shared_ptr<const Model> next, const Points& places);
  double frame_start(int frame) const { return clock_.time + (frame - clock_.frame) * scene_.frame_time; }
  void changed_by_hand();
  void keep_time();
  void count_substeps();
  void forget_last_step();
  const Points& scene_start() const { return start_.cols() > 0 ? scene_start_ : unsewn_->start; }

  Scene scene_;
  Scene stage_;                          // the same with what its dress makes of it
  std::shared_ptr<const Model> model_;   // as the cloth is sewn now
  std::shared_ptr<const Model> unsewn_;  // as the scene begins
  std::vector<Stencil<2>> closed_;       // stitches that are one vertex, by the user's numbers
  bool is_dressing_ = false;             // which of the dress's two stages the model is of
  Controls controls_;
  State state_;
  Hands hands_;
  SolverSettings settings_;
  std::unique_ptr<Solver> solver_;
  std::function<void(const Points& iterate)> watch_;
  StepWatcher watch_steps_;
  std::shared_ptr<ThreadTeam> team_;                       // null: the process's
  std::shared_ptr<Stop> stop_ = std::make_shared<Stop>();  // one for this and what it is edited to
  int substeps_ = 1;
  Points velocity_before_{3, 0};  // at the beginning of the last substep; empty: unknown
  int frame_ = 0;
  Clock clock_;
  Points start_;          // what start_from was given, or empty
  Points scene_start_;    // what the model began with before that, or empty
  bool edited_ = false;   // controls or scene were once others: no one knows where free fall would lead
  bool touched_ = false;  // anything met a collider or itself since the start, or may have before a restore
};

}  // namespace muslin
