#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "muslin/render/materials.h"
#include "muslin/simulation.h"
#include "stage_picture.h"
#include "viewer.h"

/// The scenes to choose from, each with a picture of its cloth a little later. Pictures are simulated on a
/// thread of their own and drawn one at a time.
class Gallery {
 public:
  /// `wake` is called on the thread when there is something new to draw.
  Gallery(const std::vector<SceneGroup>& groups, void (*wake)());
  ~Gallery();
  Gallery(const Gallery&) = delete;
  Gallery& operator=(const Gallery&) = delete;

  /// Whether pictures stay as they are: another scene has the processor.
  void rest(bool on) { rests_ = on; }

  /// Draws one picture that is not there yet; false if there is none.
  bool draw_next_picture(double scale);

  /// Shows all on the window, with what is wrong with the last choice; the path of the one that was clicked.
  std::optional<std::string> draw(const std::string& trouble, double scale);

 private:
  struct Entry {
    std::string path, name, summary, sizes, trouble;
    muslin::Stage stage;
    bool plays = true;
    bool is_new = false;  ///< a stage that no picture shows yet
    StagePicture picture;
  };
  /// A scene on its way to what its picture shows.
  struct Work {
    Entry* entry;
    std::unique_ptr<muslin::Simulation> simulation;
    std::shared_ptr<const muslin::Paint> paint;
    bool is_shown = false;
  };
  void begin(Work& work) const;
  /// Lets it run for so many seconds more; false where there was nothing to do.
  bool go_on(Work& work, double seconds) const;
  /// Scenes under one heading.
  struct Group {
    std::string heading;
    std::vector<std::unique_ptr<Entry>> entries;
  };
  std::optional<std::string> draw_group(const Group& group, double scale) const;
  std::optional<std::string> draw_entry(const Entry& entry, float width, double scale) const;

  std::vector<Group> groups_;
  muslin::Renderer renderer_;
  std::string typed_;  ///< path
  mutable std::mutex mutex_;
  std::atomic<bool> ends_ = false, rests_ = false;
  std::thread thread_;
};

/// What is said instead of saving a scene of the gallery: that it comes with the program. Nothing for other
/// scenes, and where that was said of it last (`asked`).
std::optional<std::string> doubt_of_saving(const std::vector<SceneGroup>& gallery, const std::string& path,
                                           std::string& asked);

/// Whether a key of GLFW does something there: to go back, and for help. The others are for a scene.
bool works_in_gallery(int key);

/// The first sentence of the comments at the beginning of a scene file, or "".
std::string first_comment(const std::string& text);
