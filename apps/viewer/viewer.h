#pragma once
#include <functional>
#include <string>
#include <vector>

#include "muslin/render/look.h"

/// Scenes to choose from, under a heading.
struct SceneGroup {
  std::string heading;             ///< "": none
  std::vector<std::string> paths;  ///< scene files
  bool plays = true;               ///< pictures show a run, not its start
};

/// What `muslin view` was asked for.
struct ViewerOptions {
  std::string scene;  ///< file to watch and reload; "": begin with the gallery
  std::vector<SceneGroup> gallery;
  bool as_written = false;           ///< scenes as a run takes them, without their variant for the viewer
  std::vector<std::string> solvers;  ///< two to four named methods: side by side; one: instead of the scene's
  int width = 1280, height = 800;    ///< of the window [pixels of a plain screen]
  double scale = 0;                  ///< pixels of this screen to one of a plain one; 0: as the screen says
  bool paused = false;
  muslin::Look look;
  std::string pictures = ".";  ///< folder for screenshots and films
  bool log = false;            ///< every action of the user and every frame as a line to stderr
  std::function<bool()> stop;  ///< asked four times a second at least: true ends as closing the window does
};

/// Opens the window and returns when it is closed. Throws muslin::Error if there is no display, or its OpenGL
/// is too old.
void run_viewer(const ViewerOptions& options);
