#pragma once
#include "panel.h"

// The tabs of the panel. World is physical, Solver numerical.

void draw_world(Session& session);
void draw_solver(Session& session, Desk& desk);
void draw_look(Desk& desk, const muslin::Scene& scene);

/// Whether any cloth is made of springs; else there are triangles alone.
bool has_springs(const muslin::Scene& scene);
