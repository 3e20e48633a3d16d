#include "muslin/pattern/pattern.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "muslin/core/maths.h"

namespace muslin {

namespace {

constexpr double kLargest = 8;      // [m] of a panel; a larger one has its units wrong
constexpr double kSmallest = 0.01;  // [m] likewise of all panels
constexpr double kNoLength = 1e-5;  // [m] of an edge
constexpr int kPieces = 32;         // of a curve, between which lengths are found by quadrature
constexpr int kOutlinePoints = 16;  // of a curve, where crossings are looked for

struct Circle {
  Vec2 center;
  double radius, begin, turn;  // [rad]
};

Circle circle_of(const PatternEdge& edge, const Vec2& a, const Vec2& b) {
  const Vec2 chord = b - a;
  const double length = chord.norm(), radius = std::max(edge.radius, length / 2);
  const double height = std::sqrt(std::max(radius * radius - length * length / 4, 0.0));
  const Vec2 across = Vec2(-chord.y(), chord.x()) / length;
  const Vec2 center = (a + b) / 2 + (edge.is_large != edge.is_counter ? height : -height) * across;
  const auto angle = [&](const Vec2& p) { return maths::atan2(p.y() - center.y(), p.x() - center.x()); };
  const double begin = angle(a);
  double turn = angle(b) - begin;
  if (edge.is_counter && turn < 0) turn += 2 * std::numbers::pi;
  if (!edge.is_counter && turn > 0) turn -= 2 * std::numbers::pi;
  return {center, radius, begin, turn};
}

Vec2 control_point(const Vec2& a, const Vec2& b, const Vec2& of_frame) {
  const Vec2 along = b - a;
  return a + of_frame.x() * along + of_frame.y() * Vec2(-along.y(), along.x());
}

bool is_curve(const PatternEdge& edge) {
  return edge.form == PatternEdge::Form::quadratic || edge.form == PatternEdge::Form::cubic;
}

// |dx/dt| of a Bézier curve.
double speed_at(const PatternPanel& panel, const PatternEdge& edge, double t) {
  const Vec2 a = panel.corners[edge.from], b = panel.corners[edge.to];
  const Vec2 p = control_point(a, b, edge.control[0]);
  if (edge.form == PatternEdge::Form::quadratic) return (2 * (1 - t) * (p - a) + 2 * t * (b - p)).norm();
  const Vec2 q = control_point(a, b, edge.control[1]);
  return (3 * (1 - t) * (1 - t) * (p - a) + 6 * t * (1 - t) * (q - p) + 3 * t * t * (b - q)).norm();
}

// ∫ |dx/dt| between two parameters, by Gauss's rule of five points.
double arc_between(const PatternPanel& panel, const PatternEdge& edge, double from, double to) {
  constexpr std::array<double, 5> kAt{-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                      0.9061798459386640};
  constexpr std::array<double, 5> kWeight{0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                          0.4786286704993665, 0.2369268850561891};
  double sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += kWeight[k] * speed_at(panel, edge, (from + to) / 2 + kAt[k] * (to - from) / 2);
  return sum * (to - from) / 2;
}

// The parameter behind a length of arc, `sums` being that up to each of kPieces parts.
double parameter_at(const PatternPanel& panel, const PatternEdge& edge, const std::vector<double>& sums,
                    double arc) {
  constexpr int kHalvings = 50;
  const auto piece = std::clamp<std::ptrdiff_t>(
      std::upper_bound(sums.begin(), sums.end(), arc) - sums.begin() - 1, 0, kPieces - 1);
  const double begin = double(piece) / kPieces;
  double low = begin, high = double(piece + 1) / kPieces;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = (low + high) / 2;
    (sums[piece] + arc_between(panel, edge, begin, middle) < arc ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::vector<double> arc_sums(const PatternPanel& panel, const PatternEdge& edge) {
  std::vector<double> sums{0};
  for (int k = 0; k < kPieces; ++k)
    sums.push_back(sums.back() + arc_between(panel, edge, double(k) / kPieces, double(k + 1) / kPieces));
  return sums;
}

// --- what is wrong with a pattern -------------------------------------------------------------------

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

// Whether two segments have a point in common, by doubles: what is nearer than rounding is for the mesher.
bool cross_each_other(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const double first = cross(b - a, c - a), second = cross(b - a, d - a), third = cross(d - c, a - c),
               fourth = cross(d - c, b - c);
  return first * second < 0 && third * fourth < 0;
}

struct OutlineSegment {
  Vec2 a, b;
  int edge;
};

// The two edges of a panel that cross first, or nothing.
std::array<int, 2> crossing_edges(const PatternPanel& panel) {
  std::vector<OutlineSegment> segments;
  for (int e = 0; e < std::ssize(panel.edges); ++e) {
    const int count = panel.edges[e].form == PatternEdge::Form::line ? 1 : kOutlinePoints;
    for (int k = 0; k < count; ++k)
      segments.push_back({point_at(panel, panel.edges[e], double(k) / count),
                          point_at(panel, panel.edges[e], double(k + 1) / count), e});
  }
  const auto left = [](const OutlineSegment& s) { return std::min(s.a.x(), s.b.x()); };
  std::stable_sort(segments.begin(), segments.end(),
                   [&](const auto& s, const auto& other) { return left(s) < left(other); });
  for (size_t i = 0; i < segments.size(); ++i)
    for (size_t j = i + 1; j < segments.size(); ++j) {
      if (left(segments[j]) > std::max(segments[i].a.x(), segments[i].b.x())) break;
      if (cross_each_other(segments[i].a, segments[i].b, segments[j].a, segments[j].b))
        return {std::min(segments[i].edge, segments[j].edge), std::max(segments[i].edge, segments[j].edge)};
    }
  return {-1, -1};
}

class ProblemList {
 public:
  ProblemList(const SewingPattern& pattern, int most) : pattern_(pattern), most_(most) {}

  std::vector<std::string> all() {
    check_size();
    for (int p = 0; p < std::ssize(pattern_.panels) && !is_full(); ++p) check_panel(p);
    check_stitches();
    return std::move(sentences_);
  }

 private:
  bool is_full() const { return std::ssize(sentences_) >= most_; }
  void add(std::string sentence) {
    if (!is_full()) sentences_.push_back(std::move(sentence));
  }

  void check_size() {
    if (pattern_.panels.empty()) add("the pattern has no panels");
    double largest = 0;
    for (const PatternPanel& panel : pattern_.panels) {
      Eigen::AlignedBox2d box;
      for (const Vec2& corner : panel.corners) box.extend(corner);
      if (!box.isEmpty()) largest = std::max(largest, box.sizes().maxCoeff());
      if (!box.isEmpty() && !(box.sizes().maxCoeff() <= kLargest))
        add(fmt::format(
            "panel \"{}\" is {:.4g} m wide, and a panel has at most {} m: units_in_meter is wrong",
            panel.name, box.sizes().maxCoeff(), kLargest));
    }
    if (!pattern_.panels.empty() && largest < kSmallest)
      add(fmt::format("the largest panel is {:.3g} mm wide, and one must have {} mm: units_in_meter is wrong",
                      1000 * largest, 1000 * kSmallest));
  }

  void check_panel(int p) {
    const PatternPanel& panel = pattern_.panels[p];
    const auto count = std::ssize(panel.edges);
    if (count < 3) {
      add(fmt::format("panel \"{}\" has {} edges, and an outline has 3 at least", panel.name, count));
      return;
    }
    const auto before = sentences_.size();
    for (int e = 0; e < count; ++e) {
      const PatternEdge &edge = panel.edges[e], &next = panel.edges[(e + 1) % count];
      if (edge.to != next.from)
        add(fmt::format(
            "panel \"{}\": edge {} ends at corner {}, and edge {} begins at corner {}: an edge is "
            "missing between them",
            panel.name, e, edge.to, (e + 1) % count, next.from));
      if (const double chord = (panel.corners[edge.to] - panel.corners[edge.from]).norm();
          !(chord > kNoLength) || !(length_of(panel, edge) > kNoLength))
        add(fmt::format("{}: has no length, its corners {} and {} lie in one place",
                        name_of(pattern_, {p, e}), edge.from, edge.to));
    }
    if (sentences_.size() > before) return;
    if (const auto [a, b] = crossing_edges(panel); a >= 0)
      add(fmt::format("panel \"{}\": its outline crosses itself, at edges {} and {}", panel.name, a, b));
  }

  void check_stitches() {
    std::map<std::array<int, 2>, size_t> used;
    for (size_t s = 0; s < pattern_.stitches.size() && !is_full(); ++s) {
      const auto& [a, b, reversed] = pattern_.stitches[s];
      if (a.panel == b.panel && a.edge == b.edge) {
        add(fmt::format("stitch {}: sews {} to itself", s, name_of(pattern_, a)));
        continue;
      }
      for (const PatternSide& side : {a, b})
        if (const auto [earlier, is_new] = used.try_emplace({side.panel, side.edge}, s); !is_new)
          add(fmt::format("stitch {}: {} is sewn by stitch {} already, and three borders are no seam", s,
                          name_of(pattern_, side), earlier->second));
    }
  }

  const SewingPattern& pattern_;
  const int most_;
  std::vector<std::string> sentences_;
};

}  // namespace

Vec3 PatternPanel::place(const Vec2& flat) const {
  const Vec3 turn = rotation * (std::numbers::pi / 180);
  Mat3 x = Mat3::Identity(), y = Mat3::Identity(), z = Mat3::Identity();
  const auto set = [](Mat3& matrix, int i, int j, double angle) {
    const double c = maths::cos(angle), s = maths::sin(angle);
    matrix(i, i) = matrix(j, j) = c;
    matrix(i, j) = -s;
    matrix(j, i) = s;
  };
  set(x, 1, 2, turn.x());
  set(y, 2, 0, turn.y());
  set(z, 0, 1, turn.z());
  return z * (y * (x * Vec3(flat.x(), flat.y(), 0))) + translation;
}

Vec2 point_at(const PatternPanel& panel, const PatternEdge& edge, double t) {
  const Vec2 a = panel.corners[edge.from], b = panel.corners[edge.to];
  if (t <= 0) return a;
  if (t >= 1) return b;
  const double s = 1 - t;
  switch (edge.form) {
    case PatternEdge::Form::line:
      return s * a + t * b;
    case PatternEdge::Form::quadratic:
      return s * s * a + 2 * s * t * control_point(a, b, edge.control[0]) + t * t * b;
    case PatternEdge::Form::cubic:
      return s * s * s * a + 3 * s * s * t * control_point(a, b, edge.control[0]) +
             3 * s * t * t * control_point(a, b, edge.control[1]) + t * t * t * b;
    case PatternEdge::Form::circle:
      break;
  }
  const Circle circle = circle_of(edge, a, b);
  const double angle = circle.begin + t * circle.turn;
  return circle.center + circle.radius * Vec2(maths::cos(angle), maths::sin(angle));
}

double length_of(const PatternPanel& panel, const PatternEdge& edge) {
  const Vec2 a = panel.corners[edge.from], b = panel.corners[edge.to];
  if (is_curve(edge)) return arc_sums(panel, edge).back();
  if (edge.form == PatternEdge::Form::line || a == b) return (b - a).norm();
  const Circle circle = circle_of(edge, a, b);
  return circle.radius * std::abs(circle.turn);
}

std::vector<Vec2> divided(const PatternPanel& panel, const PatternEdge& edge, int count) {
  std::vector<Vec2> points;
  const std::vector<double> sums = is_curve(edge) ? arc_sums(panel, edge) : std::vector<double>();
  for (int k = 0; k <= count; ++k) {
    double t = double(k) / count;
    if (is_curve(edge) && k > 0 && k < count) t = parameter_at(panel, edge, sums, t * sums.back());
    points.push_back(point_at(panel, edge, t));
  }
  return points;
}

std::vector<std::string> find_problems(const SewingPattern& pattern, int most) {
  return ProblemList(pattern, most).all();
}

std::string name_of(const SewingPattern& pattern, const PatternSide& side) {
  const PatternPanel& panel = pattern.panels[side.panel];
  const std::string& label = panel.edges[side.edge].label;
  return fmt::format("panel \"{}\", edge {}{}", panel.name, side.edge,
                     label.empty() ? "" : fmt::format(" ({})", label));
}

}  // namespace muslin
