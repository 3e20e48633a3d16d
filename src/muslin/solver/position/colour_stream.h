#pragma once
#include <vector>

#include "muslin/model/model.h"
#include "muslin/solver/position/colour_kernels.h"
#include "muslin/solver/position/mesh_lines.h"

namespace muslin {

/// Elements of one kind as kernels read them, in groups of kColourLanes that share no vertex, colour by
/// colour. A colour's last group is filled up with elements without extent on vertices of their own, which
/// come after the model's: places have kColourLanes of them.
class ColourStream {
 public:
  /// One projection of every element, in Gauss–Seidel order of the colours; places and start as in ColourJob.
  void sweep(float* place, const float* start) const;

  bool is_damped() const { return damped_; }

 private:
  friend std::vector<ColourStream> colour_streams(const Model&, const Controls&, const MeshLines&, double);

  template <Energy E, class Write>
  ColourStream(ColourKind kind, int numbers, const E& energy, const Colouring& colouring, int vertex_count,
               const Write& write);

  ColourKind kind_;
  int slots_, numbers_, vertex_count_;  // numbers of an element
  bool damped_;
  std::vector<std::int32_t> vertices_;
  std::vector<float> stream_;
  std::vector<int> begin_;  // the first group of every colour, and of none
};

/// What keeps a model from being run colour by colour, as "the cloth has stvk", or "".
std::string colour_obstacle(const Model& model);

/// All elements of a model that are in none of the lines, for steps of h seconds with these masses. Soft
/// before stiff, and what users look at last: bending, triangles, springs across cells, springs along
/// threads.
std::vector<ColourStream> colour_streams(const Model& model, const Controls& controls, const MeshLines& lines,
                                         double h);

}  // namespace muslin
