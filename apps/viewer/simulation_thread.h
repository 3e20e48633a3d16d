#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "lanes.h"
#include "muslin/model/rest_watch.h"

/// Everything that a window needs to know of a run at one instant. Never changes.
struct Snapshot {
  int frame = 0;
  bool playing = false;
  int load = 0;  ///< counts scenes begun anew
  std::shared_ptr<const muslin::Scene> scene;
  std::vector<std::string> methods;  ///< side by side; empty: one lane, by the scene's own solver
  std::vector<LaneSnapshot> lanes;
  std::vector<int> held;              ///< vertices that hands hold
  std::vector<muslin::Vec3> carried;  ///< how far each collider is from where its motion has it [m]
  double speed = 0;                   ///< of the scene's clock, if nothing waited: 1 is real time; 0: unknown
  std::string trouble;                ///< why something that was asked for was not done, or ""
  int made = 0;                       ///< number of the last load or edit that was made; or 0
  int refused = 0;                    ///< of the last one that was asked for, if it was not; or 0
};

/// Runs lanes on a thread of its own, at the speed of the scene's clock where it can. Commands return at once
/// and are carried out between two frames, in their order.
class SimulationThread {
 public:
  struct Listener {
    std::function<void()> news;                         ///< a new snapshot is there; called on the thread
    std::function<void(const std::string& line)> said;  ///< what happened, for the log; likewise
  };
  explicit SimulationThread(Listener listener);
  ~SimulationThread();

  /// The newest snapshot; null before the first.
  std::shared_ptr<const Snapshot> latest() const;

  // Both return their number, by which a snapshot tells if they are refused.
  int load(const muslin::Scene& scene, const std::vector<std::string>& methods);
  /// Of edits that follow one another faster than frames only the last is made.
  int edit(const muslin::Scene& scene);
  void play(bool on);
  /// Plays until no vertex of any lane is faster than 1 mm/s through half a second, as `muslin run
  /// --until-rest 0.001`.
  void play_until_rest();
  void step();
  void reset();
  void hold(int vertex);
  void let_go(int vertex);
  void pull(int vertex, const muslin::Vec3& place);
  void release();
  void carry(int collider, const muslin::Vec3& offset);

  /// While on, no frame begins before `seen` was called for the one before it: a film misses none.
  void wait_for_viewer(bool on);
  void seen(int frame);

 private:
  using Command = std::function<void()>;
  void post(Command command);
  template <class Change>
  void change_scene(int number, const muslin::Scene& scene, const Change& change);
  void run();
  bool work_is_due(std::unique_lock<std::mutex>& lock);
  void carry_out(const Command& command);
  void take_step();
  void publish();
  void say(const std::string& what) const;

  Listener listener_;
  mutable std::mutex mutex_;
  std::condition_variable change_;

  // below the mutex
  std::deque<Command> commands_;
  std::shared_ptr<const Snapshot> latest_;
  bool ends_ = false, waits_for_viewer_ = false;
  int seen_frame_ = 0;

  // of the thread alone
  static constexpr double kRest = 1e-3;        ///< [m/s]
  std::vector<muslin::RestWatch> until_rest_;  ///< one a lane; none: it plays on
  int newest_ = 0, newest_edit_ = 0;           // numbers of loads and edits

  // of the thread alone
  Lanes lanes_;
  std::shared_ptr<const muslin::Scene> scene_;
  bool playing_ = false;
  int loads_ = 0;
  std::string trouble_;
  int made_ = 0, refused_ = 0;
  double due_ = 0;       // [s] when the next frame should begin
  double frame_ms_ = 0;  // that the last frames took in the mean; 0: none yet
  std::thread thread_;
};
