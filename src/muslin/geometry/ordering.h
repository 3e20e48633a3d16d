#pragma once
#include <vector>

#include "muslin/geometry/mesh.h"

// Vertices that share triangles should lie near each other in memory: a large mesh whose vertices come in any
// order waits for memory most of the time.

namespace muslin {

/// How often a walk over the triangles fetches vertices from memory: lines of 8 vertices through a cache of
/// 2048, first in, first out, over the fewest that would do. Meshes row by row have 1, random ones up to 48.
double cache_misses(int vertex_count, const std::vector<Stencil<3>>& triangles);

/// Another order of a mesh: element k is the old number of what comes k-th. Empty: all stay where they are.
struct MeshOrder {
  std::vector<int> vertices;   ///< old number of every vertex
  std::vector<int> triangles;  ///< old number of every triangle
  /// Whether all stay where they are.
  bool empty() const { return vertices.empty(); }
};

/// The order in which triangles are met that spread over each piece of the mesh from its border, breadth
/// first [Cuthill 1969]; triangles follow their first vertex. Empty if the mesh as it is has few misses.
MeshOrder local_order(const Mesh& mesh);

/// The mesh with its vertices and triangles in that order, all that belongs to them included.
Mesh reordered(const Mesh& mesh, const MeshOrder& order);

/// Two numberings of the same things: the user's, and the model's. Several of the user's may be one in the
/// model, as vertices that are sewn together. A new one changes no number.
class Numbering {
 public:
  /// The user's number of the model's; where several are one, the least.
  int to_user(int model) const { return user_.empty() ? model : user_[model]; }
  /// The model's number of the user's.
  int to_model(int user) const { return model_.empty() ? user : model_[user]; }
  /// Whether both number alike.
  bool same() const { return user_.empty(); }
  /// How many the user counts where the model has so many.
  int user_count(int in_model) const { return same() ? in_model : static_cast<int>(model_.size()); }

  /// The model's columns, one a thing, in the user's numbering; of things that are one, each gets its column.
  Points to_user(const Points& columns) const;
  /// The user's columns in the model's numbering; of things that are one, the least one's.
  Points to_model(const Points& columns) const;

  /// Things behind those there are: of them, the model's k-th is the user's user[k], and the user's k-th the
  /// model's model[k].
  void append(int in_model, const std::vector<int>& user, const std::vector<int>& model);
  /// `count` more things behind the `first` there are: the model's k-th is the user's order[k]; empty: k-th.
  void append(int first, int count, const std::vector<int>& order);

  /// Whether two numberings give all things the same numbers.
  bool operator==(const Numbering& other) const { return user_ == other.user_ && model_ == other.model_; }

 private:
  std::vector<int> user_, model_;
};

}  // namespace muslin
