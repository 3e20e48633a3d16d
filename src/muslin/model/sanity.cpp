#include "muslin/model/sanity.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "muslin/core/text.h"
#include "muslin/model/unit_hints.h"

namespace muslin {

namespace {

constexpr double kHeaviest = 5, kLightest = 0.005;  // [kg/m²] a carpet, and a third of the lightest silk
constexpr double kSteel = 7850;                     // [kg/m³]
constexpr double kLongestFrame = 1;                 // [s] nobody draws fewer pictures
constexpr double kStrongestGravity = 300;           // [m/s²] the sun's
constexpr double kThickest = 0.02;                  // [m]
constexpr double kLargest = 50;                     // [m] a circus tent
constexpr double kShortestEdge = 1e-5;              // [m] a tenth of a thread
// Of a fabric's rigidity over that of a solid plate of its thickness. Measured fabrics reach 120: their
// thickness is guessed, and knits curl.
constexpr double kStiffestPlate = 1000;

// Mass per area [kg/m²].
double density_of(const Cloth& cloth, const RestShape& rest) {
  if (!cloth.vertex_mass) return *cloth.fabric.density;
  double area = 0;
  for (int t = 0; t < std::ssize(rest.cloth.triangles); ++t) area += rest.area(t);
  return *cloth.vertex_mass * rest.cloth.vertex_count() / area;
}

void doubt_density(double density, std::vector<std::string>& doubts) {
  if (density > kHeaviest)
    doubts.push_back(fmt::format(
        "a density of {0:.4g} kg/m^2 is that of {1:.2g} mm of steel; cloth weighs 0.01 to 1 kg/m^2: did you "
        "mean {0:.4g} g/m^2?",
        density, 1000 * density / kSteel));
  if (density < kLightest)
    doubts.push_back(fmt::format(
        "a density of {:.4g} kg/m^2 is lighter than cloth, which weighs 0.01 to 1 kg/m^2", density));
}

void doubt_fabric(const Cloth& cloth, const RestShape& rest, std::vector<std::string>& doubts) {
  const Fabric& fabric = cloth.fabric;
  // Springs given one by one make an exercise: its masses, too, are what suits its springs.
  if (!cloth.springs) doubt_density(density_of(cloth, rest), doubts);
  if (*fabric.thickness > kThickest)
    doubts.push_back(
        fmt::format("a thickness of {:.4g} m is that of a mattress; cloth has 0.0001 to 0.005 m: did you "
                    "mean millimetres?",
                    *fabric.thickness));
  const double plate = std::max(*fabric.warp, *fabric.weft) * *fabric.thickness * *fabric.thickness / 12;
  if (!cloth.springs && *fabric.bend > kStiffestPlate * plate && plate > 0)
    doubts.push_back(fmt::format(
        "a bending rigidity of {:.4g} N m is {:.2g} times that of a solid plate with this warp and "
        "thickness ({:.2g} N m)",
        *fabric.bend, *fabric.bend / plate, plate));
}

void doubt_size(const Cloth& cloth, const Mesh& mesh, const Topology& topology,
                std::vector<std::string>& doubts) {
  const double thickness = *cloth.fabric.thickness;
  const double size = (mesh.positions.rowwise().maxCoeff() - mesh.positions.rowwise().minCoeff()).maxCoeff();
  if (size > kLargest)
    doubts.push_back(cloth.mesh ? size_hint(size, cloth.mesh->scale, kLargest)
                                : fmt::format("is {} large, and cloth is smaller than {} m: are lengths in "
                                              "millimetres or centimetres?",
                                              distance_text(size), kLargest));
  double shortest = std::numeric_limits<double>::infinity(), sum = 0;
  for (const auto& [a, b] : topology.edges) {
    const double length = (mesh.positions.col(b) - mesh.positions.col(a)).norm();
    shortest = std::min(shortest, length);
    sum += length;
  }
  const double mean = sum / static_cast<double>(topology.edges.size());
  if (shortest < kShortestEdge)
    doubts.push_back(fmt::format(
        "has an edge of {:.3g} m, shorter than a thread is thick: are lengths in metres?", shortest));
  else if (mean < thickness)
    doubts.push_back(fmt::format(
        "has edges of {:.3g} m in the mean, shorter than its thickness of {:.3g} m: are lengths in "
        "metres?",
        mean, thickness));
}

// A pattern in another unit than the cloth.
void doubt_pattern(const RestShape& rest, const Topology& topology, std::vector<std::string>& doubts) {
  // Cloth starts at most a few per cent off its pattern; units of length differ by 2.54 and more.
  constexpr double kFarOff = 1.5;
  if (&rest.pattern == &rest.cloth) return;
  double now = 0, at_rest = 0;
  for (const Hinge& hinge : topology.hinges) {
    now += (rest.cloth.positions.col(hinge.v1) - rest.cloth.positions.col(hinge.v0)).norm();
    at_rest += rest.edge_length(hinge);
  }
  if (now > at_rest * kFarOff || at_rest > now * kFarOff)
    doubts.push_back(fmt::format(
        "its edges are {:.3g} times as long at the start as in rest_mesh in the mean: are both in "
        "the same unit?",
        now / at_rest));
}

}  // namespace

std::vector<std::string> doubts(const Scene& scene) {
  std::vector<std::string> doubts;
  if (scene.frame_time > kLongestFrame)
    doubts.push_back(fmt::format(
        "/frame_time: a frame of {:.4g} s: is it in milliseconds? 60 frames a second are 0.01667 s",
        scene.frame_time));
  if (const double gravity = scene.gravity.norm(); gravity > kStrongestGravity)
    doubts.push_back(
        fmt::format("/gravity: {:.4g} m/s^2, and on earth it is 9.81: is it in another unit?", gravity));
  return doubts;
}

std::vector<std::string> doubts(const Cloth& cloth, const RestShape& rest, const Topology& topology) {
  std::vector<std::string> doubts;
  doubt_fabric(cloth, rest, doubts);
  doubt_size(cloth, rest.cloth, topology, doubts);
  doubt_pattern(rest, topology, doubts);
  return doubts;
}

}  // namespace muslin
