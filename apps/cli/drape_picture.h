#pragma once
#include <string>

#include "muslin/model/scene.h"

/// That a picture can be drawn there, before the work. Throws muslin::Error if it exists and `force` is
/// false, is no .png, or this program was built without pictures.
void expect_picture(const std::string& path, bool force);

/// Draws the start of such a scene (scene_at_rest).
void draw_drape(const muslin::Scene& scene, const std::string& path, bool force);
