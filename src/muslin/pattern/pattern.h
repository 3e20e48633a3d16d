#pragma once
#include <array>
#include <string>
#include <vector>

#include "muslin/core/types.h"

namespace muslin {

/// A line from one corner of a panel to another. Lengths are in metres.
struct PatternEdge {
  /// How it goes there.
  enum class Form { line, quadratic, cubic, circle };
  int from = 0, to = 0;  ///< indices into PatternPanel::corners
  Form form = Form::line;
  /// Control points of a Bézier curve, in the frame of the edge: a + s (b − a) + t (b − a)⊥ is (s, t).
  std::array<Vec2, 2> control{Vec2::Zero(), Vec2::Zero()};
  double radius = 0;        ///< of a circle [m]
  bool is_large = false;    ///< of its two arcs the longer, as SVG's large-arc flag
  bool is_counter = false;  ///< it goes counter-clockwise
  std::string label{};      ///< what the pattern calls it
};

/// A piece of cloth as it is cut, and where it is before it is sewn.
struct PatternPanel {
  std::string name;
  std::vector<Vec2> corners;        ///< [m] in its plane; x is the grain
  std::vector<PatternEdge> edges;   ///< a closed loop; the front is where it goes counter-clockwise
  Vec3 rotation = Vec3::Zero();     ///< about x, then y, then z [deg]
  Vec3 translation = Vec3::Zero();  ///< after that [m]

  /// Where a place of its plane is in space [m].
  Vec3 place(const Vec2& flat) const;
};

/// An edge of a panel.
struct PatternSide {
  int panel = 0, edge = 0;
};

/// Two edges that are sewn together.
struct PatternStitch {
  PatternSide a, b;
  bool is_reversed = true;  ///< the begin of a meets the end of b
};

/// What a garment is cut and sewn from.
struct SewingPattern {
  std::vector<PatternPanel> panels;
  std::vector<PatternStitch> stitches;
};

/// An edge at t in [0, 1], from its first corner to its last [m].
Vec2 point_at(const PatternPanel& panel, const PatternEdge& edge, double t);

/// Its length [m], to 1e-9 of it.
double length_of(const PatternPanel& panel, const PatternEdge& edge);

/// `count` + 1 points from its begin to its end, evenly along it [m].
std::vector<Vec2> divided(const PatternPanel& panel, const PatternEdge& edge, int count);

/// What makes a pattern no garment, one sentence each, the place first: an outline that crosses itself, an
/// edge without length, a seam with itself. Empty: it can be meshed. At most `most` of them.
std::vector<std::string> find_problems(const SewingPattern& pattern, int most = 20);

/// `panel "front", edge 3 (neck)`.
std::string name_of(const SewingPattern& pattern, const PatternSide& side);

}  // namespace muslin
