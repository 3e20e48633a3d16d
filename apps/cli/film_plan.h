#pragma once
#include <optional>
#include <vector>

/// Which frame every picture of a film shows.
struct FilmPlan {
  double fps;               ///< pictures a second
  double step;              ///< frames that pass from a picture to the next
  std::vector<int> frames;  ///< a frame a picture, never going back
};

/// A film of the frames, ascending, that runs `speed` times as fast as what it shows; a frame lasts
/// `frame_time` [s]. Without `fps` it has as many pictures a second as there are frames, or every second one,
/// third one, … if those are more than `most_fps`, or each several times if fewer than ten.
FilmPlan plan_film(const std::vector<int>& frames, double frame_time, double speed, std::optional<double> fps,
                   double most_fps);
