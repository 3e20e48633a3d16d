#pragma once
#include <string>
#include <vector>

#include "panel.h"
#include "pointer.h"
#include "stage_view.h"

// What is written over the stages.

/// What a person must know of a frame before believing it: not converged, gravity lost, diverged.
std::vector<std::string> warnings_of(const LaneSnapshot& lane);

/// Warnings of a lane, as a banner at the top of its area.
void draw_banner(const LaneSnapshot& lane, const Area& area);

/// The text cut at spaces into lines that are no wider [pixels], but for words that are.
std::vector<std::string> wrapped(const std::string& text, float width);

/// How much of an area the words over it cover: banner, caption, status line, and the colours' scale if there
/// is one.
Margins covered_margins(const LaneSnapshot& lane, const std::vector<std::string>& caption, bool legend,
                        const Area& area);

/// How fast the run is, in the lower right corner of an area: "real time", or how many times slower.
void draw_speed(const Snapshot& snapshot, const Area& area);
std::string speed_in_words(double speed);

/// One line at the bottom of an area, in its middle.
void draw_toast(const std::string& text, const Area& area);

/// The line that is drawn about vertices.
void draw_lasso(const std::vector<muslin::Vec2>& line);

/// Lines in the lower left corner of an area, the first ones where there is no room for all.
void draw_caption(const std::vector<std::string>& lines, const Area& area);

/// What the mouse would take hold of, or holds.
void draw_hint(const Pointer& pointer, const Snapshot& snapshot, const muslin::Stage& stage,
               const muslin::Camera& camera, const Area& area);

/// All keys.
void draw_help(bool& open, const Area& area);

/// A red dot while a film is made.
void draw_film_sign(int pictures, const Area& area);

/// Where a camera shows a place in an area [pixels of the window].
muslin::Vec2 on_screen(const muslin::Vec3& place, const muslin::Camera& camera, const Area& area);
