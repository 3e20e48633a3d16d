#include "muslin/compare/compare_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "muslin/compare/compare.h"
#include "muslin/compare/compare_json.h"
#include "muslin/compare/headline.h"
#include "muslin/compare/pictures.h"
#include "muslin/compare/tables.h"
#include "muslin/core/parallel.h"
#include "muslin/io/json_tree.h"
#include "muslin/model/model.h"
#include "muslin/page/page.h"
#include "muslin/solver/methods.h"

namespace muslin {
namespace {

Scene sheet(int columns = 6, int rows = 5) {
  Scene scene;
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = {columns, rows};
  cloth.pins.resize(1);
  cloth.pins[0].grid = {{0, 0}};
  scene.cloths = {cloth};
  return scene;
}

/// Three frames under two solvers, with both sweeps.
Comparison small_comparison(const std::string& name = "sheet") {
  Scene scene = sheet();
  scene.name = name;
  CompareOptions options;
  options.solvers = {"xpbd", "chebyshev"};
  options.frames = 3;
  options.sweeps = {{{SweepAxis::iterations, {2, 5}}},
                    {{SweepAxis::dt, {1.0 / 120, 1.0 / 60}}, {SweepAxis::iterations, {2, 5}}}};
  Comparison comparison = compare(scene, options);
  SolverRecord refused;
  refused.name = "newton";
  refused.label = "Newton";
  refused.refused = true;
  refused.failure = "cannot run \"felt\", it said";
  comparison.solvers.push_back(refused);
  return comparison;
}

/// The fields of a table of RFC 4180, line by line.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> lines{{""}};
  bool quoted = false;
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quoted && c == '"' && k + 1 < text.size() && text[k + 1] == '"')
      lines.back().back() += text[++k];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      lines.back().emplace_back();
    else if (c == '\n' && !quoted)
      lines.push_back({""});
    else
      lines.back().back() += c;
  }
  EXPECT_FALSE(quoted);
  EXPECT_EQ(lines.back(), std::vector<std::string>{""}) << "a table ends with a line's end";
  lines.pop_back();
  return lines;
}

size_t count(const std::string& text, const std::string& word) {
  size_t found = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

// --- tables ----------------------------------------------------------------------------------------

TEST(CompareTables, HaveALineForEveryObservation) {
  const Comparison comparison = small_comparison();
  const auto frames = parse_csv(frames_csv(comparison));
  ASSERT_EQ(frames.size(), 1u + 3 * 3 + 1);
  for (const auto& line : frames) EXPECT_EQ(line.size(), frames[0].size());
  EXPECT_EQ(frames[0][0], "solver");
  EXPECT_EQ(frames[1][0], "reference");
  EXPECT_EQ(frames[4][0], "xpbd");
  EXPECT_EQ(frames[5][1], "2");
  EXPECT_EQ(std::stod(frames[4][6]), *comparison.solvers[0].frames[0].error.energy_gap) << "all digits";
  EXPECT_EQ(frames.back()[0], "newton");
  EXPECT_EQ(frames.back()[3], "refused");
  EXPECT_EQ(frames.back().back(), "cannot run \"felt\", it said");

  const auto iterations = parse_csv(iterations_csv(comparison));
  size_t rows = 0;
  for (const SolverRecord& record : comparison.solvers)
    for (const Trace& trace : record.traces) rows += trace.rows.size();
  ASSERT_EQ(iterations.size(), 1 + rows);
  for (const auto& line : iterations) EXPECT_EQ(line.size(), iterations[0].size());

  const auto sweeps = parse_csv(sweeps_csv(comparison));
  ASSERT_EQ(sweeps.size(), 1u + 2 * 2 * comparison.traces.size() + 2 * (1 + 2 * 2));
  for (const auto& line : sweeps) EXPECT_EQ(line.size(), sweeps[0].size());
  EXPECT_EQ(sweeps[1][0], "iterations");
  EXPECT_EQ(sweeps.back()[0], "dt@iterations");
}

// --- JSON ------------------------------------------------------------------------------------------

TEST(CompareJson, HoldsTheSameNumbers) {
  const Comparison comparison = small_comparison();
  JsonNode root = parse_json(compare_json(comparison), "compare.json", 0);
  EXPECT_EQ(*root.find("scene_name")->as<std::string>(), "sheet");
  const auto& solvers = *root.find("solvers")->as<JsonNode::Array>();
  ASSERT_EQ(solvers.size(), 3u);
  JsonNode frames = *JsonNode(solvers[1]).find("frames");
  const auto& gaps = *frames.find("energy_gap")->as<JsonNode::Array>();
  ASSERT_EQ(gaps.size(), 3u);
  EXPECT_TRUE(root.find("scene")->find("cloths"));
}

TEST(CompareJson, IsTheSameForAnyNumberOfThreads) {
  const auto text = [](int count) {
    set_threads(count);
    Comparison comparison = small_comparison();
    comparison.threads = 0;
    for (SolverRecord* record : {&comparison.reference, &comparison.solvers[0], &comparison.solvers[1]}) {
      for (FrameRow& row : record->frames) row.ms = 0;
      for (Trace& trace : record->traces) {
        trace.ms = 0;
        for (IterationRow& row : trace.rows) row.ms = 0;
      }
    }
    for (SweepResult& sweep : comparison.sweeps)
      for (SweepRow& row : sweep.rows) row.ms = 0;
    return compare_json(comparison);
  };
  const std::string one = text(1), three = text(3);
  set_threads(0);
  EXPECT_EQ(one, three);
}

// --- the page --------------------------------------------------------------------------------------

TEST(ComparePage, EscapesWhatAFileSays) {
  const std::string page = compare_page(small_comparison("</script><b onclick=\"x\">&'{{script}}"));
  EXPECT_EQ(count(page, "<b onclick"), 0u);
  EXPECT_EQ(count(page, "</script>"), 4u) << "three of data, one of the program";
  EXPECT_EQ(count(page, "&lt;/script&gt;&lt;b onclick=&quot;x&quot;&gt;&amp;&#39;{{script}}"), 2u);
  EXPECT_EQ(count(page, "class Plot {"), 1u);
  EXPECT_EQ(html_escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(script_escaped("{\"a\":\"<!--</script>\"}"), "{\"a\":\"\\u003c!--\\u003c/script>\"}");
}

TEST(ComparePage, NeedsNoOtherFile) {
  const std::string page = compare_page(small_comparison());
  for (const char* word : {" src=", "@import", "url(http", "fetch(", "import "})
    EXPECT_EQ(count(page, word), 0u) << word;
  EXPECT_EQ(count(page, "http"), count(page, "http://www.w3.org/2000/svg")) << "no address but SVG's name";
  EXPECT_EQ(count(page, "{{"), count(page, "${{")) << "every place is filled";
}

TEST(ComparePage, HasAColourAndADashForEveryMethod) {
  const std::string page = compare_page(small_comparison());
  for (const Method& method : methods()) {
    const auto [place, name, label, summary, stroke, choose] = method;
    for (const std::string_view ink : {stroke.on_light, stroke.on_dark}) {
      EXPECT_EQ(ink.size(), 7u) << name;
      EXPECT_EQ(count(page, fmt::format("--s-{}: {};", name, ink)), 1u) << name;
    }
    EXPECT_EQ(count(page, fmt::format("\"{}\":\"{}\"", name, stroke.dash)), 1u) << name;
    EXPECT_FALSE(summary.empty() || label.empty() || stroke.dash.empty()) << name;
  }
}

TEST(Base64, IsThatOfItsStandard) {
  const auto text = [](std::string_view s) {
    return base64(reinterpret_cast<const unsigned char*>(s.data()), s.size());
  };
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("f"), "Zg==");
  EXPECT_EQ(text("fo"), "Zm8=");
  EXPECT_EQ(text("foo"), "Zm9v");
  EXPECT_EQ(text("foobar"), "Zm9vYmFy");
  EXPECT_EQ(text("\xff\xef\xbe"), "/+++");
}

// --- pictures --------------------------------------------------------------------------------------

TEST(PictureMesh, KeepsSmallClothsWhole) {
  const Model model = build_model(sheet());
  const PictureMesh mesh = picture_mesh(model, 5, 100, 10);
  EXPECT_EQ(mesh.vertices.size(), 30u);
  EXPECT_EQ(mesh.triangles.size(), model.triangles.size());
  EXPECT_EQ(mesh.frames, (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(mesh.left_out_vertices + mesh.left_out_frames, 0);
}

TEST(PictureMesh, ThinsLargeOnesEvenly) {
  const Model model = build_model(sheet(60, 50));
  const PictureMesh mesh = picture_mesh(model, 100, 400, 12);
  EXPECT_LE(mesh.vertices.size(), 400u);
  EXPECT_GT(mesh.vertices.size(), 250u);
  EXPECT_EQ(mesh.left_out_vertices, 3000 - static_cast<int>(mesh.vertices.size()));
  EXPECT_LE(mesh.frames.size(), 12u);
  EXPECT_EQ(mesh.frames.front(), 0);
  EXPECT_EQ(mesh.frames.back(), 100);
  EXPECT_EQ(std::set<int>(mesh.vertices.begin(), mesh.vertices.end()).size(), mesh.vertices.size());
  const Points kept = picked(model.start, mesh.vertices);
  double area = 0;
  for (const Stencil<3>& t : mesh.triangles) {
    for (const int v : t) ASSERT_TRUE(v >= 0 && v < static_cast<int>(mesh.vertices.size()));
    area += triangle_area(kept.col(t[0]), kept.col(t[1]), kept.col(t[2]));
  }
  EXPECT_GT(area, 0.85) << "of a square metre";
  EXPECT_LT(area, 1.1);
}

// --- words -----------------------------------------------------------------------------------------

TEST(Headline, AnInterruptionIsNoFailure) {
  Comparison comparison;
  comparison.solvers.resize(2);
  EXPECT_EQ(headline(comparison).title, "No solver came through this scene with these steps");
  comparison.interrupted = true;
  EXPECT_EQ(headline(comparison).title, "Interrupted before a frame was made by every solver");
}

TEST(Headline, NamesTheWorstAndTheBest) {
  Comparison comparison;
  const auto add = [&](const char* label, double lost, double rms) {
    SolverRecord record;
    record.label = label;
    FrameRow row;
    row.frame = 1;
    row.error.lost_gravity = lost;
    row.error.position = {rms, rms};
    record.frames = {row};
    comparison.solvers.push_back(record);
    comparison.reference.frames = {row};
  };
  add("A", 0.41, 0.25);
  add("B", -0.02, 0.0123);
  add("C", 1e-9, 2e-6);
  EXPECT_EQ(headline(comparison).title, "After one frame, A has lost 41 % of gravity; C 0.0 %");
  EXPECT_EQ(headline(comparison).below, "After one frame, A is 25 cm from the converged answer; C 2.0 µm");
  comparison.solvers.erase(comparison.solvers.begin());
  EXPECT_EQ(headline(comparison).title,
            "After one frame, B has made up 2.0 % of gravity that is not there; C 0.0 %");
  comparison.solvers.erase(comparison.solvers.begin());
  EXPECT_EQ(headline(comparison).title, "After one frame, C is 2.0 µm from the converged answer");
  comparison.solvers.clear();
  EXPECT_FALSE(headline(comparison).title.empty());
}

TEST(LengthText, ChoosesItsUnit) {
  EXPECT_EQ(length_text(12.3), "12 m");
  EXPECT_EQ(length_text(1), "1.0 m");
  EXPECT_EQ(length_text(0.123), "12 cm");
  EXPECT_EQ(length_text(0.0049), "4.9 mm");
  EXPECT_EQ(length_text(4.2e-5), "42 µm");
  EXPECT_EQ(length_text(3e-9), "3.0 nm");
  EXPECT_EQ(length_text(0), "0 mm");
}

}  // namespace
}  // namespace muslin
