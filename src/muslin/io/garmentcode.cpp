#include "muslin/io/garmentcode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/json_tree.h"

namespace muslin {

namespace {

constexpr double kCentimetres = 100;  // units in a metre, unless the file says otherwise

/// Reads values, and says where what does not fit stands.
class PatternReader {
 public:
  explicit PatternReader(const JsonDocument& document) : document_(document) {}

  SewingPattern read() {
    const JsonNode& pattern =
        member(document_.root, "pattern", "a pattern of GarmentCode: an object with \"pattern\"");
    if (const JsonNode* properties = document_.root.find("properties")) read_properties(*properties);
    const JsonNode& panels = member(pattern, "panels", "an object with the panels");
    for (const JsonMember& panel : object(panels, "an object with the panels")) {
      number_of_[panel.key] = static_cast<int>(result_.panels.size());
      result_.panels.push_back(read_panel(panel));
    }
    if (const JsonNode* stitches = pattern.find("stitches"))
      for (const JsonNode& stitch : array(*stitches, "an array of stitches"))
        result_.stitches.push_back(read_stitch(stitch));
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const JsonNode& node, const std::string& expected) const {
    throw Error(ErrorKind::invalid,
                fmt::format("{}: expected {}, got {}", document_.where(node.place), expected, finding(node)));
  }
  const JsonNode& member(const JsonNode& node, std::string_view key, const std::string& expected) const {
    const JsonNode* const found = node.find(key);
    if (!found) fail(node, expected);
    return *found;
  }
  const JsonNode::Object& object(const JsonNode& node, const std::string& expected) const {
    const auto* const members = node.as<JsonNode::Object>();
    if (!members) fail(node, expected);
    return *members;
  }
  const JsonNode::Array& array(const JsonNode& node, const std::string& expected,
                               std::size_t count = 0) const {
    const auto* const items = node.as<JsonNode::Array>();
    if (!items || (count > 0 && items->size() != count)) fail(node, expected);
    return *items;
  }
  double number(const JsonNode& node, const std::string& expected) const {
    const std::optional<double> value = node.number();
    if (!value || !std::isfinite(*value)) fail(node, expected);
    return *value;
  }
  int index(const JsonNode& node, std::size_t count, const std::string& expected) const {
    const double value = number(node, expected);
    if (!(value >= 0 && value < static_cast<double>(count)) || value != std::floor(value))
      fail(node, expected);
    return static_cast<int>(value);
  }
  Vec2 pair(const JsonNode& node, const std::string& expected) const {
    const JsonNode::Array& items = array(node, expected, 2);
    return {number(items[0], expected), number(items[1], expected)};
  }
  Vec3 triple(const JsonNode& node, const std::string& expected) const {
    const JsonNode::Array& items = array(node, expected, 3);
    return {number(items[0], expected), number(items[1], expected), number(items[2], expected)};
  }

  void read_properties(const JsonNode& properties) {
    if (const JsonNode* units = properties.find("units_in_meter")) {
      const double count = number(*units, "how many units a metre has, as 100");
      if (!(count > 0)) fail(*units, "how many units a metre has, as 100");
      unit_ = 1 / count;
    }
    if (const JsonNode* coordinates = properties.find("curvature_coords"))
      if (const auto* words = coordinates->as<std::string>(); !words || *words != "relative")
        fail(*coordinates, "\"relative\", control points in the frame of their edge");
  }

  PatternPanel read_panel(const JsonMember& member_of_panels) {
    const JsonNode& node = member_of_panels.value;
    PatternPanel panel;
    panel.name = member_of_panels.key;
    const std::string what = fmt::format("panel {}", in_quotes(panel.name));
    for (const JsonNode& corner :
         array(member(node, "vertices", what + " with \"vertices\""), "an array of corners"))
      panel.corners.push_back(unit_ * pair(corner, "a corner, as [x, y]"));
    for (const JsonNode& edge : array(member(node, "edges", what + " with \"edges\""), "an array of edges"))
      panel.edges.push_back(read_edge(edge, panel.corners));
    if (const JsonNode* rotation = node.find("rotation"))
      panel.rotation = triple(*rotation, "three angles [deg]");
    if (const JsonNode* place = node.find("translation"))
      panel.translation = unit_ * triple(*place, "a place, as [x, y, z]");
    return panel;
  }

  PatternEdge read_edge(const JsonNode& node, const std::vector<Vec2>& corners) {
    PatternEdge edge;
    const std::string ends = fmt::format("\"endpoints\", two corners from 0 to {}", std::ssize(corners) - 1);
    const JsonNode::Array& of = array(member(node, "endpoints", "an edge with " + ends), ends, 2);
    edge.from = index(of[0], corners.size(), ends);
    edge.to = index(of[1], corners.size(), ends);
    if (const JsonNode* label = node.find("label"))
      if (const auto* words = label->as<std::string>()) edge.label = *words;
    const JsonNode* const curvature = node.find("curvature");
    if (curvature && !curvature->is_null()) read_curvature(*curvature, edge);
    return edge;
  }

  void read_curvature(const JsonNode& node, PatternEdge& edge) {
    using Form = PatternEdge::Form;
    constexpr const char* kPoint = "a control point, as [0.5, 0.1]";
    if (node.as<JsonNode::Array>()) {  // as older files have it
      edge.form = Form::quadratic;
      edge.control[0] = pair(node, kPoint);
      return;
    }
    const JsonNode& type = member(node, "type", "a curvature with \"type\" and \"params\"");
    const JsonNode& parameters = member(node, "params", "a curvature with \"type\" and \"params\"");
    const auto* const word = type.as<std::string>();
    if (word && *word == "quadratic") {
      edge.form = Form::quadratic;
      edge.control[0] = pair(array(parameters, "one control point", 1)[0], kPoint);
    } else if (word && *word == "cubic") {
      edge.form = Form::cubic;
      const JsonNode::Array& points = array(parameters, "two control points", 2);
      edge.control = {pair(points[0], kPoint), pair(points[1], kPoint)};
    } else if (word && *word == "circle") {
      edge.form = Form::circle;
      constexpr const char* kThree = "a radius, and 0 or 1 for the large arc and for counter-clockwise";
      const JsonNode::Array& three = array(parameters, kThree, 3);
      edge.radius = unit_ * number(three[0], kThree);
      edge.is_large = flag(three[1], kThree);
      edge.is_counter = flag(three[2], kThree);
    } else {
      fail(type, "\"quadratic\", \"cubic\" or \"circle\"");
    }
  }
  bool flag(const JsonNode& node, const std::string& expected) const {
    if (const bool* value = node.as<bool>()) return *value;
    return number(node, expected) != 0;
  }

  PatternStitch read_stitch(const JsonNode& node) {
    constexpr const char* kStitch =
        "a stitch: two of {\"panel\": …, \"edge\": …}, and \"right_wrong\" or nothing";
    const JsonNode::Array& parts = array(node, kStitch);
    if (parts.size() < 2 || parts.size() > 3) fail(node, kStitch);
    PatternStitch stitch{read_side(parts[0]), read_side(parts[1])};
    if (parts.size() == 3) {
      const auto* const word = parts[2].as<std::string>();
      if (!word || *word != "right_wrong") fail(parts[2], "\"right_wrong\"");
      stitch.is_reversed = false;
    }
    return stitch;
  }
  PatternSide read_side(const JsonNode& node) {
    const JsonNode& panel = member(node, "panel", "a side of a stitch: {\"panel\": …, \"edge\": …}");
    const auto* const name = panel.as<std::string>();
    const auto found = name ? number_of_.find(*name) : number_of_.end();
    if (found == number_of_.end()) fail(panel, "the name of a panel");
    const std::size_t edges = result_.panels[found->second].edges.size();
    return {found->second,
            index(member(node, "edge", "a side of a stitch: {\"panel\": …, \"edge\": …}"), edges,
                  fmt::format("an edge of panel {}, from 0 to {}", in_quotes(*name),
                              static_cast<std::ptrdiff_t>(edges) - 1))};
  }

  const JsonDocument& document_;
  double unit_ = 1 / kCentimetres;
  SewingPattern result_;
  std::map<std::string, int> number_of_;
};

// --- the drawing -----------------------------------------------------------------------------------

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text)
    result += c == '<'   ? "&lt;"
              : c == '>' ? "&gt;"
              : c == '&' ? "&amp;"
              : c == '"' ? "&quot;"
                         : std::string(1, c);
  return result;
}

struct Extent2 {
  Vec2 low = Vec2::Constant(kInfinity), high = Vec2::Constant(-kInfinity);
};

Extent2 extent_of(const PatternPanel& panel) {
  constexpr int kParts = 16;
  Extent2 extent;
  for (const PatternEdge& edge : panel.edges)
    for (int k = 0; k <= kParts; ++k) {
      const Vec2 p = point_at(panel, edge, double(k) / kParts);
      extent.low = extent.low.cwiseMin(p);
      extent.high = extent.high.cwiseMax(p);
    }
  return extent;
}

}  // namespace

SewingPattern read_pattern(const std::string& path) {
  return parse_pattern(read_file(path, kMaxJsonBytes), path);
}

SewingPattern parse_pattern(const std::string& text, const std::string& name) {
  const JsonDocument document{name, text, parse_json(text, name), {}};
  return PatternReader(document).read();
}

// In millimetres, panels in rows; y points up in a pattern, down in a drawing.
std::string draw_pattern(const SewingPattern& pattern) {
  constexpr double kMillimetres = 1000, kGap = 60, kRow = 2400;
  constexpr int kParts = 24;
  std::vector<std::vector<int>> seam_of;
  for (const PatternPanel& panel : pattern.panels) seam_of.emplace_back(panel.edges.size(), -1);
  for (int s = 0; s < std::ssize(pattern.stitches); ++s)
    for (const PatternSide& side : {pattern.stitches[s].a, pattern.stitches[s].b})
      seam_of[side.panel][side.edge] = s;

  std::string body;
  double x = kGap, y = kGap, row = 0, width = 0;
  for (int p = 0; p < std::ssize(pattern.panels); ++p) {
    const PatternPanel& panel = pattern.panels[p];
    const auto [low, high] = extent_of(panel);
    if (!low.allFinite()) continue;
    const Vec2 size = kMillimetres * (high - low);
    if (x > kGap && x + size.x() > kRow) {
      x = kGap;
      y += row + 2 * kGap;
      row = 0;
    }
    const auto at = [&, low = low, high = high](const Vec2& point) {
      return Vec2(x + kMillimetres * (point.x() - low.x()), y + kMillimetres * (high.y() - point.y()));
    };
    std::string outline, seams, words;
    for (int e = 0; e < std::ssize(panel.edges); ++e) {
      std::string way;
      for (int k = 0; k <= kParts; ++k) {
        const Vec2 point = at(point_at(panel, panel.edges[e], double(k) / kParts));
        way += fmt::format("{}{:.1f},{:.1f}", k == 0 ? "" : " ", point.x(), point.y());
      }
      outline += (e == 0 ? "" : " ") + way;
      const int seam = seam_of[p][e];
      const int hue = seam < 0 ? 0 : static_cast<int>(seam * 137.508) % 360;
      seams += fmt::format("<polyline points=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>\n", way,
                           seam < 0 ? "#555" : fmt::format("hsl({},70%,42%)", hue), seam < 0 ? 2 : 6);
      const Vec2 middle = at(point_at(panel, panel.edges[e], 0.5)), centre = at((low + high) / 2);
      const Vec2 inward = (centre - middle).norm() > 0 ? Vec2((centre - middle).normalized()) : Vec2::Zero();
      const Vec2 place = middle + 24 * inward;
      words += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">{}</text>\n", place.x(),
                           place.y() + 6, seam < 0 ? "#777" : fmt::format("hsl({},70%,32%)", hue),
                           seam < 0 ? fmt::format("{}", e)
                                    : fmt::format("{} = {} ({:.0f})", e, fmt::format("s{}", seam),
                                                  kMillimetres * length_of(panel, panel.edges[e])));
    }
    const Vec2 centre = at((low + high) / 2);
    body += fmt::format("<polygon points=\"{}\" fill=\"#f4efe6\"/>\n<g fill=\"none\">\n{}</g>\n", outline,
                        seams) +
            fmt::format("<g font-size=\"15\" text-anchor=\"middle\">\n{}</g>\n", words) +
            fmt::format(
                "<path d=\"M{0:.1f},{1:.1f} h60 m-10,-6 l10,6 l-10,6\" fill=\"none\" stroke=\"#333\"/>\n"
                "<text x=\"{2:.1f}\" y=\"{3:.1f}\" font-size=\"24\" text-anchor=\"middle\">{4}</text>\n",
                centre.x() - 30, centre.y() + 14, centre.x(), centre.y(), escaped(panel.name));
    x += size.x() + kGap;
    width = std::max(width, x);
    row = std::max(row, size.y());
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" "
      "font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{2}</svg>\n",
      std::max(width, 2 * kGap), y + row + kGap, body);
}

}  // namespace muslin
