#pragma once
#include "session.h"

/// What lies on the desk: how the window shows things, beside the scene.
struct Desk {
  muslin::Look look;
  bool panel = true;
};

/// How wide the panel is in a window of that width [pixels].
int panel_width(int window_width, double scale);

void draw_panel(Session& session, const Snapshot& snapshot, Desk& desk);
