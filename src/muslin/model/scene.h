#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "muslin/core/types.h"
#include "muslin/energy/custom.h"
#include "muslin/geometry/mesh.h"
#include "muslin/geometry/sheet.h"
#include "muslin/model/cloth_part.h"
#include "muslin/model/colour.h"
#include "muslin/model/field.h"
#include "muslin/model/garment.h"
#include "muslin/model/settings.h"

// What a person writes: plain structs, SI units, y up. Physical numbers only, but for Scene::solver.

namespace muslin {

// --- motion ----------------------------------------------------------------------------------------

/// Where something is at one instant, relative to its place in the scene.
struct Keyframe {
  double time = 0;
  Vec3 offset = Vec3::Zero();
  Vec3 rotation = Vec3::Zero();

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("time", self.time, {"when", "s", Range::not_negative()});
    visit("offset", self.offset, {"displacement from the scene's place", "m"});
    visit("rotation", self.rotation, {"rotation about x, then y, then z through the centre", "deg"});
  }
};

/// Keyframes, straight between them and at rest outside, plus a sinusoidal swing.
struct Motion {
  std::vector<Keyframe> keyframes;
  Vec3 swing = Vec3::Zero();
  double period = 1;
  double phase = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("keyframes", self.keyframes, {"places at increasing times"});
    visit("swing", self.swing, {"amplitude of swing * sin(2 pi t / period + phase)", "m"});
    visit("period", self.period, {"period of the swing", "s", Range::positive()});
    visit("phase", self.phase, {"phase of the swing at time 0", "deg"});
  }
};

// --- cloth -----------------------------------------------------------------------------------------

template <>
struct EnumNames<Diagonals> {
  static constexpr std::array<std::string_view, 3> names{"forward", "backward", "alternating"};
};

/// A rectangular sheet. Vertex (i, j) has index j * points[0] + i and lies at
/// origin + u * size[0] * i/(points[0]-1) + v * size[1] * j/(points[1]-1); u is warp, v weft.
struct Grid {
  std::array<int, 2> points{33, 33};
  std::array<double, 2> size{1, 1};
  Vec3 origin = Vec3::Zero();
  Vec3 u = Vec3::UnitX();
  Vec3 v = Vec3::UnitZ();
  Diagonals diagonals = Diagonals::alternating;
  double jitter = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("points", self.points, {"vertices along u and v", "", Range::between(2, 1e9)});
    visit("size", self.size, {"lengths of the sheet along u and v", "m", Range::positive()});
    visit("origin", self.origin, {"place of vertex (0, 0)", "m"});
    visit("u", self.u, {"direction of the warp; its length is ignored"});
    visit("v", self.v, {"direction of the weft; its length is ignored"});
    visit("diagonals", self.diagonals, {"how cells are cut into triangles"});
    visit("jitter", self.jitter,
          {"largest random start offset along u x v, drawn from the seed", "m", Range::not_negative()});
  }
};

/// A mesh from a file below the scene's folder (model/mesh_files.h: which there are).
struct MeshFile {
  std::string file;
  double scale = 1;
  Vec3 rotation = Vec3::Zero();
  Vec3 translation = Vec3::Zero();
  std::optional<std::string> object;

  std::shared_ptr<const Mesh> mesh;  ///< not a field: read_scene loads it; a library user may bring their own

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit(
        "file", self.file,
        {"OBJ, PLY, GLB, glTF or USD file (.obj .ply .glb .gltf .usda), relative to the scene and below its "
         "folder"});
    visit("scale", self.scale,
          {"factor from the file's unit to metres; glTF and USD are read as metres with y up", "",
           Range::positive()});
    visit("rotation", self.rotation,
          {"rotation about x, then y, then z through the origin, after scaling", "deg"});
    visit("translation", self.translation, {"displacement after rotation", "m"});
    visit("object", self.object,
          {"the object of the file that is taken; absent: all, and of a cloth each is one of its own"});
  }
};

/// The mesh of a cloth.
struct ClothMesh : MeshFile {
  double merge = 0;
  std::optional<std::string> rest_mesh;

  std::shared_ptr<const Points> rest;  ///< not a field, as MeshFile::mesh: its vertices in rest_mesh, 3×n

  ClothMesh() = default;
  /// A cloth of a whole mesh, nothing of it merged.
  ClothMesh(MeshFile other) : MeshFile(std::move(other)) {}

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    MeshFile::fields(self, visit);
    visit("merge", self.merge,
          {"vertices nearer to each other than this are one, as seams are sewn; 0: none", "m",
           Range::not_negative()});
    visit(
        "rest_mesh", self.rest_mesh,
        {"mesh file with the same vertices and faces where they are without load, as a pattern lies flat; in "
         "the file's unit; absent: the mesh itself"});
  }
};

/// What cloth is made of: a preset, and every number that differs from it (`resolved`, model/fabrics.h).
struct Fabric {
  std::string preset = "plain";
  std::optional<double> density;
  std::optional<double> thickness;
  std::optional<double> warp;
  std::optional<double> weft;
  std::optional<double> shear;
  std::optional<double> bend;
  std::optional<double> bend_weft;
  std::optional<double> poisson;
  std::optional<double> stiffening;
  std::optional<double> strain_limit;
  std::optional<double> damping;
  std::optional<double> bend_damping;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("preset", self.preset,
          {"fabric that gives every number not written here: a name from `muslin list fabrics`"});
    visit("density", self.density,
          {"mass per area; not read where the cloth has a vertex_mass", "kg/m^2", Range::positive()});
    visit("thickness", self.thickness, {"thickness of the cloth", "m", Range::not_negative()});
    visit("warp", self.warp,
          {"membrane stiffness along u: tension per strain; this and all below: not read where the cloth has "
           "springs of its own",
           "N/m", Range::not_negative()});
    visit("weft", self.weft, {"membrane stiffness along v", "N/m", Range::not_negative()});
    visit("shear", self.shear,
          {"membrane shear stiffness: shear tension per shear angle", "N/m", Range::not_negative()});
    visit("bend", self.bend, {"bending rigidity of the plate, along u", "N m", Range::not_negative()});
    visit("bend_weft", self.bend_weft,
          {"bending rigidity along v; absent: that along u if it is given, else the preset's", "N m",
           Range::not_negative()});
    visit("poisson", self.poisson,
          {"Poisson's ratio: what a stretch along u takes from v (stvk only)", "", Range::between(0, 0.99)});
    visit("stiffening", self.stiffening,
          {"r: tension grows by r * strain^2 times the stiffness beyond rest (baraff_witkin only)", "",
           Range::not_negative()});
    visit("strain_limit", self.strain_limit,
          {"largest strain of warp and weft threads, 0.05 is 5 %; 0: no limit (baraff_witkin only)", "",
           Range::not_negative()});
    visit("damping", self.damping,
          {"material damping of the membrane: a strain rate weighs as much as strain / damping", "s",
           Range::not_negative()});
    visit("bend_damping", self.bend_damping, {"the same for bending", "s", Range::not_negative()});
  }
};

/// What resists stretch and shear.
enum class Membrane {
  springs,        ///< springs along the edges of cells, derived from the fabric
  baraff_witkin,  ///< triangles with warp, weft and shear conditions [Baraff 1998]
  stvk,           ///< triangles, St. Venant–Kirchhoff: linear in Green's strain, with Poisson's ratio
};
template <>
struct EnumNames<Membrane> {
  static constexpr std::array<std::string_view, 3> names{"springs", "baraff_witkin", "stvk"};
};

/// What resists bending. Both are calibrated to the plate's rigidity in N·m.
enum class Bending {
  quadratic,  ///< flat at rest, constant matrix [Bergou 2006]
  dihedral,   ///< angles between triangles, any rest shape [Grinspun 2003]
};
template <>
struct EnumNames<Bending> {
  static constexpr std::array<std::string_view, 2> names{"quadratic", "dihedral"};
};

/// Which pairs of vertices get springs.
enum class SpringLayout {
  edges,  ///< every edge of the triangle mesh, sorted by (low, high) vertex; bend: the tips of each hinge
  cross,  ///< grids: left and up; both diagonals; two left and two up (CS184)
  double_cross,  ///< grids: cross, and the diagonals of distance two (Mosegaard, in his order)
};
template <>
struct EnumNames<SpringLayout> {
  static constexpr std::array<std::string_view, 3> names{"edges", "cross", "double_cross"};
};

/// Springs given one by one in N/m, as mass–spring exercises do, in place of the fabric's membrane, bending
/// and damping. A class without a number has no springs; 0 gives springs that only sweeps and limits act
/// upon.
struct Springs {
  SpringLayout layout = SpringLayout::cross;
  std::optional<double> structural;
  std::optional<double> shear;
  std::optional<double> bend;
  double damping = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("layout", self.layout, {"which pairs of vertices get springs; cross and double_cross need a grid"});
    visit("structural", self.structural,
          {"stiffness of each structural spring", "N/m", Range::not_negative()});
    visit("shear", self.shear, {"stiffness of each shear spring", "N/m", Range::not_negative()});
    visit("bend", self.bend, {"stiffness of each bend spring", "N/m", Range::not_negative()});
    visit("damping", self.damping,
          {"material damping of all springs, in place of the fabric's", "s", Range::not_negative()});
  }
};

/// What of a cloth acts. Springs of a class that does not are left out altogether, as if they were cut;
/// triangles lose the stiffness.
struct Acting {
  bool structural = true;
  bool shear = true;
  bool bend = true;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("structural", self.structural, {"structural springs; warp and weft of triangles"});
    visit("shear", self.shear, {"shear springs; shear of triangles"});
    visit("bend", self.bend, {"bend springs; bending of the fabric"});
  }
};

/// A border of a grid.
enum class Side { u_min, u_max, v_min, v_max };
template <>
struct EnumNames<Side> {
  static constexpr std::array<std::string_view, 4> names{"u_min", "u_max", "v_min", "v_max"};
};

/// Vertices held in one, two or three directions: all that any of the first keys names.
struct Pin : ClothPart {
  std::vector<int> vertices;
  std::vector<std::array<int, 2>> grid;
  std::vector<Side> sides;
  std::string axes = "xyz";
  Motion motion;
  Vec3 center = Vec3::Zero();
  std::optional<std::string> follow;
  std::optional<double> strength;
  std::optional<double> since;
  std::optional<double> until;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("vertices", self.vertices, {"vertex numbers of the cloth"});
    visit("grid", self.grid,
          {"grid points [i, j]; -1 is the last of a row or column", "", Range::between(-1e9, 1e9)});
    visit("sides", self.sides, {"whole borders of a grid: u_min is i = 0, v_max the last j"});
    ClothPart::fields(self, visit);
    visit("axes", self.axes, {"held directions: any of x, y, z"});
    visit("motion", self.motion, {"how the pins move; only pins of all three axes turn"});
    visit("center", self.center, {"what rotations of the motion turn about", "m"});
    visit("follow", self.follow,
          {"name of a collider that carries the vertices, each in the frame of what is nearest to it; or of "
           "another cloth, which takes a strength"});
    visit("strength", self.strength,
          {"stiffness of a spring that draws each vertex to its place; absent: it is held there", "N/m",
           Range::positive()});
    visit("since", self.since,
          {"the pin acts in frames that begin then or later; it takes vertices where they are; absent: from "
           "the start",
           "s", Range::not_negative()});
    visit("until", self.until,
          {"in frames that begin then or later it lets go; absent: never", "s", Range::positive()});
  }
};

/// What a part of a cloth is made of, in place of the cloth's own; of several that name a triangle the last
/// counts. A triangle is in a part if all its corners are.
struct FabricRegion : ClothPart {
  std::optional<Fabric> fabric;
  std::optional<double> friction;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    ClothPart::fields(self, visit);
    visit("fabric", self.fabric, {"what it is made of; absent: what the cloth is made of"});
    visit("friction", self.friction,
          {"friction coefficient of it with anything; absent: that of colliders and of self_collision", "",
           Range::not_negative()});
  }
};

/// One piece of cloth: a grid or a mesh, a fabric, pins.
struct Cloth {
  std::string name = "cloth";
  std::optional<Grid> grid;
  std::optional<ClothMesh> mesh;
  std::optional<PatternFile> pattern;
  Fabric fabric;
  std::vector<FabricRegion> regions;
  std::optional<Membrane> membrane;
  std::optional<Bending> bending;
  std::optional<double> vertex_mass;
  std::optional<Springs> springs;
  Acting acting;
  std::vector<Pin> pins;
  std::vector<Seam> seams;
  Vec3 velocity = Vec3::Zero();
  std::optional<Colour> colour;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("name", self.name, {"name in frames and messages"});
    visit("grid", self.grid, {"a rectangular sheet (either grid or mesh)"});
    if (!self.pattern)  // which makes the mesh
      visit("mesh", self.mesh, {"a mesh from a file (either grid or mesh)"});
    visit("pattern", self.pattern, {"a sewing pattern, in place of grid and mesh; its stitches are seams"});
    visit("fabric", self.fabric, {"what it is made of"});
    visit("regions", self.regions, {"parts that are made of something else"});
    visit("membrane", self.membrane,
          {"elements that resist stretch and shear; absent: springs on grids, baraff_witkin on meshes"});
    visit("bending", self.bending,
          {"elements that resist bending; absent: quadratic where the cloth is flat at rest, dihedral "
           "elsewhere"});
    visit("vertex_mass", self.vertex_mass,
          {"mass of every vertex, in place of the fabric's density", "kg", Range::positive()});
    visit("springs", self.springs,
          {"spring constants one by one, in place of the fabric's stiffness and damping"});
    visit("acting", self.acting, {"which classes of springs, and what of the fabric, act"});
    visit("pins", self.pins, {"held vertices"});
    visit("seams", self.seams, {"borders that are sewn together; of a pattern, beyond its own stitches"});
    visit("velocity", self.velocity, {"initial velocity", "m/s"});
    visit("colour", self.colour,
          {"colour in pictures and exports, sRGB as \"#rrggbb\"; absent: by the mesh's materials, or the "
           "next dye"});
  }
};

// --- what cloth meets ------------------------------------------------------------------------------

/// The one list of shapes that colliders have. Each describes itself by a function NAME_shape()
/// (model/collider_shape.h): without one the program does not link. The audit judges every shape by
/// mathematics of its own (audit/solids.cpp): without it the program does not compile.
#define MUSLIN_COLLIDER_SHAPES(SHAPE) \
  SHAPE(sphere) SHAPE(plane) SHAPE(box) SHAPE(capsule) SHAPE(cylinder) SHAPE(mesh)

#define MUSLIN_VALUE(name) name,
/// What shape a collider has: sphere, plane, box, capsule, cylinder or mesh.
enum class Shape { MUSLIN_COLLIDER_SHAPES(MUSLIN_VALUE) };
#undef MUSLIN_VALUE
template <>
struct EnumNames<Shape> {
#define MUSLIN_NAME(name) #name,
  static constexpr auto names = std::to_array<std::string_view>({MUSLIN_COLLIDER_SHAPES(MUSLIN_NAME)});
#undef MUSLIN_NAME
};

/// The shapes that a mesh takes one after another: its vertices in numbered mesh files, in one point cache
/// (PC2), or as an animation of a GLB or glTF file moves them. Straight between two of them, at rest before
/// the first and after the last.
struct MeshFrames {
  std::string file;
  int first = 0;
  int count = 1;
  double start = 0;
  double interval = 1.0 / 24;
  std::optional<std::string> animation;
  std::optional<double> speed;

  std::shared_ptr<const std::vector<Points>> shapes;  ///< not a field, as MeshFile::mesh; each 3×n

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("file", self.file,
          {"mesh files, as body_%04d.obj, one PC2 file, or one GLB or glTF file with animations; relative to "
           "the scene and below its folder"});
    visit("first", self.first, {"number of the first mesh file", "", Range::between(0, kMostMeshFrames)});
    visit("count", self.count,
          {"how many mesh files; a PC2 file knows how many frames it has", "",
           Range::between(1, kMostMeshFrames)});
    visit("start", self.start, {"time of the first frame", "s"});
    visit("interval", self.interval,
          {"time between two frames; of an animation it becomes the scene's frame_time", "s",
           Range::positive()});
    visit("animation", self.animation, {"name of the animation of a GLB or glTF file; absent: its first"});
    visit("speed", self.speed,
          {"how fast the animation goes: 2 is twice as fast; absent: 1", "", Range::positive()});
  }

  static constexpr int kMostMeshFrames = 100'000;  ///< most files, as of a slip of the pen
};

/// How a collider holds back sliding cloth.
enum class FrictionLaw {
  coulomb,  ///< tangential slip shortened by at most friction × depth
  cs184,    ///< the whole displacement of the step is scaled by 1 − friction; planes act on both sides
};
template <>
struct EnumNames<FrictionLaw> {
  static constexpr std::array<std::string_view, 2> names{"coulomb", "cs184"};
};

/// A solid that cloth cannot enter.
struct Collider {
  std::string name = "collider";
  bool enabled = true;
  Shape shape = Shape::sphere;
  Vec3 center = Vec3::Zero();
  Vec3 axis = Vec3::UnitY();
  double radius = 0.5;
  double length = 1;
  Vec3 size = Vec3::Ones();
  Vec3 rotation = Vec3::Zero();
  std::optional<MeshFile> mesh;
  std::optional<MeshFrames> frames;
  double margin = 0;
  double friction = 0.3;
  FrictionLaw friction_law = FrictionLaw::coulomb;
  Motion motion;
  std::optional<Colour> colour;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("name", self.name, {"name in messages"});
    visit("enabled", self.enabled, {"false: as if it were not there"});
    visit("shape", self.shape, {"what it is; meshes that are not closed are met by quasi_newton only"});
    visit("center", self.center, {"centre; of a plane: any point of it", "m"});
    visit("axis", self.axis, {"axis of a capsule or cylinder, normal of a plane; its length is ignored"});
    visit("radius", self.radius, {"radius of a sphere, capsule or cylinder", "m", Range::positive()});
    visit("length", self.length,
          {"distance of the end centres of a capsule; height of a cylinder", "m", Range::positive()});
    visit("size", self.size, {"edge lengths of a box", "m", Range::positive()});
    visit("rotation", self.rotation, {"rotation about x, then y, then z through the centre", "deg"});
    visit("mesh", self.mesh, {"the surface of a mesh, in a frame whose origin is the centre"});
    visit("frames", self.frames, {"how the mesh deforms; absent: not at all"});
    visit("margin", self.margin,
          {"distance kept from the surface beyond half the cloth's thickness", "m", Range::not_negative()});
    visit("friction", self.friction, {"friction coefficient", "", Range::not_negative()});
    visit("friction_law", self.friction_law, {"coulomb or cs184"});
    visit("motion", self.motion, {"how it moves"});
    visit("colour", self.colour,
          {"colour in pictures and exports, sRGB as \"#rrggbb\"; absent: by the mesh's materials, or clay"});
  }
};

/// How air pushes triangles.
enum class WindLaw {
  aerodynamic,  ///< drag and lift from the velocity relative to the air
  mosegaard,    ///< every vertex of a triangle of area A and normal n gets 2 A n (n·pressure)
};
template <>
struct EnumNames<WindLaw> {
  static constexpr std::array<std::string_view, 2> names{"aerodynamic", "mosegaard"};
};

/// The air about the cloth. Without density, as by default, it acts only by the pressure of the mosegaard
/// law.
struct Wind {
  WindLaw law = WindLaw::aerodynamic;
  Vec3 velocity = Vec3::Zero();
  double air_density = 0;
  double drag = 1.2;
  double lift = 0.6;
  double gust = 0;
  double gust_length = 1;
  Vec3 pressure = Vec3::Zero();

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("law", self.law, {"aerodynamic or mosegaard"});
    visit("velocity", self.velocity, {"mean velocity of the air", "m/s"});
    visit("air_density", self.air_density,
          {"density of the air, 1.2 at room temperature; 0: no air", "kg/m^3", Range::not_negative()});
    visit("drag", self.drag, {"drag coefficient of a plate across the flow", "", Range::not_negative()});
    visit("lift", self.lift, {"lift coefficient", "", Range::not_negative()});
    visit("gust", self.gust,
          {"root mean square of the gusts, drawn from the seed", "m/s", Range::not_negative()});
    visit("gust_length", self.gust_length, {"length of the largest gusts", "m", Range::positive()});
    visit("pressure", self.pressure, {"pressure vector of the mosegaard law", "Pa"});
  }
};

/// Cloth against cloth. quasi_newton lets nothing through, and position none of it through cloth if its
/// contact is of pairs; otherwise vertices push each other apart.
struct SelfCollision {
  bool enabled = false;
  std::optional<double> distance;
  double friction = 0.3;
  double relaxation = 0.5;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("enabled", self.enabled, {"cloth keeps from cloth"});
    visit("distance", self.distance,
          {"distance kept; absent: the thickness of the cloth", "m", Range::positive()});
    visit("friction", self.friction,
          {"friction coefficient of cloth on cloth, where contact is of pairs", "", Range::not_negative()});
    visit("relaxation", self.relaxation,
          {"fraction of the mean correction applied in a substep, where contact is of vertices", "",
           Range::between(0, 1)});
  }
};

// --- the whole -------------------------------------------------------------------------------------

/// Elements of an energy from outside (energy/custom.h).
struct CustomElements {
  std::shared_ptr<const CustomEnergy> energy;  ///< their mathematics; not null
  /// The 1 to 4 vertices of every element, as Simulation::positions() numbers them.
  std::vector<std::vector<int>> stencils;
};

/// All that a person says of a run: what there is, what acts on it, and how it is solved.
struct Scene {
  std::string name = "scene";
  double frame_time = 1.0 / 60;
  int frames = 120;
  std::uint64_t seed = 1;
  Vec3 gravity{0, -9.81, 0};
  double damping = 0;
  Wind wind;
  std::vector<Cloth> cloths;
  std::vector<Collider> colliders;
  SelfCollision self_collision;
  std::optional<Dress> dress;
  std::optional<Colour> background;
  SolverSettings solver;

  std::vector<CustomElements> energies;  ///< not a field: a file cannot hold functions

  std::string folder;  ///< where mesh files are looked for; not a field: the reader sets it

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("name", self.name, {"title of the scene"});
    visit("frame_time", self.frame_time, {"time between two frames", "s", Range::positive()});
    visit("frames", self.frames, {"frames a run makes unless told otherwise", "", Range::between(0, 1e7)});
    visit("seed", self.seed, {"seed of every random number"});
    visit("gravity", self.gravity, {"acceleration of free fall", "m/s^2"});
    visit("damping", self.damping, {"rate at which velocities decay", "1/s", Range::not_negative()});
    visit("wind", self.wind, {"the air"});
    visit("cloths", self.cloths, {"pieces of cloth"});
    visit("colliders", self.colliders, {"solids that cloth cannot enter"});
    visit("self_collision", self.self_collision, {"cloth against itself"});
    visit("dress", self.dress, {"how sewn garments get onto a body; absent: they do not"});
    visit("background", self.background,
          {"colour behind everything in pictures, sRGB as \"#rrggbb\"; absent: pale paper"});
    visit("solver", self.solver, {"numerical settings"});
  }
};

/// What is wrong with a value, at a JSON pointer into the scene.
struct Problem {
  std::string path;     ///< "/cloths/0/pins/1/vertices"
  std::string message;  ///< "vertex 12 of 9"
};

/// Everything that ranges of single fields cannot say: a cloth is a grid or a mesh, pins lie on it, sizes are
/// payable … Empty if the scene can be built.
std::vector<Problem> find_problems(const Scene& scene);

/// Most vertices and elements a scene may ask for.
inline constexpr int kMaxVertices = 4'000'000;

}  // namespace muslin
