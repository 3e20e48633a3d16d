#pragma once
#include <string>
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

/// A number that nothing reads as the scene stands: another value of it gives the same run, bit by bit.
struct InertField {
  enum Cause {
    scene,   ///< another field stands in its place, whichever solver runs
    solver,  ///< the chosen method has no use for it; others do
  };
  Cause cause;
  std::string path;    ///< a JSON pointer, "/cloths/0/fabric/density"
  std::string reason;  ///< what acts in its place, as "every vertex weighs 1 kg (vertex_mass)"
  bool is_written;     ///< the scene says otherwise than one that leaves it out
};

/// Every number of a scene, as it was written, that nothing reads. It need not name all, but what it names is
/// inert.
std::vector<InertField> inert_fields(const Scene& scene);

/// Of these, what a scene says in vain of its cloth and colliders whichever solver runs: worth a warning.
std::vector<InertField> written_in_vain(const Scene& scene);

/// "nothing reads /cloths/0/fabric/density: every vertex weighs 1 kg (vertex_mass)", one sentence a reason.
std::vector<std::string> inert_sentences(const std::vector<InertField>& fields);

}  // namespace muslin
