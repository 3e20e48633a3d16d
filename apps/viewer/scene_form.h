#pragma once
#include <string>
#include <vector>

#include "muslin/io/scene_json.h"

/// A scene file in one of its two forms: as a run takes it, or as its variant for the viewer, which has
/// quasi-Newton in its preset `interactive` unless the scene says otherwise. Pins by numbers
/// of vertices mean the mesh of a run; where the variant has another mesh, they hold the same places of it.
struct SceneForm {
  std::string path;
  muslin::Scene written;                    ///< as a run takes it
  muslin::Scene scene;                      ///< in this form
  std::vector<muslin::Override> overrides;  ///< that make this form; none: it is the one of a run
  bool has_variant = false;
};

/// Reads a form from a file's text. Throws muslin::Error.
SceneForm read_form(const std::string& text, const std::string& path, bool as_written);

/// The file's text, which `form` was read from, changed so that this form of it is `scene`. Throws
/// muslin::Error where the text cannot say that: what an override sets, for instance.
std::string edited_text(const SceneForm& form, const std::string& text, const muslin::Scene& scene);

/// `scene`, an edited `form`, in the file's other form: with all changes if the text can say them, else with
/// the new pins alone, and then `left_behind` says why.
SceneForm other_form(const SceneForm& form, const std::string& text, const muslin::Scene& scene,
                     muslin::Scene& changed, std::string& left_behind);

/// The vertices of `to` that lie, at the start, where vertices of `from` hold the cloth: in the triangles and
/// on the edges between them, and the nearest to each. Ascending.
std::vector<int> same_places(const muslin::Cloth& from, const muslin::Cloth& to,
                             const std::vector<int>& vertices);
