#include "muslin/model/elements.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <set>

#include "muslin/geometry/sheet.h"
#include "muslin/model/measure.h"

namespace muslin {
namespace {

Model model_of(const Cloth& cloth) {
  Scene scene;
  scene.cloths = {cloth};
  return build_model(scene);
}

Cloth sheet(const std::array<int, 2>& points, const std::array<double, 2>& size) {
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = points;
  cloth.grid->size = size;
  return cloth;
}

Cloth cloth_of(const Mesh& mesh) {
  Cloth cloth;
  cloth.mesh = MeshFile();
  cloth.mesh->mesh = std::make_shared<const Mesh>(mesh);
  return cloth;
}

// --- membranes -------------------------------------------------------------------------------------

/// Energy per area of a homogeneous deformation of the plane y = 0: x by the warp's, z by the weft's stretch,
/// and a shear.
double energy_density(const Model& model, double area, double stretch_x, double stretch_z, double shear) {
  Mat3 deformation = Vec3(stretch_x, 1, stretch_z).asDiagonal();
  deformation(0, 2) = shear;
  const Mat3 turn = Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  return elastic_energy(model.energies, turn * deformation * model.start) / area;
}

Fabric woven() {
  Fabric fabric;
  fabric.warp = 400;
  fabric.weft = 250;
  fabric.shear = 600;  // springs could not
  fabric.poisson = 0.3;
  fabric.bend = 0.01;  // a flat sheet has none
  return fabric;
}

TEST(BaraffWitkin, HomogeneousStrainStoresTheFabricsEnergy) {
  Cloth cloth = sheet({9, 6}, {0.8, 0.3});
  cloth.fabric = woven();
  cloth.fabric.stiffening = 50;
  cloth.membrane = Membrane::baraff_witkin;
  const Model model = model_of(cloth);
  for (const double u : {0.8, 1.0, 1.3})
    for (const double v : {0.9, 1.2})
      for (const double s : {-0.2, 0.1}) {
        const double weft = std::hypot(v, s), shear = u * s;  // |f_v|, f_u·f_v
        const double warp_excess = std::max(0.0, u - 1), weft_excess = std::max(0.0, weft - 1);
        const double expected = 0.5 * 400 * (u - 1) * (u - 1) + 0.5 * 250 * (weft - 1) * (weft - 1) +
                                0.5 * 600 * shear * shear + 50.0 / 3 * 400 * std::pow(warp_excess, 3) +
                                50.0 / 3 * 250 * std::pow(weft_excess, 3);
        EXPECT_NEAR(energy_density(model, 0.24, u, v, s), expected, 1e-11 * (1 + expected));
      }
}

/// −c² t² ln(1 − t), c half of the limit, as long as t < 0.98.
double barrier_of_limit(double strain, double limit) {
  const double c = limit / 2, t = std::max(0.0, strain - c) / c;
  return -c * c * t * t * std::log(1 - t);
}

TEST(BaraffWitkin, StrainLimitsStoreTheirBarrier) {
  Cloth cloth = sheet({9, 6}, {0.8, 0.3});
  cloth.fabric = woven();
  cloth.membrane = Membrane::baraff_witkin;
  const Model free = model_of(cloth);
  cloth.fabric.strain_limit = 0.1;
  const Model limited = model_of(cloth);
  for (const double u : {0.8, 1.04, 1.07, 1.098})
    for (const double v : {0.9, 1.06}) {
      const double barrier = 400 * barrier_of_limit(u - 1, 0.1) + 250 * barrier_of_limit(v - 1, 0.1);
      const double more = energy_density(limited, 0.24, u, v, 0) - energy_density(free, 0.24, u, v, 0);
      EXPECT_NEAR(more, barrier, 1e-10 * (1 + barrier)) << u << ", " << v;
      const Mat3 stretch = Vec3(u, 1, v).asDiagonal();
      EXPECT_NEAR(*limit_ratio(limited, stretch * limited.start), std::max({0.0, u - 1, v - 1}) / 0.1, 1e-12);
    }
  EXPECT_FALSE(limit_ratio(free, free.start));

  cloth.acting.structural = false;  // no threads, no limit
  EXPECT_FALSE(limit_ratio(model_of(cloth), free.start));
}

TEST(StVK, HomogeneousStrainStoresTheFabricsEnergy) {
  Cloth cloth = sheet({9, 6}, {0.8, 0.3});
  cloth.fabric = woven();
  cloth.membrane = Membrane::stvk;
  const Model model = model_of(cloth);
  for (const double u : {0.8, 1.0, 1.3})
    for (const double v : {0.9, 1.2})
      for (const double s : {-0.2, 0.1}) {
        const double guu = (u * u - 1) / 2, gvv = (v * v + s * s - 1) / 2, shear = u * s;
        const double expected = 0.5 * (400 * guu * guu + 250 * gvv * gvv + 600 * shear * shear) +
                                0.3 * std::sqrt(400.0 * 250) * guu * gvv;
        EXPECT_NEAR(energy_density(model, 0.24, u, v, s), expected, 1e-11 * (1 + expected));
      }
}

// A sheet pulled along u while v is free narrows by ν times its stretch.
TEST(StVK, NarrowsByPoissonsRatio) {
  Cloth cloth = sheet({3, 3}, {1, 1});
  cloth.fabric = woven();
  cloth.fabric.weft = 400;
  cloth.membrane = Membrane::stvk;
  const Model model = model_of(cloth);
  const double e = 1e-5, step = 1e-7;
  const auto slope = [&](double narrowing) {
    return (energy_density(model, 1, 1 + e, 1 - narrowing + step, 0) -
            energy_density(model, 1, 1 + e, 1 - narrowing - step, 0)) /
           (2 * step);
  };
  const double s0 = slope(0), s1 = slope(e);
  EXPECT_NEAR(s0 / (s0 - s1), 0.3, 1e-3) << "the narrowing in parts of e at which the slope is zero";
}

TEST(WarpDirection, FollowsGridUvAndWorld) {
  // The world's x for a mesh without uv, in the plane of the triangle.
  Mesh mesh = make_sheet({3, 3}, Vec3::Zero(), Vec3(0.6, 0, 0.8), Vec3(-0.8, 0, 0.6), Diagonals::forward);
  const auto energies = [](const Cloth& cloth) {  // of 1 % along the grid's u, and along x, per area
    Cloth strong = cloth;
    strong.fabric = woven();
    strong.fabric.bend = 0;
    strong.membrane = Membrane::baraff_witkin;
    const Model model = model_of(strong);
    const auto stretched = [&](const Vec3& along) {
      const Points x = model.start + 0.01 * along * (along.transpose() * model.start);
      return elastic_energy(model.energies, x);
    };
    return std::pair{stretched(Vec3(0.6, 0, 0.8)), stretched(Vec3::UnitX())};
  };
  const double along_warp = 0.5 * 400 * 1e-4;
  EXPECT_NEAR(energies(cloth_of(mesh)).first, along_warp, 1e-12) << "uv of a sheet runs along u";

  Cloth grid = sheet({3, 3}, {1, 1});
  grid.grid->u = {0.6, 0, 0.8};
  grid.grid->v = {-0.8, 0, 0.6};
  EXPECT_NEAR(energies(grid).first, along_warp, 1e-12);

  for (Vec2& uv : mesh.uv)
    uv = Vec2(3 * uv.y(), -0.1 * uv.x());  // turned and out of scale: rest is in metres
  EXPECT_NEAR(energies(cloth_of(mesh)).first, 0.5 * 250 * 1e-4, 1e-12);

  mesh.uv.clear();
  EXPECT_NEAR(energies(cloth_of(mesh)).second, along_warp, 1e-12);
  EXPECT_EQ(model_of(cloth_of(mesh)).energies.springs.size(), 0)
      << "meshes are triangles unless told otherwise";
}

// --- bending ---------------------------------------------------------------------------------------

using Lift = std::function<double(double x, double z)>;

/// Bending energy per area of a mesh in the plane y = 0 whose vertices are lifted to `lift`, over the
/// triangles that have all neighbours.
double bending_density(const Cloth& cloth, const Lift& lift) {
  const Model model = model_of(cloth);
  Points x = model.start;
  for (Eigen::Index v = 0; v < x.cols(); ++v) x(1, v) += lift(x(0, v), x(2, v));
  double energy = 0, area = 0;
  const auto add = [&](const auto& bending) {
    for (int e = 0; e < bending.size(); ++e) {
      const PlateStencil& stencil = bending.vertices(e);
      if (std::set<int>(stencil.begin(), stencil.end()).size() < 6) continue;
      energy += bending[e].value(gather(x, stencil));
      area += triangle_area(model.start.col(stencil[0]), model.start.col(stencil[1]),
                            model.start.col(stencil[2]));
    }
  };
  add(model.energies.bending);
  add(model.energies.dihedral);
  return energy / area;
}

/// A sheet in the plane y = 0 cut by diagonals that all meet in every other vertex.
Mesh union_jack(int n, double size) {
  Mesh mesh =
      make_sheet({n, n}, Vec3::Zero(), size * Vec3::UnitX(), size * Vec3::UnitZ(), Diagonals::forward);
  mesh.triangles.clear();
  mesh.diagonals.clear();
  for (int j = 0; j + 1 < n; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int a = j * n + i, b = a + 1, c = a + n, d = c + 1;
      if (i % 2 == j % 2)
        mesh.triangles.insert(mesh.triangles.end(), {{a, b, d}, {a, d, c}});
      else
        mesh.triangles.insert(mesh.triangles.end(), {{b, c, a}, {d, c, b}});
    }
  return mesh;
}

Mesh equilateral(int n) {
  Mesh mesh;
  mesh.positions.resize(3, n * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      mesh.positions.col(j * n + i) = Vec3(i + 0.5 * (j % 2), 0, std::sqrt(0.75) * j);
  for (int j = 0; j + 1 < n; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int a = j * n + i, b = a + 1, c = a + n, d = c + 1;
      if (j % 2 == 0)
        mesh.triangles.insert(mesh.triangles.end(), {{a, c, b}, {b, c, d}});
      else
        mesh.triangles.insert(mesh.triangles.end(), {{a, d, b}, {a, c, d}});
    }
  return mesh;
}

struct Pattern {
  std::string name;
  Cloth cloth;
};
std::vector<Pattern> patterns() {
  Cloth forward = sheet({13, 13}, {1.2, 1.2}), alternating = forward, oblong = sheet({13, 13}, {1.2, 0.7});
  forward.grid->diagonals = Diagonals::forward;
  alternating.grid->diagonals = Diagonals::alternating;
  oblong.grid->diagonals = Diagonals::backward;
  std::vector<Pattern> all{{"forward", forward},
                           {"alternating", alternating},
                           {"oblong", oblong},
                           {"union jack", cloth_of(union_jack(13, 1.2))},
                           {"equilateral", cloth_of(equilateral(12))}};
  for (Pattern& pattern : all) {
    pattern.cloth.fabric.bend = 3e-4;
    pattern.cloth.fabric.bend_weft = 1e-4;
  }
  return all;
}

constexpr double kCurvature = 1e-3;  // [1/m], so small that angles are those of the linear plate

// Cylinders about the weft and the warp: D κ²/2 per area, whatever the pattern.
TEST(Plate, RigidityAlongTheWeaveIsTheFabrics) {
  for (auto [name, cloth] : patterns())
    for (const Bending bending : {Bending::quadratic, Bending::dihedral}) {
      cloth.bending = bending;
      const double per_rigidity = 0.5 * kCurvature * kCurvature;
      const auto about_weft = [](double x, double) { return 0.5 * kCurvature * x * x; };
      const auto about_warp = [](double, double z) { return 0.5 * kCurvature * z * z; };
      EXPECT_NEAR(bending_density(cloth, about_weft) / (3e-4 * per_rigidity), 1, 1e-3) << name;
      EXPECT_NEAR(bending_density(cloth, about_warp) / (1e-4 * per_rigidity), 1, 1e-3) << name;
    }
}

// A saddle y = κ x z twists: D/2 (2κ)²/2 = D κ² per area with D = √(D_warp D_weft). Where a triangle's flaps
// mirror each other, as on alternating diagonals, they also take it for a bend of κ along both axes.
TEST(Plate, TwistIsTheFabricsOnLattices) {
  const auto saddle = [](double x, double z) { return kCurvature * x * z; };
  const double twist = std::sqrt(3e-4 * 1e-4) * kCurvature * kCurvature;
  const double bend = 0.5 * (3e-4 + 1e-4) * kCurvature * kCurvature;
  for (const auto& [name, cloth] : patterns()) {
    const bool mirrored = name == "alternating" || name == "union jack";
    EXPECT_NEAR(bending_density(cloth, saddle) / (twist + (mirrored ? bend : 0)), 1, 1e-3) << name;
  }
}

// Along u where it has a direction; else along x, which is said.
TEST(Weave, TextureWithoutAreaIsTold) {
  const auto words = [](const std::function<Vec2(const Vec2&)>& texture, bool removed = false) {
    Mesh mesh = make_sheet({4, 3}, Vec3::Zero(), Vec3::UnitX(), Vec3::UnitZ(), Diagonals::forward);
    for (Vec2& uv : mesh.uv) uv = texture(uv);
    if (removed) mesh.uv.clear();
    Scene scene;
    scene.cloths.emplace_back().mesh.emplace();
    scene.cloths[0].mesh->mesh = std::make_shared<const Mesh>(mesh);
    const std::vector<std::string> warnings = build_model(scene).warnings;
    return warnings.empty() ? std::string() : warnings[0].substr(0, warnings[0].find(" have no area"));
  };
  EXPECT_EQ(words([](const Vec2& uv) { return Vec2(100 * uv.y(), -uv.x()); }), "");
  EXPECT_EQ(words([](const Vec2&) { return Vec2(0, 0); }, /*removed=*/true), "");
  const std::string all = "cloth \"cloth\": the texture coordinates of 12 of its 12 triangles";
  EXPECT_EQ(words([](const Vec2&) { return Vec2(0.5, 0.5); }), all);
  EXPECT_EQ(words([](const Vec2& uv) { return Vec2(uv.x(), 0.3); }), all);
  EXPECT_EQ(words([](const Vec2& uv) { return Vec2(std::max(uv.x(), 0.5), uv.y()); }),
            "cloth \"cloth\": the texture coordinates of 4 of its 12 triangles")
      << "a third has u = 1/2";
}

}  // namespace
}  // namespace muslin
