#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "muslin/model/model.h"

namespace muslin {

/// Which vertices of cloth can come nearer to each other than Model::self_distance allows, kept over steps:
/// listed anew only when cloth has moved so far in itself that others can [Verlet 1967, lists of neighbours].
/// What is listed depends on when that was; whoever asks only for those that are too near gets the same.
class Neighbours {
 public:
  struct Neighbour {
    int vertex;
    double wanted;  ///< distance that the two keep [m]: self_distance, or their rest distance if that is less
  };

  /// Makes the lists good for these positions [m], which must be finite.
  void update(const Model& model, const Points& positions);

  /// All that may be nearer to a vertex than they should be, ascending.
  std::span<const Neighbour> of(int vertex) const {
    return {all_.data() + begin_[vertex], all_.data() + begin_[vertex + 1]};
  }

 private:
  bool are_good(const Model& model, const Points& positions) const;
  void list(const Model& model, const Points& positions);

  std::uint64_t model_revision_ = 0;
  double slack_ = 0;  // [m] beyond what is wanted, of what is listed
  Points listed_at_;
  std::vector<Neighbour> all_;
  std::vector<int> begin_;  // of every vertex in all_, and one more
};

}  // namespace muslin
