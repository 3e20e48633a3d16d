#pragma once
#include <array>
#include <optional>
#include <string>

#include "muslin/core/types.h"
#include "muslin/model/field.h"

// Parts of a cloth, by name and by place: of scenes (scene.h).

namespace muslin {

/// What lies between two corners.
struct BoxRegion {
  Vec3 min = Vec3::Zero();
  Vec3 max = Vec3::Ones();

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("min", self.min, {"least coordinates", "m"});
    visit("max", self.max, {"largest coordinates", "m"});
  }
};

/// What lies about a point.
struct SphereRegion {
  Vec3 center = Vec3::Zero();
  double radius = 0.1;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("center", self.center, {"its centre", "m"});
    visit("radius", self.radius, {"its radius", "m", Range::positive()});
  }
};

/// What lies between two corners of the texture.
struct UvRegion {
  std::array<double, 2> min{0, 0};
  std::array<double, 2> max{1, 1};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("min", self.min, {"least u and v"});
    visit("max", self.max, {"largest u and v"});
  }
};

/// A part of a cloth: all that any of the keys names.
struct ClothPart {
  std::optional<std::string> group;
  std::optional<std::string> material;
  std::optional<std::string> object;
  std::optional<BoxRegion> box;
  std::optional<SphereRegion> sphere;
  std::optional<UvRegion> uv_box;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("group", self.group,
          {"the vertices of a group of the mesh: OBJ's g, a node or prim above, a GeomSubset"});
    visit("material", self.material, {"the vertices of a material of the mesh"});
    visit("object", self.object,
          {"the vertices of an object of the mesh: OBJ's o, a node of glTF, a Mesh of USD"});
    visit("box", self.box, {"the vertices that begin in a box"});
    visit("sphere", self.sphere, {"the vertices that begin in a sphere"});
    visit("uv_box", self.uv_box,
          {"the vertices with texture coordinates in a rectangle; of a grid: metres along u and v"});
  }
};

}  // namespace muslin
