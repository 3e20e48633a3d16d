// The command that drapes a fabric in Cusick's test.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "drape_picture.h"
#include "interrupt.h"
#include "muslin/compare/drape.h"
#include "muslin/core/text.h"
#include "muslin/io/file.h"
#include "muslin/muslin.h"
#include "streams.h"

using namespace muslin;
using Json = nlohmann::ordered_json;

namespace {

struct DrapeArguments {
  std::string fabric, cloth, picture;
  std::vector<std::string> set;
  int rings = 20, threads = 0;
  bool coarse = false, force = false, quiet = false, json = false;
};

/// A preset, or the fabric of a scene's cloth: its only one, or that of the name.
Fabric find_cloth(const DrapeArguments& options) {
  const std::string& what = options.fabric;
  if (const FabricPreset* preset = find_fabric(what)) {
    if (options.set.empty() && options.cloth.empty()) return preset->fabric;
    throw Error(ErrorKind::invalid, what + ": is a fabric; --set and --cloth expect a scene");
  }
  std::string path;
  try {
    path = find_scene(what);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::file) throw;
    throw Error(ErrorKind::file, std::string(error.what()) + "; nor a fabric, see muslin list fabrics");
  }
  const Scene scene = resolved(read_scene(path, parse_overrides(options.set)));
  std::string names;
  for (const Cloth& cloth : scene.cloths) {
    if (cloth.name == options.cloth || (options.cloth.empty() && scene.cloths.size() == 1))
      return cloth.fabric;
    names += (names.empty() ? "\"" : ", \"") + cloth.name + "\"";
  }
  throw Error(ErrorKind::invalid, what + ": --cloth must name one of " + names +
                                      (options.cloth.empty() ? "" : ", got \"" + options.cloth + "\""));
}

Json json_of(const Fabric& fabric, const Drape& drape) {
  Json meshes = Json::array();
  for (const DrapedDisc& disc : drape.meshes)
    meshes.push_back({{"vertices", disc.disc->vertex_count()},
                      {"coefficient", disc.coefficient},
                      {"folds", disc.folds},
                      {"intersecting_pairs", disc.intersecting_pairs},
                      {"depth", disc.depth}});
  const FabricPreset* const preset = find_fabric(fabric.preset);
  return {{"type", "drape"},
          {"fabric", fabric.preset},
          {"bending_length", bending_length(fabric)},
          {"coefficient", drape.coefficient()},
          {"mesh_error", drape.meshes.size() > 1 ? Json(drape.error()) : Json(nullptr)},
          {"folds", drape.meshes.back().folds},
          {"preset_coefficient", preset && preset->drape ? Json(*preset->drape) : Json(nullptr)},
          {"meshes", meshes}};
}

std::string text_of(const Fabric& fabric, const Drape& drape) {
  const DrapedDisc& finest = drape.meshes.back();
  std::string meshes = fmt::format("{} vertices", drape.meshes[0].disc->vertex_count());
  if (drape.meshes.size() > 1)
    meshes += fmt::format(" {:.1f} %, {} vertices {:.1f} %", drape.meshes[0].coefficient,
                          finest.disc->vertex_count(), finest.coefficient);
  return fmt::format("fabric              {}, bending length {:.1f} mm\n", fabric.preset,
                     1000 * bending_length(fabric)) +
         (drape.meshes.size() > 1
              ? fmt::format("drape coefficient   {:.1f} ± {:.1f} % (as edges were halved)\n",
                            drape.coefficient(), drape.error())
              : fmt::format("drape coefficient   {:.1f} % (on one mesh: its error is not known)\n",
                            drape.coefficient())) +
         fmt::format(
             "folds               {}\nrim below support   {:.1f} mm at its lowest\nmeshes              {}\n",
             finest.folds, 1000 * finest.depth, meshes) +
         (finest.intersecting_pairs > 0
              ? fmt::format(
                    "intersecting pairs  {}: cloth passes through itself, which the test does not hinder\n",
                    finest.intersecting_pairs)
              : "");
}

void drape(const DrapeArguments& options) {
  set_threads(options.threads);
  DrapeTest test;
  test.fabric = find_cloth(options);
  test.rings = options.rings;
  test.halved = !options.coarse;
  test.watch = [&](const DrapedDisc& disc) {
    say_unless(options.quiet, "{} vertices: {:.1f} %, {} folds\n", disc.disc->vertex_count(),
               disc.coefficient, disc.folds);
  };
  test.stop = is_interrupted;
  if (!options.picture.empty()) expect_picture(options.picture, options.force);
  watch_for_interrupts();
  std::optional<Drape> drape;
  try {
    drape = measure_drape(test);
  } catch (const Error&) {
    if (is_interrupted()) throw Exit{kInterrupted};
    throw;
  }
  print("{}", options.json ? json_of(test.fabric, *drape).dump() + "\n" : text_of(test.fabric, *drape));
  if (!options.picture.empty()) draw_drape(scene_at_rest(*drape), options.picture, options.force);
}

}  // namespace

void add_drape_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("drape", R"(Measure the drape of a fabric by Cusick's test.

Examples:
  muslin drape cotton                       coefficient, with its mesh error, and folds
  muslin drape cotton --picture cotton.png  and a picture of the disc as it hangs
  muslin drape my_scene.json --cloth skirt  the fabric of a scene's cloth
  muslin drape silk --rings 10 --json       quickly; for programs

A disc of 30 cm, held flat on a support of 18 cm, is let down within two seconds. The coefficient is the shadow
of what hangs over that of the flat ring: 0 % hangs straight down, 100 % stands out. It is measured on two
meshes, one of half the edges, which begins where the coarser hangs; ± is what that changed.
Friction and self-collision play no part. docs/fabrics.md compares the presets with measured cloth.
)");
  command->footer(R"(
Exit codes: 0 ok, 1 failed, 2 usage, 3 invalid or diverged, 5 file trouble, 130 interrupted.
)");
  const auto o = std::make_shared<DrapeArguments>();
  command->add_option("WHAT", o->fabric, "a fabric of muslin list fabrics, a scene file, or a shipped scene")
      ->required()
      ->type_name("FABRIC|SCENE");
  command->add_option("--cloth", o->cloth, "whose fabric, of a scene with several cloths")->type_name("NAME");
  command->add_option("--set", o->set, "replace a value of the scene; may be repeated")
      ->type_name("PATH=VALUE");
  command
      ->add_option("--rings", o->rings, "rings of the coarser mesh, a multiple of 5: 20 have 1321 vertices")
      ->check([](const std::string& text) {
        int rings = 0;
        return CLI::detail::lexical_cast(text, rings) && rings >= 10 && rings <= 200 && rings % 5 == 0
                   ? std::string()
                   : "must be a multiple of 5 from 10 to 200, got " + text;
      })
      ->capture_default_str();
  command->add_flag("--coarse", o->coarse, "only the coarser mesh");
  command->add_option("--picture", o->picture, "draw the disc as it hangs")->type_name("FILE.png");
  command->add_option("--threads", o->threads, "most threads (0: all cores); results do not depend on it")
      ->check(CLI::Range(0, 4096));
  command->add_flag("--force", o->force, "let --picture replace a file");
  command->add_flag("-q,--quiet", o->quiet, "no progress");
  command->add_flag("--json", o->json, "print JSON: lengths in m, coefficients in %");
  command->callback([o] { drape(*o); });
}
