#include "muslin/model/fabrics.h"

#include <string_view>

namespace muslin {

namespace {

constexpr const char* kIsotropicSource =
    "isotropic, Codimensional IPC (Li 2021) table of fabrics: density, thickness, E, nu measured by Penava "
    "et al. 2014";
constexpr const char* kWangSource =
    "anisotropic, Wang, O'Brien, Ramamoorthi 2011 as published with ARCSim: first row of stretching (times "
    "2), first bending value";

// E [Pa], h [m] and ν of a plate: tension per strain, shear stiffness and rigidity follow.
FabricPreset plate(const char* name, double volume_density, double thickness, double youngs_modulus,
                   double poisson) {
  const double membrane = youngs_modulus * thickness / (1 - poisson * poisson);
  Fabric fabric;
  fabric.preset = name;
  fabric.density = volume_density * thickness;
  fabric.thickness = thickness;
  fabric.warp = fabric.weft = membrane;
  fabric.shear = youngs_modulus * thickness / (2 * (1 + poisson));
  fabric.bend = membrane * thickness * thickness / 12;
  return {fabric, kIsotropicSource};
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
  return {fabric, kWangSource};
}

}  // namespace

const std::vector<FabricPreset>& fabrics() {
  static const std::vector<FabricPreset> presets{
      plate("cotton", 472.6, 0.318e-3, 0.821e6, 0.243),
      plate("wool", 413.4, 0.568e-3, 0.170e6, 0.277),
      plate("wool_lycra", 543.3, 0.328e-3, 0.076e6, 0.071),
      plate("polyester", 653.2, 0.252e-3, 0.478e6, 0.381),
      woven("denim", 0.324, 205, 1014, 53, 6.4e-5),
      woven("royal_target", 0.220, 2017, 2035, 105, 1.25e-4),
      woven("white_dots", 0.128, 2002, 2027, 19, 5.2e-5),
      woven("gray_interlock", 0.187, 17, 34, 37, 2.3e-5),
      woven("camel", 0.284, 31, 44, 32, 3.6e-5),
      woven("ivory", 0.276, 43, 65, 83, 4.6e-5),
      woven("pink", 0.228, 152, 245, 30, 1.2e-4),
      woven("tango", 0.113, 43, 171, 14, 1.4e-5),
      woven("swim", 0.204, 48, 105, 61, 6.0e-5),
  };
  return presets;
}

const FabricPreset* find_fabric(const std::string& name) {
  for (const FabricPreset& preset : fabrics())
    if (preset.fabric.preset == name) return &preset;
  return nullptr;
}

}  // namespace muslin
