#pragma once
#include <string>
#include <vector>

#include "muslin/model/model.h"

namespace muslin {

/// How a seam stands.
struct SeamReport {
  std::string name;       ///< Seam::name
  int stitches = 0;       ///< all that it has
  int open = 0;           ///< of them not yet one
  double widest_gap = 0;  ///< [m] between the ends of a stitch
  double pull =
      0;  ///< [N] what its open stitches pull with, and what side b pulls with on those that are closed: the
          ///< sum of forces of triangles and of the weight of what they have there, as if it were at rest
};

/// All seams of a model in a state. `unsewn` is the model before anything was sewn; `stitch_length` and
/// `gravity` [m/s²] are as Controls have them. Springs along edges pull with nothing on closed stitches:
/// theirs are both sides'.
std::vector<SeamReport> report_seams(const Model& model, const Model& unsewn,
                                     const std::vector<double>& stitch_length, const Vec3& gravity,
                                     const Points& positions);

}  // namespace muslin
