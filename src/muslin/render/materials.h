#pragma once
#include <string>

#include "muslin/model/scene.h"
#include "muslin/render/view.h"

namespace muslin {

/// The colours of a scene: what its `colour` keys say, else the materials of its OBJ files.
struct Paint {
  std::shared_ptr<const Colours> cloth;                   ///< null: nothing names one
  std::vector<std::shared_ptr<const Colours>> colliders;  ///< one a collider of the scene, likewise
  std::optional<Colour> background;
  std::vector<std::string> words;  ///< what was named and could not be read
};

/// Reads the libraries (mtllib) of a scene's meshes: Kd, and of pictures (map_Kd) what vertices see of them,
/// so that a picture shows as finely as the mesh is. Only files below the scene's folder are read.
Paint read_paint(const Scene& scene, const Model& model);

/// Puts it on a stage of that model.
void put_on(const Paint& paint, const Model& model, Stage& stage);

}  // namespace muslin
