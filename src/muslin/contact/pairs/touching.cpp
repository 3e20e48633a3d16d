#include "muslin/contact/pairs/touching.h"

#include <algorithm>

#include "muslin/contact/pairs/candidates.h"
#include "muslin/energy/energy.h"
#include "muslin/geometry/ccd.h"

namespace muslin {

std::vector<Touching> find_touching(const SceneSurfaces& scene, const Points& places) {
  Surfaces surfaces = scene.surfaces();
  surfaces.cloth_meets_cloth = false;
  std::fill(surfaces.moves.begin(), surfaces.moves.end(), 1);
  Candidates candidates(std::move(surfaces));
  candidates.detect(places, Points::Zero(3, places.cols()), 0);
  std::vector<Touching> touching;
  for (const ContactPair& pair : candidates.pairs()) {
    if (pair.frame < 0 && pair.kind != PairKind::point_plane) continue;
    const Quad corners = gather(places, pair.vertices);
    if (closest_of(pair, corners).distance > kSeparation * corners.cwiseAbs().maxCoeff()) continue;
    Touching element{{}, scene.collider_of(pair.round_a ? pair.vertices[0] : pair.vertices[3])};
    for (const int v : pair.vertices)
      if (v < scene.cloth_count()) element.vertices.push_back(v);
    touching.push_back(std::move(element));
  }
  return touching;
}

}  // namespace muslin
