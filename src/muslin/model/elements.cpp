#include "muslin/model/elements.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "muslin/model/springs.h"

namespace muslin {

namespace {

// Of the angle between two directions: below it, rounding decides which way they turn.
constexpr double kLeastSine = 1e-6;

// Where uv grows along u in a triangle whose sides are ab and ac [m]; zero where uv has no area.
Vec3 warp_by_uv(const std::array<Vec2, 3>& uv, const Vec3& ab, const Vec3& ac) {
  // x = a + s ab + t ac, and so for uv: ∂x/∂u for constant v.
  const Vec2 uv_ab = uv[1] - uv[0], uv_ac = uv[2] - uv[0];
  const double turn = uv_ab.x() * uv_ac.y() - uv_ac.x() * uv_ab.y();
  if (!(std::abs(turn) > kLeastSine * uv_ab.norm() * uv_ac.norm())) return Vec3::Zero();
  return ((uv_ac.y() * ab - uv_ab.y() * ac) / turn).stableNormalized();
}

// A unit vector along the warp in the plane of a triangle: along u of a grid; of a mesh where uv grows along
// u; without uv along the world's x.
Vec3 warp_direction(const Cloth& cloth, const RestShape& rest, int triangle) {
  const Local<3> x = rest.corners(triangle);
  const Vec3 ab = x.col(1) - x.col(0), ac = x.col(2) - x.col(0);
  const Vec3 normal = ab.cross(ac).normalized();
  const auto in_plane = [&](const Vec3& direction) {
    return Vec3(direction - direction.dot(normal) * normal);
  };
  Vec3 warp = Vec3::Zero();
  if (cloth.grid) {
    warp = in_plane(cloth.grid->u.normalized());
  } else if (!rest.cloth.uv.empty()) {
    warp = warp_by_uv(rest.pattern.uv_of(triangle), ab, ac);
  }
  if (warp.norm() < kLeastSine) warp = in_plane(Vec3::UnitX());
  if (warp.norm() < kLeastSine) warp = in_plane(Vec3::UnitY());
  return warp.normalized();
}

Stencil<3> shifted(const Stencil<3>& triangle, int first) {
  return {first + triangle[0], first + triangle[1], first + triangle[2]};
}

// A triangle with its neighbours.
struct RestPlate {
  PlateStencil stencil;  // in the cloth's own numbering
  Local<6> places;       // [m] at rest, as seen from the triangle
};

// What a cloth's elements are made of.
struct ClothAtRest {
  const Cloth& cloth;
  const ClothFabrics& fabrics;
  const RestShape& rest;
  const Topology& topology;
  int first;                      // vertex of the model
  std::vector<RestPlate> plates;  // one a triangle, or none where nothing resists bending
};

// Every energy has a function
//   std::string make_elements(const ClothAtRest& at, FooEnergy& energy);
// that appends what the cloth has of it, perhaps nothing, and returns what the user should know, or "".
// Without one add_elements does not compile.

// --- membrane --------------------------------------------------------------------------------------

std::string_view energy_of(Membrane membrane) {
  switch (membrane) {
    case Membrane::springs:
      return SpringEnergy::kName;
    case Membrane::baraff_witkin:
      return BaraffWitkinEnergy::kName;
    case Membrane::stvk:
      return StVKEnergy::kName;
  }
  return "";
}

// Whether this energy resists the cloth's stretch and shear, by its fabric.
template <class E>
bool is_chosen_membrane(const Cloth& cloth, const E&) {
  return !cloth.springs && energy_of(membrane_of(cloth)) == E::kName;
}

RestTriangle rest_triangle_of(const Cloth& cloth, const RestShape& rest, int triangle) {
  return rest_triangle(rest.corners(triangle), warp_direction(cloth, rest, triangle));
}

// What of the fabrics acts on triangles.
ClothFabrics acting_fabrics(const ClothAtRest& at) {
  ClothFabrics fabrics = at.fabrics;
  for (Fabric& fabric : fabrics.all) {
    if (!at.cloth.acting.structural) fabric.warp = fabric.weft = fabric.strain_limit = 0;
    if (!at.cloth.acting.shear) fabric.shear = 0;
  }
  return fabrics;
}

std::string make_elements(const ClothAtRest& at, SpringEnergy& energy) {
  const bool woven = is_chosen_membrane(at.cloth, energy);
  if (!woven && !at.cloth.springs) return "";
  add_springs(at.cloth, at.fabrics, at.rest, at.topology, at.first, energy);
  return woven && at.cloth.mesh
             ? "springs along the edges of a mesh resist shear with a third of their stiffness, whatever the "
               "fabric's shear says"
             : "";
}

std::string make_elements(const ClothAtRest& at, BaraffWitkinEnergy& energy) {
  if (!is_chosen_membrane(at.cloth, energy)) return "";
  const ClothFabrics fabrics = acting_fabrics(at);
  for (int t = 0; t < std::ssize(at.rest.cloth.triangles); ++t) {
    const Fabric& fabric = fabrics.of(t);
    BaraffWitkinEnergy::Shape shape;
    shape.triangle = rest_triangle_of(at.cloth, at.rest, t);
    shape.stiffening = *fabric.stiffening * Vec2(*fabric.warp, *fabric.weft);
    if (*fabric.strain_limit > 0) {
      shape.limit.strain = *fabric.strain_limit;
      shape.limiting = Vec2(*fabric.warp, *fabric.weft);
    }
    energy.add(shifted(at.rest.cloth.triangles[t], at.first), *fabric.damping, shape,
               Vec3(*fabric.warp, *fabric.weft, *fabric.shear), BaraffWitkinEnergy::Element::unstrained());
  }
  return "";
}

std::string make_elements(const ClothAtRest& at, StVKEnergy& energy) {
  if (!is_chosen_membrane(at.cloth, energy)) return "";
  const ClothFabrics fabrics = acting_fabrics(at);
  for (int t = 0; t < std::ssize(at.rest.cloth.triangles); ++t) {
    const Fabric& fabric = fabrics.of(t);
    Mat3 stiffness = Vec3(*fabric.warp, *fabric.weft, *fabric.shear).asDiagonal();
    stiffness(0, 1) = stiffness(1, 0) = *fabric.poisson * std::sqrt(*fabric.warp * *fabric.weft);
    energy.add(shifted(at.rest.cloth.triangles[t], at.first), *fabric.damping,
               rest_triangle_of(at.cloth, at.rest, t), stiffness, Vec3::Zero());
  }
  return "";
}

// --- bending ---------------------------------------------------------------------------------------

bool bends(const Cloth& cloth, const ClothFabrics& fabrics) {
  return !cloth.springs && cloth.acting.bend &&
         std::any_of(fabrics.all.begin(), fabrics.all.end(),
                     [](const Fabric& fabric) { return *fabric.bend != 0 || *fabric.bend_weft != 0; });
}

// The neighbours across its three edges.
std::vector<RestPlate> rest_plates(const RestShape& rest, const Topology& topology) {
  std::vector<RestPlate> plates(rest.cloth.triangles.size());
  for (size_t t = 0; t < plates.size(); ++t) {
    const auto& [a, b, c] = rest.cloth.triangles[t];
    plates[t].stencil = {a, b, c, a, b, c};
    const Local<3> corners = rest.corners(static_cast<int>(t));
    plates[t].places << corners, corners;
  }
  const auto add_neighbour = [&](const Hinge& hinge, int triangle, int tip, int neighbour) {
    RestPlate& plate = plates[triangle];
    for (int k = 0; k < 3; ++k)
      if (plate.stencil[k] == tip) {
        plate.stencil[3 + k] = neighbour;
        plate.places.col(3 + k) = rest.tip_beyond(hinge, triangle);
      }
  };
  for (const Hinge& hinge : topology.hinges) {
    if (hinge.tip1 < 0) continue;
    add_neighbour(hinge, hinge.triangle0, hinge.tip0, hinge.tip1);
    add_neighbour(hinge, hinge.triangle1, hinge.tip1, hinge.tip0);
  }
  return plates;
}

Vec3 dihedral_angles(const PlateStencil& stencil, const Local<6>& x) {
  Vec3 angles = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    if (is_border(stencil, k)) continue;
    const auto [p, q, a, b] = hinge_slots(k);
    angles[k] = dihedral_angle<double>(x.col(p), x.col(q), x.col(a), x.col(b));
  }
  return angles;
}

bool is_curved(const std::vector<RestPlate>& plates) {
  constexpr double kCurved = 1e-3;  // [rad] between two triangles
  return std::any_of(plates.begin(), plates.end(), [&](const RestPlate& plate) {
    return dihedral_angles(plate.stencil, plate.places).cwiseAbs().maxCoeff() > kCurved;
  });
}

// What an energy of bending is told of a plate: its stencil and its damping [s].
struct PlateElement {
  PlateStencil stencil;
  double damping;
};
void add_plate(const PlateElement& element, const PlateTriangle& plate, const Local<6>&,
               BendingEnergy& energy) {
  energy.add(element.stencil, element.damping, plate.root * plate.hinges, 1);
}
void add_plate(const PlateElement& element, const PlateTriangle& plate, const Local<6>& x,
               DihedralEnergy& energy) {
  const Mat3 root = plate.root * plate.length.asDiagonal();
  DihedralEnergy::Shape shape;
  for (int k = 0; k < 3; ++k) shape.is_border[k] = is_border(element.stencil, k);
  shape.hinges = plate.length.cwiseInverse().asDiagonal() * plate.hinges;
  energy.add(element.stencil, element.damping, shape, root.transpose() * root,
             dihedral_angles(element.stencil, x));
}

template <class E>
void add_plates(const ClothAtRest& at, E& energy) {
  for (int t = 0; t < std::ssize(at.plates); ++t) {
    const Fabric& fabric = at.fabrics.of(t);
    const Rigidity rigidity{*fabric.bend, *fabric.bend_weft};
    auto [stencil, places] = at.plates[t];
    const PlateTriangle plate =
        plate_triangle(stencil, places, warp_direction(at.cloth, at.rest, t), rigidity);
    for (int& v : stencil) v += at.first;
    add_plate({stencil, *fabric.bend_damping}, plate, places, energy);
  }
}

std::string make_elements(const ClothAtRest& at, BendingEnergy& energy) {
  if (at.plates.empty() || at.cloth.bending == Bending::dihedral) return "";
  const bool curved = is_curved(at.plates);
  if (curved && !at.cloth.bending) return "";
  add_plates(at, energy);
  return curved ? "is curved, and quadratic bending is that of cloth which is flat at rest" : "";
}

std::string make_elements(const ClothAtRest& at, DihedralEnergy& energy) {
  if (at.plates.empty() || at.cloth.bending == Bending::quadratic) return "";
  if (at.cloth.bending || is_curved(at.plates)) add_plates(at, energy);
  return "";
}

// --- stitches --------------------------------------------------------------------------------------

// They are of seams, which may join several pieces (seams.h).
std::string make_elements(const ClothAtRest&, StitchEnergy&) { return ""; }

// --- pulls -----------------------------------------------------------------------------------------

// Those that hands have are of a step, not of the cloth.
std::string make_elements(const ClothAtRest&, AnchorEnergy&) { return ""; }

// --- energies from outside -------------------------------------------------------------------------

// They are of the scene (custom_elements.h).
std::string make_elements(const ClothAtRest&, StoredCustomEnergy&) { return ""; }

}  // namespace

std::vector<RestTriangle> rest_triangles(const Cloth& cloth, const RestShape& rest) {
  std::vector<RestTriangle> triangles;
  triangles.reserve(rest.cloth.triangles.size());
  for (int t = 0; t < std::ssize(rest.cloth.triangles); ++t)
    triangles.push_back(rest_triangle_of(cloth, rest, t));
  return triangles;
}

Membrane membrane_of(const Cloth& cloth) {
  return cloth.membrane.value_or(cloth.grid ? Membrane::springs : Membrane::baraff_witkin);
}

std::vector<std::string> add_elements(const Cloth& cloth, const ClothFabrics& fabrics, const RestShape& rest,
                                      const Topology& topology, int first, Energies& energies) {
  ClothAtRest at{cloth, fabrics, rest, topology, first, {}};
  if (bends(cloth, fabrics)) at.plates = rest_plates(rest, topology);
  std::vector<std::string> words;
  energies.each([&](auto& energy) {
    if (const std::string word = make_elements(at, energy); !word.empty()) words.push_back(word);
  });
  return words;
}

int count_without_weave(const Cloth& cloth, const RestShape& rest) {
  if (cloth.grid || rest.cloth.uv.empty()) return 0;
  int count = 0;
  for (int t = 0; t < std::ssize(rest.cloth.triangles); ++t) {
    const Local<3> x = rest.corners(t);
    count += warp_by_uv(rest.pattern.uv_of(t), x.col(1) - x.col(0), x.col(2) - x.col(0)).isZero(0);
  }
  return count;
}

}  // namespace muslin
