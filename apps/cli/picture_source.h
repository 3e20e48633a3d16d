#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "muslin/changed_scene.h"
#include "muslin/io/frame_writer.h"
#include "muslin/model/model.h"
#include "muslin/model/state.h"

/// States to draw, by the number of their frame.
class PictureSource {
 public:
  virtual ~PictureSource() = default;

  virtual const muslin::Scene& scene() const = 0;
  virtual const muslin::Model& model() const = 0;
  /// Those that there are, or will be once prepared; ascending.
  const std::vector<int>& frames() const { return frames_; }

  /// Makes the states of those frames ready; from now on there are only they, and of them those until the
  /// outcome: "finished", "interrupted" or "diverged".
  virtual std::string prepare(const std::vector<int>& wanted, bool quiet) = 0;
  /// After `prepare`. Throws muslin::Error if the file of the frame is not what it should be.
  virtual muslin::State state(int frame) const = 0;

 protected:
  std::vector<int> frames_;
};

/// Frames that were written, and where colliders were in them that cloth blocked.
class RecordedSource : public PictureSource {
 public:
  virtual muslin::BlockedBodies blocked(int frame) const = 0;
};

/// A folder that `muslin run` wrote. Velocities are the way since the frame before, over the time of a frame.
/// Throws muslin::Error if it is none.
std::unique_ptr<RecordedSource> open_frames(const std::string& folder);

/// What `muslin render` is to simulate.
struct SceneRequest {
  std::string path;
  muslin::SceneChanges changes;
  std::optional<int> last;  ///< frame; instead of the scene's
};

/// A scene, simulated when it is prepared. States are kept in a temporary file. Throws muslin::Error as
/// Simulation does.
std::unique_ptr<PictureSource> open_scene(const SceneRequest& request);
