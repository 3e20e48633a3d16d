#pragma once
#include "plots.h"
#include "session.h"

/// How the window shows things, beside the scene: what lies on the desk.
struct Desk {
  muslin::Look look;
  bool panel = true;
  bool help = false;
  bool gallery = false;
  bool follow = true;              ///< the camera keeps the cloth in the picture
  bool lasso = false;              ///< a drag draws a line about vertices to pin
  bool films = false;              ///< a film is being made
  std::vector<bool> side_by_side;  ///< of the named methods, ticked for the compare view
  std::string said;                ///< the last good news: "wrote muslin_001.png"
  std::string trouble;             ///< the last bad news of pictures and films
  std::string asked;               ///< a shipped scene that was not saved: who asks again means it
  std::string look_trouble;        ///< why the look is not as asked for: shaders, textures

  // what a button asks for; the viewer does it and takes it back
  bool wants_picture = false, wants_film = false, wants_gallery = false, wants_undo = false,
       wants_redo = false, wants_save = false, wants_other_form = false;
};

/// How wide the panel is in a window of that width [pixels].
int panel_width(int window_width, double scale);

/// The panel on the left: time, and the tabs for the world, the solver, the look and the curves.
void draw_panel(Session& session, const Snapshot& snapshot, const History& history, Desk& desk, int width);
