#pragma once
#include <string>
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

/// A number of a scene that has no effect: any other value gives the same run, bit by bit.
struct InertField {
  enum Cause {
    scene,   ///< another field replaces it, whichever solver runs
    solver,  ///< the chosen method does not read it; others do
  };
  Cause cause;
  std::string path;    ///< a JSON pointer, "/cloths/0/fabric/density"
  std::string reason;  ///< what acts instead: "every vertex weighs 1 kg (vertex_mass)"
  bool is_written;     ///< the scene sets it to something other than the default
};

/// Finds numbers of a scene that have no effect. The list may be incomplete, but never wrong.
std::vector<InertField> inert_fields(const Scene& scene);

/// Those of cloth and colliders that have no effect whichever solver runs, which deserve a warning.
std::vector<InertField> written_in_vain(const Scene& scene);

/// "nothing reads /cloths/0/fabric/density: every vertex weighs 1 kg (vertex_mass)", one sentence a reason.
std::vector<std::string> inert_sentences(const std::vector<InertField>& fields);

}  // namespace muslin
