// The commands that tell without running: check, list, schema.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "check_pattern.h"
#include "commands.h"
#include "muslin/audit/start.h"
#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/frame_series.h"
#include "muslin/model/elements.h"
#include "muslin/model/hinge.h"
#include "muslin/model/mesh_files.h"
#include "muslin/model/pieces.h"
#include "muslin/model/unit_hints.h"
#include "muslin/muslin.h"
#include "muslin/solver/inert.h"
#include "muslin/sweep/figures.h"
#include "muslin/sweep/plan.h"
#ifdef MUSLIN_HAS_RENDER
#include "muslin/render/look_words.h"
#endif
#include "followers.h"
#include "obj_of_places.h"
#include "progress.h"
#include "repair.h"
#include "streams.h"
#include "table.h"

namespace fs = std::filesystem;
using namespace muslin;
using Json = nlohmann::ordered_json;

namespace {

struct CheckOptions {
  std::string path, obj, out, svg;
  std::vector<std::string> set;
  bool repair = false, verbose = false, force = false, json = false;
};

/// Prints a line for programs: a JSON object that names its type.
void print_line(const Json& json) {
  print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));  // names may be no UTF-8
}

/// What the start may have, as --obj names it; one a kind of trouble.
constexpr const char* kTroubles[] = {"intersecting", "borders_meet", "same_place",    "thin",     "pinched",
                                     "turned_over",  "held_inside",  "pinned_inside", "inside",   "too_near",
                                     "on_body",      "near_body",    "in_mesh",       "in_solid", "enclosed"};

/// Names what is wrong with the start, and writes the triangles where it is.
void print_troubles(const std::vector<StartTrouble>& troubles, const Model& model, const Points& positions,
                    const CheckOptions& options) {
  std::vector<Place> places;
  for (const StartTrouble& trouble : troubles) {
    say("warning: the start has {} ({}):\n", trouble.what, trouble.count);
    const auto named =
        std::min<std::ptrdiff_t>(options.verbose ? trouble.count : 5, std::ssize(trouble.named));
    for (int k = 0; k < named; ++k) say("  {}\n", trouble.named[k]);
    if (named < trouble.count)
      say("  and {} more{}\n", trouble.count - named, options.verbose ? "" : " (-v names them)");
    if (options.json)
      print_line({{"type", "trouble"},
                  {"kind", kTroubles[trouble.kind]},
                  {"what", trouble.what},
                  {"count", trouble.count},
                  {"named", std::vector(trouble.named.begin(), trouble.named.begin() + named)}});
    places.push_back({kTroubles[trouble.kind], trouble.triangles});
  }
  if (!options.obj.empty() && !places.empty())
    write_file(options.obj, obj_of_places(model, positions, model.triangles, places), options.force,
               Links::followed);
}

/// Repairs the start if that is wanted, says what came of it, and writes it.
Untangled repair_start(const Model& model, const CheckOptions& options) {
  Untangled start{initial_state(model).positions, 0, 0, {}, 0, 0};
  if (!options.repair) return start;
  start = untangle_aloud(model, start.positions, /*quiet=*/false);
  if (options.json)
    print_line({{"type", "repair"},
                {"pairs_before", start.pairs_before},
                {"pairs_after", start.pairs},
                {"sentence", repair_sentence(model, start)}});
  else
    print("{}\n", repair_sentence(model, start));
  if (options.out.empty()) return start;
  State state = initial_state(model);
  state.positions = start.positions;
  write_file(options.out, make_frame_writer("obj")->encode(model, state), options.force, Links::followed);
  return start;
}

/// Names what is wrong with the start, repaired if that is wanted. Throws Error(invalid) where no run could
/// begin, or the repair left anything.
void judge_start(const Model& model, const SolverSettings& solver, const CheckOptions& options,
                 Patience patience = {}) {
  const Untangled start = repair_start(model, options);
  constexpr int kNamed = 10000;
  const std::vector<StartTrouble> troubles =
      find_start_troubles(model, start.positions, keeps_out(solver), kNamed, [&](StartTrouble::Kind kind) {
        patience.say(fmt::format("looking at the start: {} ({} of {})", kTroubles[kind], kind + 1,
                                 std::size(kTroubles)));
      });
  print_troubles(troubles, model, start.positions, options);
  say("{}", left_in_bodies(model, start));
  refuse_start(model, troubles, keeps_out(solver), options.repair);
  if (start.pairs > 0)
    throw Error(ErrorKind::invalid,
                fmt::format("{}: {} of {} intersecting pairs of triangles could not be drawn apart",
                            options.path, start.pairs, start.pairs_before));
}

/// A mesh as the model of a run that knows its shape alone. Takes what it can: meshes are large.
Model bare_model(Mesh mesh, std::vector<Stencil<2>> edges) {
  const int count = mesh.vertex_count(), triangles = static_cast<int>(mesh.triangles.size());
  Model model;
  model.cloths = {{"mesh", 0, count, 0, triangles, /*thickness=*/0}};
  model.written = {{"mesh", 0, count, 0, triangles, {}, mesh.polygons}};
  model.start = std::move(mesh.positions);
  model.start_velocity = Points::Zero(3, count);
  model.script.free = Points::Ones(3, count);
  model.triangles = std::move(mesh.triangles);
  model.triangle_incidence = build_incidence(count, model.triangles);
  model.edges = std::move(edges);
  model.edge_length.reserve(model.edges.size());
  for (const auto& [a, b] : model.edges)
    model.edge_length.push_back((model.start.col(a) - model.start.col(b)).norm());
  model.mass = model.half_thickness = Scalars::Zero(count);
  return model;
}

/// The names that pins can use of a mesh, and that cloths and colliders can be.
struct PartNames {
  const char* title;
  std::vector<std::string> names;
};

std::vector<PartNames> part_names(const Mesh& mesh) {
  std::vector<PartNames> parts;
  const std::pair<const char*, const Naming&> kinds[] = {
      {"objects", kObject}, {"groups", kGroup}, {"materials", kMaterial}};
  for (const auto& [title, naming] : kinds)
    parts.push_back({title, mesh.polygons ? names_of(*mesh.polygons, naming) : std::vector<std::string>()});
  return parts;
}

void print_part_names(const Mesh& mesh, const CheckOptions& options) {
  constexpr std::size_t kListed = 20;
  for (const auto& [title, names] : part_names(mesh)) {
    if (names.empty()) continue;
    const std::size_t listed = options.verbose ? names.size() : std::min(names.size(), kListed);
    std::string text = title;
    for (std::size_t k = 0; k < listed; ++k) text += (k == 0 ? ": " : ", ") + names[k];
    if (listed < names.size()) text += fmt::format(" and {} more (-v names them)", names.size() - listed);
    print("{}\n", text);
  }
}

Json mesh_json(const std::string& path, const Mesh& mesh, const Topology& topology) {
  Json json{{"type", "mesh"},
            {"path", path},
            {"vertices", mesh.vertex_count()},
            {"triangles", mesh.triangles.size()},
            {"edges", topology.edges.size()},
            {"repairs", mesh.repairs}};
  for (const auto& [title, names] : part_names(mesh)) json[title] = names;
  json["closed"] = why_open(mesh).empty();
  return json;
}

/// Whether a mesh encloses anything, and who can keep cloth from it.
std::string use_as_collider(const Mesh& mesh) {
  std::vector<bool> is_used(mesh.vertex_count());
  for (const Stencil<3>& triangle : mesh.triangles)
    for (const int v : triangle) is_used[v] = true;
  const auto loose = std::find(is_used.begin(), is_used.end(), false);
  const std::string problem = why_open(mesh);
  if (loose != is_used.end())
    return fmt::format("{}: no solver takes it as a collider before vertex {} is removed, which no face uses",
                       problem.empty() ? "closed" : "open", loose - is_used.begin());
  if (problem.empty()) return "closed: every solver takes it as a collider";
  return fmt::format("{}: quasi_newton alone takes it as a collider, others need a closed mesh", problem);
}

void check_mesh(const CheckOptions& options) {
  const std::string& path = options.path;
  Patience patience;
  Mesh mesh = read_mesh(
      path, [&](double fraction) { patience.say(fmt::format("{}: {:.0f} % read", path, 100 * fraction)); });
  patience.say(path + ": who is joined to whom");
  Topology topology = build_topology(mesh.vertex_count(), mesh.triangles, path);
  for (const std::string& repair : mesh.repairs) say("{}: {}\n", path, repair);
  if (options.json) {
    print_line(mesh_json(path, mesh, topology));
  } else {
    print("{}: {} vertices, {} triangles, {} edges\n", path, mesh.vertex_count(), mesh.triangles.size(),
          topology.edges.size());
    print_part_names(mesh, options);
  }
  for (const std::string& words :
       {describe(find_open_seams(mesh, topology)), describe(find_loose_joints(mesh, topology))})
    if (!words.empty()) say("warning: {}: {}\n", path, words);
  const std::string use = use_as_collider(mesh);
  MeshFile file;
  file.mesh = std::shared_ptr<const Mesh>(std::shared_ptr<void>(), &mesh);  // not its owner
  for (const std::string& hint : mesh_hints(file, kLargeMesh)) say("note: {} {}\n", path, hint);
  std::vector<Stencil<2>> edges = std::move(topology.edges);
  topology = {};
  judge_start(bare_model(std::move(mesh), std::move(edges)), SolverSettings(), options, patience);
  if (!options.json) print("{}: {}\n", path, use);
}

/// Numbers of cloth that are there for other methods than the scene's.
void print_unread_by_method(const Scene& scene) {
  std::vector<InertField> fields = inert_fields(scene);
  std::erase_if(fields, [](const InertField& field) {
    return field.cause != InertField::solver || !field.is_written || !field.path.starts_with("/cloths/");
  });
  for (const std::string& sentence : inert_sentences(fields)) say("note: {}\n", sentence);
}

/// Springs of a grid cannot have warp and shear without the one narrowing the other (model/springs.cpp).
void print_lattice_notes(const Scene& scene) {
  constexpr double kNoticeable = 0.01;
  for (size_t c = 0; c < scene.cloths.size(); ++c) {
    const Cloth& cloth = scene.cloths[c];
    const Fabric& fabric = cloth.fabric;
    if (!cloth.grid || cloth.springs || membrane_of(cloth) != Membrane::springs) continue;
    const double narrowing = *fabric.shear / *fabric.weft, give = narrowing * *fabric.shear / *fabric.warp;
    if (!(give >= kNoticeable && give < 1)) continue;  // nan: resists nothing
    say("note: /cloths/{}: springs on a grid narrow cloth that is pulled along the warp by {:.2f} of its "
        "stretch, and it stretches by {:.0f} % more than its warp says; \"membrane\": \"baraff_witkin\" does "
        "neither (docs/fabrics.md)\n",
        c, narrowing, 100 * (1 / (1 - give) - 1));
  }
}

/// Pins on one line that cloth will turn about.
void print_hinge_notes(const Simulation& simulation) {
  const Model& model = simulation.model();
  for (const ClothRange& range : model.cloths)
    if (const std::string hint = hinge_hint(simulation.scene().gravity, model, range); !hint.empty())
      say("note: cloth \"{}\": {}\n", range.name, hint);
}

/// Meshes that are probably in another unit or have z up, where no warning says so already.
void print_mesh_notes(const Scene& scene, const std::vector<std::string>& warnings) {
  constexpr double kLargeBody = 50;  // [m] what is smaller may be a house
  const auto note = [&](const std::string& where, const MeshFile& mesh, double least) {
    for (const std::string& hint : mesh_hints(mesh, least))
      if (std::none_of(warnings.begin(), warnings.end(), [&](const auto& w) { return w.ends_with(hint); }))
        say("note: {} {}\n", where, hint);
  };
  for (size_t c = 0; c < scene.cloths.size(); ++c)
    if (scene.cloths[c].mesh) note(fmt::format("/cloths/{}", c), *scene.cloths[c].mesh, kLargeMesh);
  for (size_t c = 0; c < scene.colliders.size(); ++c)
    if (scene.colliders[c].mesh) note(fmt::format("/colliders/{}", c), *scene.colliders[c].mesh, kLargeBody);
}

/// Several pins may hold a vertex, along different axes.
Eigen::Index count_pinned(const Model& model) {
  return (model.script.free.colwise().minCoeff().array() == 0).count();
}

/// What a scene comes to, as a line for programs: lengths in m, masses in kg, times in s.
Json scene_json(const Simulation& simulation, const std::vector<std::string>& warnings) {
  const Model& model = simulation.model();
  const Scene& scene = simulation.scene();
  Json elements = Json::object();
  model.energies.each([&](const auto& energy) {
    if (energy.size() > 0) elements[std::string(energy.kName)] = energy.size();
  });
  return {{"type", "scene"},
          {"name", scene.name},
          {"cloths", model.cloths.size()},
          {"vertices", model.vertex_count()},
          {"triangles", model.triangles.size()},
          {"elements", elements},
          {"pinned_vertices", count_pinned(model)},
          {"colliders", model.colliders.size()},
          {"mass", model.mass.sum()},
          {"solver", scene.solver.family},
          {"substeps", simulation.substeps()},
          {"frame_time", scene.frame_time},
          {"frames", scene.frames},
          {"warnings", warnings}};
}

void print_scene(const Simulation& simulation) {
  const Model& model = simulation.model();
  const auto pinned = count_pinned(model);
  std::string elements;
  model.energies.each([&](const auto& energy) {
    if (energy.size() > 0) elements += fmt::format(", {} {}", energy.size(), energy.kName);
  });
  const auto counted = [](std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  print("{}: {}, {} vertices, {} triangles{}, {}, {}\n", simulation.scene().name,
        counted(model.cloths.size(), "cloth"), model.vertex_count(), model.triangles.size(), elements,
        pinned == 1 ? "1 pinned vertex" : fmt::format("{} pinned vertices", pinned),
        counted(model.colliders.size(), "collider"));
  print("mass {:.4g} kg; solver {}, {} of {:.3g} s a frame, {}\n", model.mass.sum(),
        simulation.scene().solver.family, counted(simulation.substeps(), "substep"),
        simulation.scene().frame_time / simulation.substeps(), counted(simulation.scene().frames, "frame"));
}

void check_scene(const CheckOptions& options) {
  const Scene scene = read_scene(find_scene(options.path), parse_overrides(options.set));
  const Simulation simulation(scene);
  std::vector<std::string> warnings = simulation.model().warnings;
  for (const std::string& vain : vain_overrides(scene, parse_overrides(options.set)))
    warnings.push_back(vain);
  for (const std::string& warning : warnings) say("warning: {}\n", warning);
  print_unread_by_method(scene);
  print_lattice_notes(simulation.scene());
  print_hinge_notes(simulation);
  print_mesh_notes(scene, warnings);
  if (options.json) {
    print_line(scene_json(simulation, warnings));
  } else {
    print_scene(simulation);
    print("{}{}", deforming_colliders(simulation.model()), followers(simulation));
  }
  judge_start(simulation.model(), simulation.scene().solver, options);
}

void check(const CheckOptions& options) {
  try {
    if (is_mesh_file(options.path))
      check_mesh(options);
    else if (is_pattern_file(options.path))
      check_pattern(options.path, options.svg, options.force, options.json);
    else
      check_scene(options);
  } catch (const Error& error) {
    if (options.json) print_line({{"type", "verdict"}, {"ok", false}, {"error", error.what()}});
    throw;
  }
  if (options.json) print_line({{"type", "verdict"}, {"ok", true}, {"error", nullptr}});
}

// --- list ------------------------------------------------------------------------------------------

// What a family makes of every energy; pbd is so unlike xpbd that it has a line of its own.
Rows solver_rows() {
  Rows rows{{"solver", "what it does"}};
  Energies().each([&](const auto& energy) { rows[0].emplace_back(energy.kName); });
  const auto add = [&](const SolverEntry& entry, const std::string& name, const SolverSettings& settings) {
    std::vector<std::string> row{name, std::string(entry.summary)};
    Energies().each([&](const auto& energy) {
      const Support::Level level = entry.support(settings, energy.kName).level;
      row.push_back(level == Support::runs ? "yes" : level == Support::left_out ? "left out" : "no");
    });
    rows.push_back(row);
  };
  for (const SolverEntry& entry : solvers()) {
    SolverSettings settings;
    add(entry, std::string(entry.name), settings);
    if (entry.name != "position") continue;
    settings.position.method = PositionMethod::pbd;
    add(entry, "position (pbd)", settings);
  }
  return rows;
}

Rows fabric_rows() {
  Rows rows{{"fabric", "density [kg/m^2]", "thickness [m]", "warp [N/m]", "weft [N/m]", "shear [N/m]",
             "poisson", "bend [N m]", "bending length [mm]", "drape [%]", "damping [s]", "bend damping [s]",
             "source"}};
  for (const auto& [fabric, source, drape] : fabrics()) {
    std::vector<std::string> row{fabric.preset};
    for (const auto& value : {fabric.density, fabric.thickness, fabric.warp, fabric.weft, fabric.shear,
                              fabric.poisson, fabric.bend})
      row.push_back(fmt::format("{:.3g}", *value));
    row.push_back(fmt::format("{:.3g}", 1000 * bending_length(fabric)));
    row.push_back(drape ? fmt::format("{:.0f}", *drape) : "-");
    for (const auto& value : {fabric.damping, fabric.bend_damping})
      row.push_back(fmt::format("{:.3g}", *value));
    row.push_back(source);
    rows.push_back(row);
  }
  return rows;
}

Rows scene_rows() {
  Rows rows{{"scene", "title"}};
  if (!fs::is_directory(shipped_scenes()))
    throw Error(ErrorKind::file,
                shipped_scenes() + ": the scenes are not there; they belong beside the program");
  for (const fs::directory_entry& entry : fs::directory_iterator(shipped_scenes()))
    if (entry.path().extension() == ".json")
      rows.push_back({entry.path().stem().string(), read_scene(entry.path().string()).name});
  std::sort(rows.begin() + 1, rows.end());
  return rows;
}

Rows format_rows() {
  Rows rows{{"format", "what it holds"}};
  for (const FormatEntry& entry : formats())
    rows.push_back({std::string(entry.extension), std::string(entry.summary)});
  for (const SeriesEntry& entry : series_formats())
    if (entry.format != "vtp") rows.push_back({std::string(entry.format), std::string(entry.summary)});
  return rows;
}

#ifdef MUSLIN_HAS_RENDER
Rows look_rows() {
  Rows rows{{"look", "words", "what it is"}};
  for (const LookWords& look : look_words()) rows.push_back({look.field, look.words, look.doc});
  return rows;
}
#endif

// A unit of "" is that of a count, a fraction, or no number. "max", "min" and "mean" are said once, not of
// each.
Rows figure_rows() {
  Rows rows{{"figure", "unit", "what it is; also \"max NAME\", \"min NAME\", \"mean NAME\" of all frames"}};
  for (const Figure& figure : figures())
    if (figure.name.find(' ') == std::string::npos) rows.push_back({figure.name, figure.unit, figure.doc});
  return rows;
}

/// What can be listed.
struct Topic {
  const char* name;
  const char* what;
  Rows (*rows)();
};
constexpr Topic kTopics[] = {
    {"solvers", "solver families, and what each makes of cloth's energies", solver_rows},
    {"fabrics", "presets of cloth, with their numbers and sources", fabric_rows},
    {"scenes", "scenes that come with the program", scene_rows},
    {"formats", "formats of frames", format_rows},
#ifdef MUSLIN_HAS_RENDER
    {"looks", "ways to draw cloth (muslin render --look)", look_rows},
#endif
    {"figures", "what the table of a sweep can tell of a run", figure_rows},
};

Rows topic_rows() {
  Rows rows{{"topic", "what is listed"}};
  for (const Topic& topic : kTopics) rows.push_back({topic.name, topic.what});
  return rows;
}

Rows rows_of(const std::string& name) {
  for (const Topic& topic : kTopics)
    if (name == topic.name) return topic.rows();
  return topic_rows();
}

std::vector<std::string> topic_names() {
  std::vector<std::string> names;
  for (const Topic& topic : kTopics) names.emplace_back(topic.name);
  return names;
}

void print_json(const Rows& rows) {
  Json table = nlohmann::ordered_json::array();
  for (size_t r = 1; r < rows.size(); ++r) {
    Json row;
    for (size_t c = 0; c < rows[r].size(); ++c) row[rows[0][c]] = rows[r][c];
    table.push_back(row);
  }
  print("{}\n", table.dump(2));
}

}  // namespace

void add_check_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "check", R"(Say everything that is wrong with a scene, mesh or sewing pattern, without running it.

Examples:
  muslin check my_scene.json
  muslin check garment.glb                         with the objects, groups and materials that pins can name
  muslin check shirt_pattern.json --svg shirt.svg  panels, seams with their lengths, and a drawing of them
  muslin check my_scene.json --obj places.obj      the triangles where the start is not as it should be
  muslin check my_scene.json --repair --out start.obj   can what intersects at the start be drawn apart?
  muslin check my_scene.json --json                for programs: the scene, what troubles its start, the verdict
)");
  const auto o = std::make_shared<CheckOptions>();
  command
      ->add_option("SCENE", o->path,
                   "scene (JSON, ours or CS184's), mesh (OBJ, PLY, GLB, glTF, USD), sewing pattern "
                   "(GarmentCode's JSON), "
                   "or the name of a shipped scene")
      ->required();
  command->add_option("--set", o->set, "replace a value first: path=value");
  command->add_flag("-v,--verbose", o->verbose,
                    "name the places of every kind, ten thousand at most, not the first five");
  command->add_option("--obj", o->obj, "write the triangles where the start is not as it should be, if any")
      ->type_name("FILE");
  CLI::Option* repair = command->add_flag(
      "--repair", o->repair,
      "draw apart what intersects at the start, then judge that (exit code 3: some is left)");
  command->add_option("-o,--out", o->out, "write the repaired start as OBJ")
      ->type_name("FILE")
      ->needs(repair);
  command->add_option("--svg", o->svg, "draw a sewing pattern")->type_name("FILE");
  command->add_flag("--force", o->force, "let --obj, --out and --svg replace files");
  command->add_flag("--json", o->json,
                    "print JSON: a line for what there is, one a trouble, one of the whole");
  command->callback([o] {
    if (is_mesh_file(o->path) && !o->set.empty())
      throw CLI::ValidationError("--set", "changes scenes, and this is a mesh");
    check(*o);
  });
}

// What a table of fabrics has room for: the numbers that people choose by, units in the head.
Rows short_fabric_rows() {
  Rows rows{{"fabric", "g/m2", "mm", "warp N/m", "weft N/m", "shear N/m", "bend uNm", "drape %"}};
  for (const auto& [fabric, source, drape] : fabrics())
    rows.push_back({fabric.preset, fmt::format("{:.3g}", 1000 * *fabric.density),
                    fmt::format("{:.3g}", 1000 * *fabric.thickness), fmt::format("{:.3g}", *fabric.warp),
                    fmt::format("{:.3g}", *fabric.weft), fmt::format("{:.3g}", *fabric.shear),
                    fmt::format("{:.3g}", 1e6 * *fabric.bend), drape ? fmt::format("{:.0f}", *drape) : "-"});
  return rows;
}

void add_list_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("list", R"(List what there is to choose from.

Examples:
  muslin list                     what can be listed
  muslin list scenes
  muslin list fabrics             density, thickness, stiffness and drape of every preset
  muslin list fabrics -v          all numbers, and where they are from
  muslin list fabrics --json
)");
  struct Options {
    std::string topic;
    bool json = false, verbose = false;
  };
  const auto options = std::make_shared<Options>();
  command
      ->add_option("TOPIC", options->topic,
                   fmt::format("{}; without it the list of these", fmt::join(topic_names(), ", ")))
      ->check(CLI::IsMember(topic_names()));
  command->add_flag("--json", options->json, "print JSON");
  command->add_flag("-v,--verbose", options->verbose, "fabrics: all numbers, and their sources");
  command->callback([options] {
    const bool is_short = options->topic == "fabrics" && !options->verbose && !options->json;
    const Rows rows = is_short ? short_fabric_rows() : rows_of(options->topic);
    options->json ? print_json(rows) : print_text(table_text(rows, line_width(STDOUT_FILENO)));
  });
}

void add_schema_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "schema", R"(Print the JSON Schema of scene files, for editors that complete and check them.

Examples:
  muslin schema > muslin.schema.json       then begin a scene with "$schema": "./muslin.schema.json"
  muslin schema --plan > plan.schema.json  the same for plans of sweeps
)");
  const auto of_plans = std::make_shared<bool>(false);
  command->add_flag("--plan", *of_plans, "of plans (muslin sweep)");
  command->callback([of_plans] { print("{}\n", *of_plans ? plan_schema() : scene_schema()); });
}
