#include "muslin/solver/inert.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"

// What is called inert must be: another value gives the same run to the last bit. What is not must not.

namespace muslin {
namespace {

struct Case {
  std::string name, scene;
};

// A sheet of 9 × 7 that hangs by a corner and falls on a ball.
Case with(const std::string& name, const std::string& cloth, const std::string& rest) {
  return {name, fmt::format(R"({{"frames": 6, "frame_time": 0.02, "cloths": [{{
      "grid": {{"points": [9, 7], "size": [0.8, 0.6], "origin": [-0.4, 0, -0.3], "jitter": 0.001}},
      "pins": [{{"grid": [[0, 0]]}}], "velocity": [0.3, -1, 0.2], {}}}],
      "colliders": [{{"shape": "sphere", "center": [0.1, -0.3, 0], "radius": 0.25}}], {}}})",
                            cloth, rest)};
}

const std::vector<Case>& cases() {
  static const std::string springs =
      R"("springs": {"structural": 300, "shear": 60, "bend": 5, "damping": 1e-4})";
  static const std::string triangles = R"("fabric": "denim", "membrane": "baraff_witkin")";
  static const auto family = [](const std::string& name, const std::string& settings) {
    return fmt::format(R"("solver": {{"family": "{0}", "{0}": {{{1}}}}})", name, settings);
  };
  static const std::string air = R"("wind": {"air_density": 1.2, "velocity": [1, 0, 2]}, )";
  static const std::string self = R"("self_collision": {"enabled": true, "distance": 0.08}, )";
  static const std::vector<Case> all{
      with("springs_and_masses", springs + R"(, "vertex_mass": 0.004)", family("explicit", "")),
      with("springs_that_are_cut", springs + R"(, "acting": {"shear": false, "bend": false})",
           family("implicit", R"("iterations": 20, "substeps": 2)")),
      with("fabric_on_springs", R"("fabric": {"preset": "cotton", "bend": 0})",
           air + family("position", R"("substeps": 4)")),
      with("triangles", triangles, air + self + family("newton", R"("linear": "cholesky")")),
      with("triangles_that_are_cut", triangles + R"(, "acting": {"structural": false, "bend": false})",
           family("block_descent", R"("acceleration": "none", "iterations": 20)")),
      with("stvk", R"("fabric": "cotton", "membrane": "stvk", "acting": {"shear": false})",
           R"("wind": {"law": "mosegaard", "pressure": [0, 0.1, 0]}, )" +
               family("implicit", R"("acceleration": "none", "iterations": 20, "substeps": 2)")),
      with("pbd", R"("fabric": "cotton")", self + family("position", R"("method": "pbd", "substeps": 4)")),
      with("pbd_of_jacobi", springs,
           family("position", R"("method": "pbd", "sweep": "jacobi", "substeps": 2)")),
      with("pbd_on_triangles", triangles, family("position", R"("method": "pbd", "substeps": 4)")),
      with("xpbd_in_pairs", triangles, self + family("position", R"("contact": "pairs", "substeps": 4)")),
      with("lengths_alone", springs,
           family("explicit", R"("spring_forces": false, "relaxation_sweeps": 5, "substeps": 2)")),
      with("projective", triangles, family("projective", R"("iterations": 10)")),
      with("baraff_witkin", triangles, family("baraff_witkin", R"("adaptive": false)")),
      with("quasi_newton", triangles, self + R"("solver": {"family": "quasi_newton"})")};
  return all;
}

std::uint64_t end_of(const std::string& scene, const std::vector<Override>& overrides) {
  Simulation simulation(parse_scene(scene, "case.json", ".", overrides));
  while (simulation.frame() < simulation.scene().frames) simulation.step();
  return hash(simulation.state());
}

// Another value for a field, as JSON: "" for those that have no other which every scene takes.
std::string another_value(const nlohmann::json& scene, const std::string& path) {
  const nlohmann::json value = scene.contains(nlohmann::json::json_pointer(path))
                                   ? scene.at(nlohmann::json::json_pointer(path))
                                   : nullptr;
  if (value.is_boolean()) return value.get<bool>() ? "false" : "true";
  if (value.is_number_integer()) return std::to_string(value.get<int>() + 1);
  if (value.is_number()) return fmt::format("{}", value == 0 ? 0.25 : 0.75 * value.get<double>());
  if (value.is_array()) return "[0.6, 0.7, 0.8]";
  return "";
}

class Inert : public testing::TestWithParam<Case> {};
std::string case_name(const testing::TestParamInfo<Case>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Scenes, Inert, testing::ValuesIn(cases()), case_name);

TEST_P(Inert, FieldsChangeNothing) {
  const Scene scene = parse_scene(GetParam().scene, "case.json", ".");
  const nlohmann::json all = nlohmann::json::parse(write_scene(Simulation(scene).scene()));
  std::vector<Override> changes;
  std::string family;
  for (const InertField& field : inert_fields(scene)) {
    const std::string value = another_value(all, field.path);
    if (!value.empty()) changes.push_back({field.path, value});
    family = scene.solver.family;
  }
  EXPECT_GT(changes.size(), 40u) << "those of other families alone are more";
  EXPECT_EQ(end_of(GetParam().scene, changes), end_of(GetParam().scene, {}));
}

TEST_P(Inert, IsNotWhatActs) {
  const std::vector<InertField> inert = inert_fields(parse_scene(GetParam().scene, "case.json", "."));
  const std::uint64_t end = end_of(GetParam().scene, {});
  for (const Override& change : std::vector<Override>{{"/gravity/1", "-9"},
                                                      {"/cloths/0/fabric/density", "0.2"},
                                                      {"/cloths/0/fabric/warp", "290"},
                                                      {"/cloths/0/fabric/damping", "1e-3"},
                                                      {"/cloths/0/springs/structural", "310"},
                                                      {"/cloths/0/fabric/thickness", "0.001"},
                                                      {"/wind/drag", "1.4"}}) {
    const auto is_it = [&](const InertField& field) { return field.path == change.first; };
    if (std::any_of(inert.begin(), inert.end(), is_it)) continue;
    if (change.first.ends_with("structural") && GetParam().scene.find("springs") == std::string::npos)
      continue;
    EXPECT_NE(end_of(GetParam().scene, {change}), end) << change.first;
  }
}

// --- what is said ----------------------------------------------------------------------------------

Scene exercise() {
  return parse_scene(
      R"({"cloths": [{"grid": {"points": [5, 5]}, "vertex_mass": 1, "fabric": {"density": 5, "bend": 0.1},
                         "springs": {"structural": 8000, "damping": 0}}],
                         "solver": {"family": "position", "position": {"method": "pbd"}}})",
      "exercise.json", ".");
}

TEST(InertSentences, SayWhatActs) {
  EXPECT_EQ(inert_sentences(written_in_vain(exercise())),
            (std::vector<std::string>{
                "nothing reads /cloths/0/fabric/density: every vertex weighs 1 kg (vertex_mass)",
                "nothing reads /cloths/0/fabric/bend: its springs act: structural 8000 N/m, damping 0 s"}));
  const std::vector<std::string> warnings = Simulation(exercise()).model().warnings;
  for (const std::string& sentence : inert_sentences(written_in_vain(exercise())))
    EXPECT_EQ(std::count(warnings.begin(), warnings.end(), sentence), 1) << sentence;
}

TEST(InertSentences, KeepQuietWhereNothingWasAsked) {
  EXPECT_TRUE(written_in_vain(Simulation(exercise()).scene()).size() == 2)
      << "also with every number written";
  for (const char* fabric : {R"("cotton")", R"({"thickness": 0})", "{}"}) {
    const Scene scene = parse_scene(fmt::format(R"({{"cloths": [{{"grid": {{}}, "vertex_mass": 1, "springs":
                                                {{"structural": 9}}, "fabric": {}}}]}})",
                                                fabric),
                                    "quiet.json", ".");
    EXPECT_EQ(inert_sentences(written_in_vain(scene)), std::vector<std::string>()) << fabric;
  }
}

}  // namespace
}  // namespace muslin
