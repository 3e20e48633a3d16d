#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "muslin/geometry/mesh.h"
#include "muslin/model/scene.h"

// Cusick's drape test [Cusick 1968; ISO 9073-9]: a disc of cloth, held flat on a smaller disc, hangs down
// around it. Its shadow from above, less the support's and as a fraction of the flat ring's, is the drape
// coefficient. docs/fabrics.md

namespace muslin {

/// A disc that hangs at rest.
struct DrapedDisc {
  std::shared_ptr<const Mesh> disc;  ///< flat
  Points positions;                  ///< at rest [m], as the mesh numbers them
  double coefficient = 0;            ///< of drape [%]
  int folds = 0;               ///< of the rim: how often its distance from the axis falls by a twentieth of
                               ///< the ring's width and rises again on the way round
  int intersecting_pairs = 0;  ///< of triangles
  double depth = 0;            ///< of the lowest vertex below the support [m]
};

/// What is tested, and on which meshes.
struct DrapeTest {
  static constexpr double kDisc = 0.15, kSupport = 0.09;  ///< [m] radii of the cloth and of what holds it

  Fabric fabric;
  int rings = 20;      ///< of the coarser mesh, a multiple of 5, so that one is the support's rim
  bool halved = true;  ///< also on a mesh of half the edges, which begins where the coarser hangs
  std::optional<PositionSettings> position = {};  ///< by `position`; absent: quasi_newton
  bool from_minimum = false;  ///< instead of a finer mesh: by `position`, from where quasi_newton hangs
  std::function<void(const DrapedDisc&)> watch = {};  ///< told of every disc
  std::function<bool()> stop = {};                    ///< asked every frame
};

/// What came of it.
struct Drape {
  std::vector<DrapedDisc> meshes;  ///< the coarser, and the finer if there is one
  Scene scene;                     ///< of the last of them: flat, held, as it was run

  double coefficient() const { return meshes.back().coefficient; }  ///< of the finest mesh [%]
  /// By how much the coefficient changed as edges were halved [%]: what finer ones may still change.
  double error() const;
};

/// The disc let down within two seconds, as by the plate that sinks around the support, until no vertex is
/// faster than 1 mm/s or for ten seconds. Throws Error(invalid) if a step diverges, the test is to stop, or
/// the fabric cannot be run.
Drape measure_drape(const DrapeTest& test);

/// A scene that begins as the cloth hangs, with the support below it: for pictures.
Scene scene_at_rest(const Drape& drape);

}  // namespace muslin
