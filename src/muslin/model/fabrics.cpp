#include "muslin/model/fabrics.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "muslin/core/check.h"
#include "muslin/core/maths.h"
#include "muslin/core/text.h"
#include "muslin/model/same_fields.h"

namespace muslin {

namespace {

// No source below measures damping as a time. These make waves of 10 cm lose a tenth to a fifth of their
// energy per radian; the hysteresis of wool suiting in Kawabata's bending test (2HB/B = 0.46/cm) takes 0.15
// at a curvature of 2/cm.
constexpr double kDamping = 5e-5, kBendDamping = 5e-3;  // [s]
constexpr double kGravity = 9.81;                       // [m/s²]

constexpr const char* kIsotropicSource =
    "isotropic, Codimensional IPC (Li 2021) table of fabrics: density, thickness, E, nu measured by Penava "
    "et al. 2014";
constexpr const char* kPlateBending = "; bending of a solid plate of these, limper than cloth is";
// Cantilever tests of 618 fabrics [Feng 2022] give, by weight, the median bending lengths below; which fibres
// they are of is not published. No bending test of the very fabrics of Penava et al. is known to us.
constexpr const char* kCottonBending =
    "; bending length 20 mm: handbooks give shirting 17 to 22, cantilever tests of 17 fabrics of 0.14 to "
    "0.16 "
    "kg/m^2 17 to 25 (middle half, Feng et al. 2022)";
constexpr const char* kWoolBending =
    "; bending length 18 mm: median of 22 fabrics of 0.22 to 0.25 kg/m^2 in cantilever tests, Feng et al. "
    "2022 "
    "(middle half 13 to 23 mm); mean of men's suitings in the KES test 17 mm, Kawabata 1980";
constexpr const char* kLightBending =
    "; bending length 17 mm: median of 16 fabrics of 0.16 to 0.19 kg/m^2 in cantilever tests, Feng et al. "
    "2022 "
    "(middle half 13 to 26 mm)";
constexpr const char* kSilkSource =
    "crepe de chine by common values, not one fabric: 60 g/m^2, bending length 13 mm (handbooks: 13 to 18), "
    "shear "
    "0.3 gf/(cm deg) (KES tests of silk: 0.2 to 0.4); warp and weft of the silk fitted by Clyde, Teran, "
    "Tamstorf "
    "2017";
constexpr const char* kClydeSource =
    "orthotropic, fitted by Clyde, Teran, Tamstorf 2017 and published with Codimensional IPC (Li 2021): "
    "density, "
    "thickness, a11, a12, a22, G12 at rest; bending from G12 as there";
constexpr const char* kWangSource =
    "anisotropic, Wang, O'Brien, Ramamoorthi 2011 as published with ARCSim: first row of stretching (times "
    "2), first bending value";
constexpr const char* kArcsimSource =
    "published with ARCSim: density, stretching, bending; thickness of a plate with these, nu 0.3 taken";

// Gives what the numbers above leave open.
FabricPreset completed(Fabric fabric, const std::string& source) {
  fabric.bend_weft = fabric.bend_weft.value_or(*fabric.bend);
  fabric.poisson = fabric.poisson.value_or(0);
  fabric.stiffening = fabric.strain_limit = 0;
  fabric.damping = kDamping;
  fabric.bend_damping = kBendDamping;
  return {fabric, source + "; damping: a common value, not measured"};
}

/// Density ρ [kg/m³], thickness h [m], E [Pa] and ν of cloth in its plane.
struct Plane {
  double volume_density, thickness, youngs_modulus, poisson;
};
constexpr Plane kCotton{472.6, 0.318e-3, 0.821e6, 0.243};
constexpr Plane kWool{413.4, 0.568e-3, 0.170e6, 0.277};
constexpr Plane kWoolLycra{543.3, 0.328e-3, 0.076e6, 0.071};
constexpr Plane kPolyester{653.2, 0.252e-3, 0.478e6, 0.381};

// Tension per strain and shear stiffness of a plane, and the rigidity of a solid plate of it.
Fabric fabric_of(const char* name, const Plane& plane) {
  const auto [volume_density, thickness, youngs_modulus, poisson] = plane;
  const double membrane = youngs_modulus * thickness / (1 - poisson * poisson);
  Fabric fabric;
  fabric.preset = name;
  fabric.density = volume_density * thickness;
  fabric.thickness = thickness;
  fabric.warp = fabric.weft = membrane;
  fabric.shear = youngs_modulus * thickness / (2 * (1 + poisson));
  fabric.poisson = poisson;
  fabric.bend = membrane * thickness * thickness / 12;
  return fabric;
}

FabricPreset plate(const char* name, const Plane& plane) {
  return completed(fabric_of(name, plane), std::string(kIsotropicSource) + kPlateBending);
}

// Woven cloth does not bend as a plate of its own modulus would: its threads slide. So bending comes from a
// cantilever test, as a bending length [m].
FabricPreset cloth(const char* name, const Plane& plane, double bending_length, const char* source) {
  Fabric fabric = fabric_of(name, plane);
  fabric.bend = *fabric.density * kGravity * maths::cube(bending_length);
  return completed(fabric, std::string(kIsotropicSource) + source);
}

// The published silk of 15 g/m² is so stiff in shear for its weight that it stands out like paper.
FabricPreset silk() {
  Fabric fabric;
  fabric.preset = "silk";
  fabric.density = 0.06;
  fabric.thickness = 0.0002;
  fabric.warp = 774;
  fabric.weft = 1790;
  fabric.shear = 17;
  fabric.bend = *fabric.density * kGravity * maths::cube(0.013);
  return completed(fabric, kSilkSource);
}

// The energy per volume is a₁₁/2 E_uu² + a₁₂ E_uu E_vv + a₂₂/2 E_vv² + G₁₂ E_uv² with moduli in Pa.
FabricPreset fitted(const char* name, double volume_density, double thickness,
                    const std::array<double, 4>& moduli) {
  const auto [a11, a12, a22, g12] = moduli;
  Fabric fabric;
  fabric.preset = name;
  fabric.density = volume_density * thickness;
  fabric.thickness = thickness;
  fabric.warp = a11 * thickness;
  fabric.weft = a22 * thickness;
  fabric.poisson = a12 / std::sqrt(a11 * a22);
  fabric.shear = g12 * thickness / 2;
  fabric.bend = g12 * maths::cube(thickness) / 12;
  return completed(fabric, kClydeSource);
}

// k00, k11, k_shear of the measured strain table at rest: stresses there are σ_uu = 2 k00 ε_uu, σ_uv =
// k_shear ε_uv, and the shear angle is 2 ε_uv.
FabricPreset woven(const char* name, double density, double k00, double k11, double k_shear, double bend) {
  Fabric fabric;
  fabric.preset = name;
  fabric.density = density;
  fabric.thickness = 0.0005;  // not given by the source: a common value
  fabric.warp = 2 * k00;
  fabric.weft = 2 * k11;
  fabric.shear = k_shear / 2;
  fabric.bend = bend;
  return completed(fabric, kWangSource);
}

// Tension per strain [N/m] and rigidity [N·m] of an isotropic plate, whose thickness follows: D = k h²/12.
FabricPreset foil(const char* name, double density, double membrane, double bend) {
  Fabric fabric;
  fabric.preset = name;
  fabric.density = density;
  fabric.thickness = std::sqrt(12 * bend / membrane);
  fabric.warp = fabric.weft = membrane;
  fabric.poisson = 0.3;
  fabric.shear = membrane * (1 - *fabric.poisson) / 2;
  fabric.bend = bend;
  return completed(fabric, kArcsimSource);
}

// What a cloth is that nobody describes.
FabricPreset plain() {
  Fabric fabric;
  fabric.preset = Fabric().preset;
  fabric.density = 0.15;
  fabric.thickness = 0.00032;
  fabric.warp = fabric.weft = 277;
  fabric.shear = 105;
  fabric.bend = fabric.bend_weft = 2.3e-6;
  fabric.poisson = fabric.stiffening = fabric.strain_limit = 0;
  fabric.damping = fabric.bend_damping = 0;
  return {
      fabric,
      "round numbers near those of cotton_plate, limper than cloth is, without damping and Poisson's ratio"};
}

// Measured by bench/cusick [%], each on the finest mesh that docs/fabrics.md names for it; silk let down on
// 5153 vertices.
std::vector<FabricPreset> hung(std::vector<FabricPreset> presets) {
  const std::map<std::string_view, double> drapes{
      {"cotton", 68.1},
      {"wool", 54.9},
      {"wool_lycra", 45.1},
      {"polyester", 54.9},
      {"silk", 34.7},
      {"cotton_plate", 28.8},
      {"wool_plate", 23.3},
      {"wool_lycra_plate", 7.4},
      {"polyester_plate", 12.5},
      {"silk_plate", 52.8},
      {"cotton_light", 59.2},
      {"wool_coat", 75.6},
      {"canvas", 79.0},
      {"denim_stiff", 91.0},
      {"denim", 79.5},
      {"royal_target", 94.4},
      {"white_dots", 89.5},
      {"gray_interlock", 65.8},
      {"navy", 78.9},
      {"camel", 65.6},
      {"ivory", 74.3},
      {"pink", 92.7},
      {"tango", 68.5},
      {"swim", 84.4},
      {"paper", 99.9},
      {"aluminium_foil", 99.7},
      {"plain", 28.7},
  };
  for (FabricPreset& preset : presets)
    if (const auto drape = drapes.find(preset.fabric.preset); drape != drapes.end())
      preset.drape = drape->second;
  return presets;
}

}  // namespace

const std::vector<FabricPreset>& fabrics() {
  static const std::vector<FabricPreset> presets = hung({
      cloth("cotton", kCotton, 0.020, kCottonBending),
      cloth("wool", kWool, 0.018, kWoolBending),
      cloth("wool_lycra", kWoolLycra, 0.017, kLightBending),
      cloth("polyester", kPolyester, 0.017, kLightBending),
      silk(),
      plate("cotton_plate", kCotton),
      plate("wool_plate", kWool),
      plate("wool_lycra_plate", kWoolLycra),
      plate("polyester_plate", kPolyester),
      fitted("silk_plate", 83, 0.18e-3, {4.3e6, 4.971e6, 9.942e6, 0.57e6}),
      fitted("cotton_light", 103.6, 0.18e-3, {15.557e6, 7.779e6, 25.004e6, 1.076e6}),
      fitted("wool_coat", 480.6, 1.28e-3, {2.29e6, 1.145e6, 2.219e6, 0.371e6}),
      fitted("canvas", 294, 0.53e-3, {5.366e6, 2.683e6, 19.804e6, 2.009e6}),
      fitted("denim_stiff", 400, 0.66e-3, {4.793e6, 4.515e6, 9.029e6, 2.448e6}),
      woven("denim", 0.324, 205, 1014, 53, 6.4e-5),
      woven("royal_target", 0.220, 2017, 2035, 105, 1.25e-4),
      woven("white_dots", 0.128, 2002, 2027, 19, 5.2e-5),
      woven("gray_interlock", 0.187, 17, 34, 37, 2.3e-5),
      woven("navy", 0.224, 12, 3, 18, 5.9e-5),
      woven("camel", 0.284, 31, 44, 32, 3.6e-5),
      woven("ivory", 0.276, 43, 65, 83, 4.6e-5),
      woven("pink", 0.228, 152, 245, 30, 1.2e-4),
      woven("tango", 0.113, 43, 171, 14, 1.4e-5),
      woven("swim", 0.204, 48, 105, 61, 6.0e-5),
      foil("paper", 0.1, 5e5, 4e-4),
      foil("aluminium_foil", 0.071, 1.8e6, 9.6e-5),
      plain(),
  });
  return presets;
}

double bending_length(const Fabric& fabric) {
  const double rigidity = std::sqrt(*fabric.bend * fabric.bend_weft.value_or(*fabric.bend));
  return maths::cbrt(rigidity / (*fabric.density * kGravity));
}

const FabricPreset* find_fabric(const std::string& name) {
  for (const FabricPreset& preset : fabrics())
    if (preset.fabric.preset == name) return &preset;
  return nullptr;
}

Fabric resolved(const Fabric& fabric) {
  const FabricPreset* preset = find_fabric(fabric.preset);
  if (!preset) {
    std::vector<std::string_view> names;
    for (const FabricPreset& known : fabrics()) names.push_back(known.fabric.preset);
    const std::string near = nearest_name(fabric.preset, names);
    throw Error(ErrorKind::invalid,
                fmt::format("unknown fabric \"{}\"{}", fabric.preset,
                            near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
  }
  Fabric all = preset->fabric;
  each_field_of_both(all, fabric, []<class T>(std::string_view, T& member, const T& given) {
    if constexpr (requires { given.has_value(); })
      if (given) member = given;
  });
  if (fabric.bend && !fabric.bend_weft) all.bend_weft = fabric.bend;
  return all;
}

Scene resolved(Scene scene) {
  for (Cloth& cloth : scene.cloths) {
    cloth.fabric = resolved(cloth.fabric);
    for (FabricRegion& region : cloth.regions)
      if (region.fabric) region.fabric = resolved(*region.fabric);
  }
  return scene;
}

}  // namespace muslin
