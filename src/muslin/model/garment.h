#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "muslin/core/types.h"
#include "muslin/model/field.h"

// What a person writes of garments: the pattern they are cut from, seams, and the body they get onto.

namespace muslin {

struct PatternMesh;

/// A sewing pattern whose panels, meshed, become the objects of a cloth (io/garmentcode.h).
struct PatternFile {
  std::string file;
  double resolution = 0.02;
  Vec3 rotation = Vec3::Zero();
  Vec3 translation = Vec3::Zero();

  std::shared_ptr<const PatternMesh> made;  ///< not a field, as MeshFile::mesh: what the file became

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("file", self.file,
          {"pattern in GarmentCode's format (.json), relative to the scene and below its folder"});
    visit("resolution", self.resolution, {"length of the mesh's edges", "m", Range::positive()});
    visit("rotation", self.rotation,
          {"rotation about x, then y, then z through the origin, of the panels as the pattern places them",
           "deg"});
    visit("translation", self.translation, {"displacement after rotation", "m"});
  }
};

/// One side of a seam: a chain of vertices on the border of a cloth.
struct SeamSide {
  std::optional<std::string> panel;
  std::optional<int> edge;
  std::vector<int> vertices;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("panel", self.panel, {"the panel of the pattern whose edge it is"});
    visit("edge", self.edge, {"the number of the edge in the panel, from 0", "", Range::between(0, 1e9)});
    visit("vertices", self.vertices,
          {"vertices of the cloth in place of panel and edge: one after another along a border, or its first "
           "and last alone, which it leads to with the front of the cloth on its left"});
  }
};

/// Two borders of a cloth that are drawn together until they are one.
struct Seam {
  std::string name = "seam";
  SeamSide a;  ///< one border
  SeamSide b;  ///< the other
  bool reversed = true;
  double start = 0;
  double speed = 0.5;
  double stiffness = 3000;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("name", self.name, {"name in messages"});
    visit("a", self.a, {"one side"});
    visit("b", self.b, {"the other, with as many vertices"});
    visit("reversed", self.reversed,
          {"the first vertex of a meets the last of b, as where both have the cloth on their left; of a "
           "panel's "
           "edges, as the panel's loop goes"});
    visit("start", self.start, {"when it begins to close", "s", Range::not_negative()});
    visit("speed", self.speed, {"how fast its stitches shorten", "m/s", Range::positive()});
    visit("stiffness", self.stiffness,
          {"stiffness of its stitches while it is open, a metre of seam: force per length and stretch",
           "N/m^2", Range::positive()});
  }
};

/// How garments get onto a body: it is drawn in to thin limbs while seams close, and grows back.
struct Dress {
  std::string body;
  double thin = 0.93;
  double sew = 1;
  double grow = 1;
  double damping = 5;
  double friction = 0.1;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("body", self.body, {"name of the collider, a closed mesh without frames"});
    visit(
        "thin", self.thin,
        {"how far it is drawn in to its medial axis, as a fraction of the way", "", Range::between(0, 0.99)});
    visit("sew", self.sew, {"time for the seams to close, without gravity", "s", Range::positive()});
    visit("grow", self.grow, {"time in which the body grows back after that", "s", Range::positive()});
    visit("damping", self.damping,
          {"rate at which velocities decay until then", "1/s", Range::not_negative()});
    visit("friction", self.friction,
          {"friction of the body and of cloth until then", "", Range::not_negative()});
  }
};

}  // namespace muslin
