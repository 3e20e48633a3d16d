#include "check_pattern.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/garmentcode.h"
#include "muslin/io/json_tree.h"
#include "muslin/model/scene.h"
#include "muslin/pattern/pattern_mesh.h"
#include "streams.h"
#include "table.h"

using namespace muslin;
using Json = nlohmann::ordered_json;

namespace {

constexpr double kMillimetres = 1000;
constexpr int kWidth = 100;  // of a table

double area_of(const PatternMesh& made, const std::string& panel) {
  const Polygons& polygons = *made.mesh.polygons;
  const std::vector<bool> is_its = polygons_named(polygons, kObject, panel);
  double area = 0;
  for (size_t t = 0; t < made.mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = made.mesh.triangles[t];
    if (is_its[made.mesh.polygon_of[t]])
      area += triangle_area(made.rest.col(a), made.rest.col(b), made.rest.col(c));
  }
  return area;
}

Rows panel_rows(const SewingPattern& pattern, const PatternMesh& made) {
  Rows rows{{"panel", "edges", "area [m^2]", "outline [mm]"}};
  for (const PatternPanel& panel : pattern.panels) {
    double outline = 0;
    for (const PatternEdge& edge : panel.edges) outline += length_of(panel, edge);
    rows.push_back({panel.name, fmt::format("{}", panel.edges.size()),
                    fmt::format("{:.4f}", area_of(made, panel.name)),
                    fmt::format("{:.0f}", kMillimetres * outline)});
  }
  return rows;
}

Rows seam_rows(const PatternMesh& made) {
  Rows rows{{"seam", "mm", "to mm", "ease", "stitches", "ends apart [mm]", ""}};
  for (size_t s = 0; s < made.seams.size(); ++s) {
    const PatternSeam& seam = made.seams[s];
    const auto [shorter, longer] = std::minmax(seam.length_a, seam.length_b);
    rows.push_back({fmt::format("s{} {}", s, seam.name), fmt::format("{:.1f}", kMillimetres * seam.length_a),
                    fmt::format("{:.1f}", kMillimetres * seam.length_b),
                    fmt::format("{:.3f}", shorter / longer), fmt::format("{}", seam.stitches.size()),
                    fmt::format("{:.0f}", kMillimetres * seam.twist_as_is),
                    seam.is_twisted() ? "twisted?" : ""});
  }
  return rows;
}

Json pattern_json(const SewingPattern& pattern, const PatternMesh& made) {
  Json panels = Json::array(), seams = Json::array();
  for (const PatternPanel& panel : pattern.panels)
    panels.push_back(
        {{"name", panel.name}, {"edges", panel.edges.size()}, {"area", area_of(made, panel.name)}});
  for (const PatternSeam& seam : made.seams)
    seams.push_back({{"name", seam.name},
                     {"length_a", seam.length_a},
                     {"length_b", seam.length_b},
                     {"stitches", seam.stitches.size()},
                     {"ends_apart", seam.twist_as_is},
                     {"ends_apart_reversed", seam.twist_turned},
                     {"twisted", seam.is_twisted()}});
  return {{"type", "pattern"}, {"panels", panels}, {"seams", seams}, {"warnings", made.words}};
}

}  // namespace

bool is_pattern_file(const std::string& path) {
  if (!path.ends_with(".json") || !std::filesystem::exists(path)) return false;
  try {
    const JsonNode root = parse_json(read_file(path, kMaxJsonBytes), path);
    return root.find("pattern") && !root.find("cloths");
  } catch (const Error&) {
    return false;  // whoever reads it as a scene says why
  }
}

void check_pattern(const std::string& path, const std::string& svg, bool force, bool json) {
  const SewingPattern pattern = read_pattern(path);
  const std::vector<std::string> problems = find_problems(pattern);
  if (!svg.empty()) write_file(svg, draw_pattern(pattern), force);
  if (!problems.empty())
    throw Error(ErrorKind::invalid, fmt::format("{}: {}", path, fmt::join(problems, "\n" + path + ": ")));
  const PatternMesh made = make_mesh(pattern, PatternFile().resolution, kMaxVertices);
  for (const std::string& word : made.words) say("warning: {}\n", word);
  if (json) {
    print("{}\n", pattern_json(pattern, made).dump());
    return;
  }
  print("{} panels, {} seams; with edges of {} mm {} vertices, {} triangles\n\n{}\n{}", pattern.panels.size(),
        made.seams.size(), kMillimetres * PatternFile().resolution, made.mesh.vertex_count(),
        made.mesh.triangles.size(), table_text(panel_rows(pattern, made), kWidth),
        table_text(seam_rows(made), kWidth));
  if (!svg.empty()) print("\ndrawn in {}\n", svg);
}
