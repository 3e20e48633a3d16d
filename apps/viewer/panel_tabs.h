#pragma once
#include "panel.h"

// The tabs of the panel. World is physical, Solver numerical.

void draw_world(Session& session);
void draw_solver(Session& session, Desk& desk);
void draw_look(Desk& desk);
