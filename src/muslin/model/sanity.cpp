#include "muslin/model/sanity.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace muslin {

namespace {

constexpr double kHeaviest = 5, kLightest = 0.005;  // [kg/m²] a carpet, and a third of the lightest silk
constexpr double kThickest = 0.02;                  // [m]
constexpr double kLargest = 50;                     // [m] a circus tent
constexpr double kShortestEdge = 1e-5;              // [m] a tenth of a thread
// Of a fabric's rigidity over that of a solid plate of its thickness. Measured fabrics reach 120: their
// thickness is guessed, and knits curl.
constexpr double kStiffestPlate = 1000;

// Mass per area [kg/m²].
double density_of(const Cloth& cloth, const Mesh& rest) {
  if (!cloth.vertex_mass) return *cloth.fabric.density;
  double area = 0;
  for (const auto& [a, b, c] : rest.triangles)
    area += triangle_area(rest.positions.col(a), rest.positions.col(b), rest.positions.col(c));
  return *cloth.vertex_mass * rest.vertex_count() / area;
}

void doubt_density(double density, std::vector<std::string>& doubts) {
  if (density > kHeaviest)
    doubts.push_back(fmt::format(
        "a density of {0:.4g} kg/m^2 is a rug; cloth weighs 0.01 to 1 kg/m^2: did you mean {0:.4g} g/m^2?",
        density));
  if (density < kLightest)
    doubts.push_back(fmt::format(
        "a density of {:.4g} kg/m^2 is lighter than cloth, which weighs 0.01 to 1 kg/m^2", density));
}

void doubt_fabric(const Cloth& cloth, const Mesh& rest, std::vector<std::string>& doubts) {
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

void doubt_size(double thickness, const Mesh& rest, const Topology& topology,
                std::vector<std::string>& doubts) {
  const double size = (rest.positions.rowwise().maxCoeff() - rest.positions.rowwise().minCoeff()).maxCoeff();
  if (size > kLargest)
    doubts.push_back(fmt::format(
        "is {:.4g} m large, and cloth is smaller than {} m: are lengths in millimetres or centimetres?", size,
        kLargest));
  double shortest = std::numeric_limits<double>::infinity(), sum = 0;
  for (const auto& [a, b] : topology.edges) {
    const double length = (rest.positions.col(b) - rest.positions.col(a)).norm();
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

}  // namespace

std::vector<std::string> doubts(const Cloth& cloth, const Mesh& rest, const Topology& topology) {
  std::vector<std::string> doubts;
  doubt_fabric(cloth, rest, doubts);
  doubt_size(*cloth.fabric.thickness, rest, topology, doubts);
  return doubts;
}

}  // namespace muslin
