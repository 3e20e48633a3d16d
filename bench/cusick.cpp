// Cusick's drape test [Cusick 1968; ISO 9073-9]: a disc of cloth, held flat on a smaller disc, hangs down
// around it. Its shadow from above, less the support's and as a fraction of the flat ring's, is the drape
// coefficient. Measured for every fabric in the table on two meshes, one twice as fine as the other.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "muslin/compare/drape.h"
#include "muslin/muslin.h"

namespace bench {
namespace {

using muslin::Drape;
using muslin::DrapedDisc;
using muslin::Stencil;

struct Options {
  std::vector<std::string> fabrics;
  int rings = 20;
  bool halved = true;
  std::optional<double> bend;
  std::optional<int> substeps;  // of xpbd; absent: quasi_newton
  bool from_minimum = false;    // xpbd on the same mesh, from where quasi_newton hangs
  muslin::PositionPath path = muslin::PositionPath::general;
  std::string out;

  bool has_two() const { return halved || from_minimum; }
};

/// A scene that begins as the cloth hangs, with the support below it, for `muslin render`.
void write_picture(const std::string& folder, const Drape& drape) {
  muslin::Scene scene = muslin::scene_at_rest(drape);
  const std::string name = scene.cloths[0].fabric.preset;
  muslin::MeshFile& file = *scene.cloths[0].mesh;
  const muslin::Points& positions = file.mesh->positions;
  std::ofstream obj(folder + "/" + name + ".obj");
  for (int v = 0; v < positions.cols(); ++v)
    obj << fmt::format("v {} {} {}\n", positions(0, v), positions(1, v), positions(2, v));
  for (const Stencil<3>& t : file.mesh->triangles)
    obj << fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  file.file = name + ".obj";
  std::ofstream(folder + "/" + name + ".json") << muslin::write_scene(scene);
}

// --- the table ---------------------------------------------------------------------------------------

void print(const DrapedDisc& drape) {
  fmt::print(" | {:5} {:5.1f} {:5} {:5} {:6.1f}", drape.disc->vertex_count(), drape.coefficient, drape.folds,
             drape.intersecting_pairs, 100 * drape.depth);
  std::fflush(stdout);
}

/// One line of the table; whether it agrees with the preset's coefficient, and both meshes with each other,
/// within three points.
bool measure(const muslin::FabricPreset& preset, const Options& options) {
  muslin::Fabric fabric = preset.fabric;
  if (options.bend) fabric.bend = fabric.bend_weft = *options.bend;
  fmt::print("{:16} {:8.4f} {:9.2e} {:6.2f}", fabric.preset, *fabric.density, *fabric.bend,
             100 * muslin::bending_length(fabric));
  muslin::DrapeTest test;
  test.fabric = fabric;
  test.rings = options.rings;
  test.halved = options.halved;
  test.from_minimum = options.from_minimum;
  test.watch = print;
  if (options.substeps) {
    test.position.emplace();
    test.position->substeps = options.substeps;
    test.position->path = options.path;
  }
  const Drape drape = muslin::measure_drape(test);
  const double change = drape.coefficient() - drape.meshes.front().coefficient;
  if (options.has_two()) fmt::print(" | {:6.1f}", change);
  fmt::print("\n");
  if (!options.out.empty()) write_picture(options.out, drape);
  return preset.drape && std::abs(drape.coefficient() - *preset.drape) < 3 && std::abs(change) < 3;
}

void print_head(bool has_two) {
  const std::string columns =
      fmt::format(" | {:>5} {:>5} {:>5} {:>5} {:>6}", "verts", "DC %", "folds", "pairs", "d [cm]");
  fmt::print("{:16} {:>8} {:>9} {:>6}{}{}\n", "fabric", "kg/m^2", "D [N m]", "c [cm]", columns,
             has_two ? columns + " | change" : "");
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  CLI::App app{
      "Drape coefficient of fabrics by Cusick's test: a disc of 30 cm on a support of 18 cm.\n"
      "c: bending length; pairs: triangles that intersect at rest; d: depth of the rim. The finer mesh "
      "begins "
      "where the\ncoarser hangs, so that both have the same folds."};
  bench::Options options;
  app.add_option("fabrics", options.fabrics, "presets; absent: all");
  app.add_option("--rings", options.rings,
                 "rings of the coarser mesh; a multiple of 5, so that one is the support's rim")
      ->check(CLI::Range(10, 200));
  app.add_flag("!--coarse", options.halved, "only the coarser mesh");
  app.add_option("--bend", options.bend, "this rigidity instead of the preset's [N m]");
  app.add_option("--position", options.substeps,
                 "by xpbd with so many substeps of 1/30 s instead of quasi_newton")
      ->check(CLI::Range(1, 100000));
  std::string path(name_of(options.path));
  app.add_option("--path", path, "of --position")
      ->check(CLI::IsMember(std::vector<std::string>(muslin::EnumNames<muslin::PositionPath>::names.begin(),
                                                     muslin::EnumNames<muslin::PositionPath>::names.end())))
      ->capture_default_str();
  app.add_flag("--from-minimum", options.from_minimum,
               "instead of a finer mesh: --position from where quasi_newton hangs")
      ->needs("--position");
  bool check = false;
  app.add_flag("--check", check, "exit with 1 if a coefficient is not the table's, or changes with the mesh");
  app.add_option("--out", options.out, "folder for a scene of each disc at rest, for `muslin render`");
  CLI11_PARSE(app, argc, argv);
  const auto& paths = muslin::EnumNames<muslin::PositionPath>::names;
  options.path = muslin::PositionPath(std::find(paths.begin(), paths.end(), path) - paths.begin());
  try {
    if (!options.out.empty()) std::filesystem::create_directories(options.out);
    bench::print_head(options.has_two());
    bool good = true;
    for (const muslin::FabricPreset& preset : muslin::fabrics())
      if (options.fabrics.empty() ||
          std::count(options.fabrics.begin(), options.fabrics.end(), preset.fabric.preset))
        good &= bench::measure(preset, options);
    if (check && !good) return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
