#pragma once
#include <vector>

#include "muslin/render/text.h"

// What is written over a picture: the caption, the scale of a heat map, the key of the springs.

namespace muslin {

/// A number with its words on a scale.
struct Tick {
  double value;
  std::string words;
};

/// Three to five round numbers between two ends.
std::vector<Tick> round_ticks(double low, double high);

/// Where the bar of colours is drawn [pixels from the upper left]: `heat_colour(0)` below, `heat_colour(1)`
/// above. It stands in the middle, unless that would bring its box under what covers the picture.
struct LegendBar {
  Vec2 upper_left, lower_right;
};
LegendBar legend_bar(int width, int height, double covered_top = 0, double covered_bottom = 0,
                     double screen_scale = 1);

/// The fraction of a picture's width, at its right, that the scale of such a look covers.
double legend_strip(const Look& look, int width, int height);

/// Height of the letters in a picture [pixels]: a fraction of its height, but no smaller than can be read.
double letter_size(int height, double screen_scale = 1);

/// Everything a view wants written over it, in letters of `letter_size`.
Sketch annotate(const View& view, const Font& font);

}  // namespace muslin
