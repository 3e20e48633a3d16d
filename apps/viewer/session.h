#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "muslin/io/scene_json.h"
#include "muslin/render/look.h"
#include "scene_form.h"
#include "simulation_thread.h"

/// What a person says to one window: the scene as the file has it, as the panel has it, and what was said
/// back.
class Session {
 public:
  /// `as_written`: scenes are shown as a run takes them, without their variant for the viewer.
  Session(SimulationThread::Listener listener, std::vector<std::string> methods, bool as_written);

  SimulationThread& thread() { return thread_; }

  /// Reads a scene file and begins it; afterwards watches the file. False if it cannot be read: then
  /// `trouble` says why, and what ran before goes on.
  bool open(const std::string& path, bool play);
  /// Reads the file again if it was saved since, four times a second at most. True if it was.
  bool look_for_changes();
  bool is_open() const { return !path().empty(); }
  const std::string& path() const { return file().form.path; }

  /// Whether what is shown is the file's variant for the viewer, and the choice between it and the file's
  /// own.
  bool shows_variant() const { return !file().form.overrides.empty(); }
  bool has_variant() const { return file().form.has_variant; }
  /// Shows the other form, with the changes that were made to this one; `undo` leads back. Returns what to
  /// tell: what came along, what could not.
  std::string show_as_written(bool as_written);
  /// Writes the scene as the panel has it into its file, whose comments and order stay. False if that cannot
  /// be: then `trouble` says why, and the file is as it was.
  bool save();
  bool is_saved() const;

  /// Where what was asked for last is refused, the panel has what runs again, and its file. True then.
  bool follow(const Snapshot& snapshot);

  /// The scene as the panel has it. Whoever changes it calls `apply`.
  muslin::Scene& scene() { return scene_; }
  /// The scene as the file has it: what "reset" goes back to.
  const muslin::Scene& original() const { return file().form.scene; }
  void apply();

  // Steps of edits: what changes until `end_stroke` (the mouse is up) is one step.
  void end_stroke() { in_stroke_ = false; }
  bool undo() { return go_back(undone_, done_); }
  bool redo() { return go_back(done_, undone_); }

  // Switches of the world
  bool has_gravity() const { return !scene_.gravity.isZero(); }
  bool has_wind() const;
  void switch_gravity();
  void switch_wind();
  void switch_self_collision();
  /// Pins vertices, by the scene's numbers of all cloths one after another; those that are pinned already
  /// stay so. Returns how many are new.
  int pin(const std::vector<int>& vertices);

  /// Lets a named method run the scene instead.
  void choose_method(const std::string& name);
  /// These side by side from the beginning; none: the scene's own solver alone.
  void compare(const std::vector<std::string>& methods);
  const std::vector<std::string>& methods() const { return methods_; }

  /// Why the file could not be read, or "".
  const std::string& trouble() const { return trouble_; }

 private:
  /// A scene file as it was read last.
  struct File {
    SceneForm form;
    std::filesystem::file_time_type saved;
  };
  /// What an edit leads away from.
  struct Step {
    muslin::Scene scene;
    bool as_written;
  };
  const File& file() const { return files_.rbegin()->second; }
  File& file() { return files_.rbegin()->second; }
  bool read(const std::string& path, File& file);
  void load();
  void edit();
  void begin_anew();
  void remember();
  bool go_back(std::vector<Step>& to, std::vector<Step>& from);
  void send(const muslin::Scene& scene);

  std::map<int, File> files_{{0, {}}};  ///< what runs, and what was opened since; by the loads' numbers
  muslin::Scene scene_;
  muslin::Vec3 gravity_{0, -9.81, 0};  ///< what switching on goes back to
  muslin::Wind wind_;
  std::vector<std::string> methods_;
  std::string trouble_;
  bool as_written_;
  std::vector<Step> done_, undone_;  ///< the scenes before and after, the nearest last
  muslin::Scene sent_;               ///< what runs, or will, if it is not refused
  bool in_stroke_ = false;
  int newest_ = 0;           ///< number of the load or edit that was asked for last
  int followed_ = 0;         ///< of the refusal that was followed last
  double looked_ = 0;        ///< [s] when the file was last looked at
  SimulationThread thread_;  ///< last: it ends first
};

/// The named method that settings are those of, or the family's name.
std::string method_of(const muslin::SolverSettings& settings);

/// A wind to switch on where a scene has none.
muslin::Wind breeze();
