#include "muslin/io/scene_json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <set>

#include "muslin/core/check.h"
#include "muslin/model/fabrics.h"
#include "random_scene.h"

namespace muslin {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string kCloth = R"({"cloths": [{"grid": {"points": [5, 5]}}]})";

std::string message_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  try {
    parse_scene(text, "s.json", ".", overrides);
    return "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid);
    return error.what();
  }
}

// A folder with mesh.obj and a point cache of one sample for it, for as long as the object lives.
class MeshFolder {
 public:
  MeshFolder() {
    fs::create_directories(path_);
    std::ofstream(path_ / "mesh.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4 3\n";
    const std::string header("POINTCACHE2\0\1\0\0\0\4\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0", 32);
    std::ofstream(path_ / "mesh.pc2", std::ios::binary) << header + std::string(4 * 3 * 4, '\0');
  }
  ~MeshFolder() { fs::remove_all(path_); }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_ = fs::temp_directory_path() / fmt::format("muslin_meshes_{}", getpid());
};

// --- every field comes back ------------------------------------------------------------------------

// Every value of a scene beside its path, bit by bit.
class Flatten {
 public:
  template <class T>
  void operator()(std::string_view name, const T& member, const FieldInfo&) {
    const size_t length = path_.size();
    path_.append("/").append(name);
    add(member);
    path_.resize(length);
  }
  std::vector<std::string> lines;

 private:
  void line(const std::string& value) { lines.push_back(path_ + " = " + value); }
  template <class T>
  requires std::is_arithmetic_v<T>
  void add(T value) {
    line(fmt::format("{} {:a}", std::is_same_v<T, double> ? "" : std::to_string(value),
                     static_cast<double>(value)));
  }
  void add(const std::string& value) { line(value); }
  void add(const Colour& value) { line(fmt::format("{} {} {}", value.red, value.green, value.blue)); }
  template <class E>
  requires std::is_enum_v<E>
  void add(E value) { line(std::to_string(static_cast<int>(value))); }
  template <class List>
  requires requires(const List& list) { list.size(), list[0]; }
  void add(const List& values) {
    line(std::to_string(values.size()));
    for (int i = 0; i < static_cast<int>(values.size()); ++i) (*this)(std::to_string(i), values[i], {""});
  }
  template <class T>
  void add(const std::optional<T>& value) {
    line(value ? "present" : "absent");
    if (value) add(*value);
  }
  template <Described Struct>
  void add(const Struct& value) {
    Struct::fields(value, *this);
  }
  std::string path_;
};
std::vector<std::string> flatten(const Scene& scene) {
  Flatten flat;
  Scene::fields(scene, flat);
  return flat.lines;
}

TEST(SceneJson, WhatIsWrittenIsReadBackExactly) {
  const MeshFolder folder;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Scene scene = random_scene(seed);
    for (const int indent : {-1, 2}) {
      const std::string text = write_scene(scene, indent);
      ASSERT_EQ(flatten(parse_scene(text, "again", folder.path())), flatten(scene)) << "seed " << seed << "\n"
                                                                                    << text;
      ASSERT_EQ(Json::parse(text), Json::parse(write_scene(scene)));
    }
  }
}

TEST(SceneJson, AbsentKeysKeepDefaults) {
  Scene expected;
  expected.cloths.emplace_back().grid.emplace().points = {5, 5};
  EXPECT_EQ(flatten(parse_scene(kCloth, "s", ".")), flatten(expected));
  const std::string nulls =
      R"({"$schema": "x", "cloths": [{"grid": {"points": [5, 5]}, "mesh": null, "springs": null}]})";
  EXPECT_EQ(flatten(parse_scene(nulls, "s", ".")), flatten(expected));
}

TEST(SceneJson, FabricsAreNamesOrObjectsOverPresets) {
  const FabricPreset& last = fabrics().back();
  const auto fabric_of = [](const Json& fabric) {
    Json scene = Json::parse(kCloth);
    scene["cloths"][0]["fabric"] = fabric;
    scene["cloths"][0]["springs"] = Json::object();
    return resolved(parse_scene(scene.dump(), "s", ".").cloths[0].fabric);
  };
  EXPECT_EQ(fabric_of(last.fabric.preset).density, last.fabric.density);
  const Fabric changed = fabric_of({{"warp", 1234.5}, {"preset", last.fabric.preset}});
  EXPECT_EQ(changed.preset, last.fabric.preset);
  EXPECT_EQ(changed.warp, 1234.5);
  EXPECT_EQ(changed.bend, last.fabric.bend);
  EXPECT_EQ(fabric_of(Json::object()).warp, resolved(Fabric{}).warp);
}

// --- what is refused -------------------------------------------------------------------------------

struct Wrong {
  std::string text, message;
};
class SceneRefused : public ::testing::TestWithParam<Wrong> {};
TEST_P(SceneRefused, WithWholeMessage) { EXPECT_EQ(message_of(GetParam().text), GetParam().message); }

std::string with(const std::string& top) {
  return fmt::format("{{\"cloths\": [{{\"grid\": {{}}}}],\n{}}}", top);
}
std::string cloth_with(const std::string& keys) {
  return fmt::format("{{\"cloths\": [{{\"grid\": {{}},\n{}}}]}}", keys);
}

INSTANTIATE_TEST_SUITE_P(
    SceneJson, SceneRefused,
    ::testing::Values(
        Wrong{"[]", "s.json:1:1: expected an object, got an array of 0"},
        Wrong{"{}", "s.json:1:1: /cloths: must hold at least one cloth"},
        Wrong{"{\"cloths\": 5}", "s.json:1:12: /cloths: expected an array, got 5"},
        Wrong{with("\"wind\": []"), "s.json:2:9: /wind: expected an object, got an array of 0"},
        Wrong{with("\"frames\": 1.5"), "s.json:2:11: /frames: expected an integer, got 1.5"},
        Wrong{with("\"frames\": 3e9"),
              "s.json:2:11: /frames: must be between 0 and 10000000, got 3000000000"},
        Wrong{with("\"frames\": \"3\""), "s.json:2:11: /frames: expected an integer, got the string \"3\""},
        Wrong{with("\"seed\": -1"),
              "s.json:2:9: /seed: expected an integer from 0 to 18446744073709551615, got -1"},
        Wrong{with("\"damping\": null"), "s.json:2:12: /damping: expected a number [1/s], got null"},
        Wrong{with("\"damping\": -1"), "s.json:2:12: /damping: must be >= 0 [1/s], got -1"},
        Wrong{with("\"name\": {}"), "s.json:2:9: /name: expected a string, got an object"},
        Wrong{with("\"gravity\": [0, 1]"),
              "s.json:2:12: /gravity: expected an array of 3 numbers [m/s^2], got an array of 2"},
        Wrong{with("\"gravity\": [0, true, 0]"),
              "s.json:2:16: /gravity/1: expected a number [m/s^2], got true"},
        Wrong{with("\"self_collision\": {\"enabled\": 1}"),
              "s.json:2:31: /self_collision/enabled: expected true or false, got 1"},
        Wrong{with("\"dampnig\": 1"), "s.json:2:1: unknown key \"dampnig\"; did you mean \"damping\"?"},
        Wrong{with("\"fabric\": \"silk\""),
              "s.json:2:1: unknown key \"fabric\"; it stands at cloths/0/fabric, cloths/0/regions/0/fabric"},
        Wrong{cloth_with("\"mass\": 0.1"),
              "s.json:2:1: /cloths/0: unknown key \"mass\"; cloth has a fabric/density [kg/m^2], or a "
              "vertex_mass [kg]"},
        Wrong{cloth_with("\"fabric\": {\"density\": \"heavy\"}"),
              "s.json:2:23: /cloths/0/fabric/density: expected a number [kg/m^2], got the string \"heavy\""},
        Wrong{with("\"self_collision\": {\"zzzzzzzz\": 1}"),
              "s.json:2:20: /self_collision: unknown key \"zzzzzzzz\"; known: enabled, distance, friction, "
              "relaxation"},
        Wrong{with("\"colliders\": [{\"shape\": \"spere\"}]"),
              "s.json:2:25: /colliders/0/shape: unknown name \"spere\"; did you mean \"sphere\"?"},
        Wrong{with("\"colliders\": [{\"shape\": 0}]"),
              "s.json:2:25: /colliders/0/shape: expected one of sphere, plane, box, capsule, cylinder, mesh, "
              "got 0"},
        Wrong{cloth_with("\"fabric\": 3"),
              "s.json:2:11: /cloths/0/fabric: expected the name of a fabric or an "
              "object, got 3"},
        Wrong{cloth_with("\"fabric\": {\"density\": -1}"),
              "s.json:2:23: /cloths/0/fabric/density: must be > 0 [kg/m^2], got -1"},
        Wrong{cloth_with("\"fabric\": {\"warp\": \"heavy\"}"),
              "s.json:2:20: /cloths/0/fabric/warp: expected a number [N/m], got the string \"heavy\""},
        Wrong{
            cloth_with("\"fabric\": {\"density\": -1, \"densty\": 1}, \"pins\": [{\"vertices\": [1, 2.5]}]"),
            "s.json:2:23: /cloths/0/fabric/density: must be > 0 [kg/m^2], got -1\n"
            "s.json:2:27: /cloths/0/fabric: unknown key \"densty\"; did you mean \"density\"?\n"
            "s.json:2:67: /cloths/0/pins/0/vertices/1: expected an integer, got 2.5"},
        Wrong{cloth_with("\"pins\": [{\"grid\": [[0, 0], [0, 33]]}]"),
              "s.json:2:28: /cloths/0/pins/0/grid/1: must be a point of the 33 x 33 grid, got [0, 33]"}));

TEST(SceneJson, UnknownFabricNamesTheNearest) {
  const std::string name = fabrics().back().fabric.preset;
  const std::string message = message_of(cloth_with(fmt::format("\"fabric\": \"{}x\"", name)));
  EXPECT_EQ(
      message,
      fmt::format("s.json:2:11: /cloths/0/fabric: unknown fabric \"{0}x\"; did you mean \"{0}\"?", name));
}

TEST(SceneJson, LongListsOfProblemsAreCut) {
  Json scene = Json::parse(kCloth);
  scene["cloths"][0]["pins"][0]["vertices"] = std::vector<std::string>(150, "a");
  const std::string message = message_of(scene.dump());
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 100);
  EXPECT_TRUE(message.ends_with("\ns.json: and 50 more")) << message.substr(message.size() - 100);
}

// --- overrides -------------------------------------------------------------------------------------

TEST(SceneJson, OverridesReplaceAndCreate) {
  const Scene scene = parse_scene(kCloth, "s", ".",
                                  {{"/cloths/0/grid/points", "[64, 63]"},
                                   {"cloths.0.fabric", "cotton"},
                                   {"cloths/0/fabric/bend", "1e-5"},
                                   {"solver/explicit/substeps", "7"},
                                   {"colliders/0/radius", "2"},
                                   {"colliders/1/shape", "plane"},
                                   {"name", "3 flags"},
                                   {"frames", "3"},
                                   {"frames", "4"}});
  EXPECT_EQ(scene.cloths[0].grid->points, (std::array<int, 2>{64, 63}));
  EXPECT_EQ(scene.cloths[0].fabric.preset, "cotton");
  EXPECT_EQ(scene.cloths[0].fabric.bend, 1e-5);
  EXPECT_EQ(scene.solver.explicit_.substeps, 7);
  ASSERT_EQ(scene.colliders.size(), 2u);
  EXPECT_EQ(scene.colliders[0].radius, 2);
  EXPECT_EQ(scene.colliders[1].shape, Shape::plane);
  EXPECT_EQ(scene.name, "3 flags");
  EXPECT_EQ(scene.frames, 4);
}

TEST(SceneJson, OverridesMendWhatTheFileHasWrong) {
  EXPECT_EQ(parse_scene(with("\"frames\": \"many\""), "s", ".", {{"frames", "5"}}).frames, 5);
}

TEST(SceneJson, ProblemsOfOverridesNameThem) {
  EXPECT_EQ(message_of(kCloth, {{"cloths/0/fabric/density", "-1"}}),
            "--set cloths/0/fabric/density: /cloths/0/fabric/density: must be > 0 [kg/m^2], got -1");
  EXPECT_EQ(message_of(kCloth, {{"frames", "NaN"}, {"dampng", "1"}}),
            "--set frames: /frames: expected an integer, got the string \"NaN\"\n"
            "--set dampng: unknown key \"dampng\"; did you mean \"damping\"?");
  EXPECT_EQ(message_of(kCloth, {{"cloths/2/name", "a"}}),
            "--set cloths/2/name: expected an index from 0 to 1 (a new one), got \"2\"");
  EXPECT_EQ(message_of(kCloth, {{"cloths/x", "1"}, {"a//b", "1"}}),
            "--set cloths/x: expected an index from 0 to 1 (a new one), got \"x\"\n"
            "--set a//b: the path has an empty step");
  EXPECT_EQ(message_of(kCloth, {{"cloths/0/grid/points/0/x", "1"}}),
            "--set cloths/0/grid/points/0/x: 5 has no member \"x\"");
  EXPECT_NE(message_of(kCloth, {{"gravity", "[0, 1"}}).find("--set gravity: value:1:6: "), std::string::npos);
  EXPECT_EQ(message_of(kCloth, {{"", "1"}}), "--set : the path has an empty step");
  EXPECT_EQ(message_of("[]", {{"frames", "3"}}), "s.json:1:1: expected an object, got an array of 0");
  EXPECT_EQ(message_of("7", {{"frames", "3"}}), "s.json:1:1: expected an object, got 7");
}

// --- mesh files ------------------------------------------------------------------------------------

class MeshPath : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("muslin_mesh_path_" + std::to_string(getpid()));
    fs::create_directories(root_ / "scene/meshes");
    fs::create_directory_symlink(root_, root_ / "scene/out");
    std::ofstream(root_ / "outside.obj") << "v 0 0 0";
    fs::create_symlink(root_ / "outside.obj", root_ / "scene/link.obj");
    fs::create_symlink(root_ / "not_yet.obj", root_ / "scene/dangling.obj");
    fs::create_directory_symlink("meshes", root_ / "scene/inside");
    fs::create_symlink("loop.obj", root_ / "scene/loop.obj");
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string outcome(const std::string& file, const std::string& below = "scene") {
    const std::string text = Json{{"cloths", {{{"mesh", {{"file", file}}}}}}}.dump();
    try {
      const Scene scene = parse_scene(text, "s.json", (root_ / below).string());
      EXPECT_EQ(scene.cloths[0].mesh->file, file);
      return "accepted";
    } catch (const Error& error) {
      return error.kind() == ErrorKind::file ? "accepted" : error.what();  // most of the files do not exist
    }
  }
  fs::path root_;
};

TEST_F(MeshPath, MayBeAnywhereBelowTheScene) {
  for (const char* file : {"a.obj", "./a.obj", "meshes/a.ply", "meshes/../a.obj", "inside/a.obj", "..a.obj"})
    EXPECT_EQ(outcome(file), "accepted") << file;
  EXPECT_EQ(outcome("a.obj", "scene/"), "accepted");
  EXPECT_EQ(outcome("a.obj", "not/there/yet"), "accepted");
}

TEST_F(MeshPath, MustNotLeaveTheFolder) {
  for (const char* file : {"../x.obj", "meshes/../../x.obj", "/etc/x.obj", "out/outside.obj", "link.obj",
                           "inside/../../x.obj", "loop.obj", "dangling.obj", "../scene_too/x.obj"})
    EXPECT_NE(outcome(file).find(
                  fmt::format("/cloths/0/mesh/file: must lie below the scene's folder, got \"{}\"", file)),
              std::string::npos)
        << outcome(file);
}

TEST(SceneJson, ReadSceneTakesTheFolderOfTheFile) {
  const fs::path path = fs::temp_directory_path() / fmt::format("muslin_scene_{}.json", getpid());
  std::ofstream(path) << kCloth;
  const Scene scene = read_scene(path.string());
  fs::remove(path);
  EXPECT_EQ(scene.folder, path.parent_path().string());
  EXPECT_EQ(scene.cloths.size(), 1u);
}

TEST(SceneJson, UnreadableFilesAreFileErrors) {
  for (const std::string& path : {std::string("/no/such/file.json"), fs::temp_directory_path().string()}) {
    try {
      read_scene(path);
      FAIL() << "read " << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::file);
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    }
  }
}

// --- schema ----------------------------------------------------------------------------------------

// As much of draft-07 as the schema uses.
class Validator {
 public:
  explicit Validator(const Json& schema) : schema_(schema) {}
  bool accepts(const Json& value) const { return accepts(schema_, value); }

 private:
  bool accepts(const Json& rule, const Json& value) const {
    if (rule.contains("$ref"))
      return accepts(schema_.at(Json::json_pointer(rule["$ref"].get<std::string>().substr(1))), value);
    for (const auto& [key, limit] : rule.items())
      if (!obeys(key, limit, rule, value)) return false;
    return true;
  }
  bool obeys(const std::string& key, const Json& limit, const Json& rule, const Json& value) const {
    const auto accepted = [&](const Json& one) { return accepts(one, value); };
    if (key == "type") return has_type(limit, value);
    if (key == "enum") return std::find(limit.begin(), limit.end(), value) != limit.end();
    if (key == "anyOf") return std::any_of(limit.begin(), limit.end(), accepted);
    if (key == "allOf") return std::all_of(limit.begin(), limit.end(), accepted);
    if (key == "minimum") return !value.is_number() || value >= limit;
    if (key == "exclusiveMinimum") return !value.is_number() || value > limit;
    if (key == "maximum") return !value.is_number() || value <= limit;
    if (key == "minItems") return !value.is_array() || value.size() >= limit;
    if (key == "pattern")
      return !value.is_string() ||
             std::regex_search(value.get<std::string>(), std::regex(limit.get<std::string>()));
    if (key == "maxItems") return !value.is_array() || value.size() <= limit;
    if (key == "items")
      return !value.is_array() ||
             std::all_of(value.begin(), value.end(), [&](const Json& item) { return accepts(limit, item); });
    if (key == "required")
      return std::all_of(limit.begin(), limit.end(), [&](const Json& name) { return value.contains(name); });
    if (key == "properties") {
      if (!value.is_object()) return true;
      for (const auto& [name, member] : value.items()) {
        if (limit.contains(name) ? !accepts(limit[name], member) : rule["additionalProperties"] == false)
          return false;
      }
      return true;
    }
    static const std::set<std::string> silent{"$schema", "title",       "description",
                                              "default", "definitions", "additionalProperties"};
    EXPECT_TRUE(silent.contains(key)) << key;
    return true;
  }
  static bool has_type(const std::string& type, const Json& value) {
    if (type == "integer") return value.is_number() && value == std::floor(value.get<double>());
    if (type == "number") return value.is_number();
    return value.type_name() == type;
  }
  const Json& schema_;
};

TEST(SceneSchema, AcceptsScenesAndRefusesSpoiltOnes) {
  const Json schema = Json::parse(scene_schema());
  const Validator validator(schema);
  for (unsigned seed = 0; seed < 100; ++seed)
    ASSERT_TRUE(validator.accepts(Json::parse(write_scene(random_scene(seed)))))
        << write_scene(random_scene(seed));
  EXPECT_TRUE(validator.accepts(Json::parse(kCloth)));
  EXPECT_TRUE(
      validator.accepts(Json::parse(R"({"$schema": "x", "cloths": [{"fabric": "cotton", "grid": null}]})")));
  for (const char* wrong :
       {R"({})", R"({"cloths": []})", R"({"cloths": [{"fabric": "no such"}]})",
        R"({"cloths": [{"fabric": {"dens": 1}}]})", R"({"cloths": [{}], "frames": 1.5})",
        R"({"cloths": [{}], "frame_time": 0})", R"({"cloths": [{}], "wind": 3})",
        R"({"cloths": [{"grid": {"points": [2, 2, 2]}}]})",
        R"({"cloths": [{}], "colliders": [{"shape": "spher"}]})", R"({"cloths": [{"vertex_mass": 0}]})",
        R"({"cloths": [{"colour": "red"}]})", R"({"cloths": [{}], "background": "#12345"})"})
    EXPECT_FALSE(validator.accepts(Json::parse(wrong))) << wrong;
}

TEST(SceneSchema, DescribesEveryFieldWithItsUnit) {
  const Json schema = Json::parse(scene_schema());
  EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
  const Json density = schema["definitions"]["Fabric"]["properties"]["density"];
  EXPECT_EQ(density["description"], "mass per area; not read where the cloth has a vertex_mass [kg/m^2]");
  EXPECT_EQ(density["anyOf"][0]["exclusiveMinimum"], 0);
  EXPECT_FALSE(density.contains("default")) << "that is a matter of the preset";
  EXPECT_EQ(schema["definitions"]["Grid"]["additionalProperties"], false);
  std::set<std::string> names;
  for (const auto& [name, definition] : schema["definitions"].items()) {
    names.insert(name);
    for (const auto& [key, property] : definition["properties"].items())
      EXPECT_TRUE(property.contains("description")) << name << "/" << key;
  }
  EXPECT_EQ(names, (std::set<std::string>{"Acting",
                                          "Wind",
                                          "Cloth",
                                          "ClothMesh",
                                          "BoxRegion",
                                          "SphereRegion",
                                          "UvRegion",
                                          "Grid",
                                          "MeshFile",
                                          "MeshFrames",
                                          "Fabric",
                                          "FabricRegion",
                                          "PatternFile",
                                          "Seam",
                                          "SeamSide",
                                          "Dress",
                                          "Springs",
                                          "Pin",
                                          "Motion",
                                          "Keyframe",
                                          "Collider",
                                          "SelfCollision",
                                          "SolverSettings",
                                          "ExplicitSettings",
                                          "PositionSettings",
                                          "ImplicitSettings",
                                          "NewtonSettings",
                                          "BaraffWitkinSettings",
                                          "BlockDescentSettings",
                                          "ProjectiveSettings",
                                          "QuasiNewtonSettings"}));
}

TEST(SceneSchema, AcceptsEveryShippedScene) {
  const Json schema = Json::parse(scene_schema());
  for (const auto& entry : fs::recursive_directory_iterator(MUSLIN_SCENES)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    const Json scene = Json::parse(file, nullptr, true, true);
    if (scene.contains("cloth")) continue;    // CS184's format
    if (scene.contains("pattern")) continue;  // of a garment, no scene
    EXPECT_TRUE(Validator(schema).accepts(scene)) << entry.path();
    EXPECT_NO_THROW(read_scene(entry.path().string())) << entry.path();
  }
}

TEST(SceneJson, ClothsWithoutANameGetOneThatIsFree) {
  const auto names = [](const std::string& cloths) {
    std::vector<std::string> found;
    for (const Cloth& cloth : parse_scene(R"({"cloths": [)" + cloths + "]}", "s.json", ".").cloths)
      found.push_back(cloth.name);
    return found;
  };
  const std::string bare = R"({"grid": {"points": [3, 3]}})",
                    named = R"({"name": "cloth", "grid": {"points": [3, 3]}})";
  EXPECT_EQ(names(bare), std::vector<std::string>{"cloth"});
  EXPECT_EQ(names(bare + "," + bare + "," + bare), (std::vector<std::string>{"cloth", "cloth 2", "cloth 3"}));
  EXPECT_EQ(names(bare + "," + named + "," + bare),
            (std::vector<std::string>{"cloth 2", "cloth", "cloth 3"}));
  EXPECT_NE(message_of(R"({"cloths": [)" + named + "," + named + "]}").find("has the same name"),
            std::string::npos);
}

}  // namespace
}  // namespace muslin
