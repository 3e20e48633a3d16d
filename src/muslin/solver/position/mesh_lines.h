#pragma once
#include <cstdint>
#include <vector>

#include "muslin/model/model.h"

namespace muslin {

/// Springs of a mesh that follow each other nearly straight, as lines that are solved whole (solve_chains): a
/// pull goes along a line at once, where a sweep of springs, one after the other, carries it a few edges far.
///
/// Lines go along the weave: warp, weft and its two diagonals, every edge of a triangle in the direction
/// that it is nearest to. Lines of one family share no vertex; families follow each other as Gauss–Seidel
/// does, those that hold most springs last, as what is projected last is met best.
class MeshLines {
 public:
  MeshLines() = default;
  /// For steps of h seconds with these masses.
  MeshLines(const Model& model, const Controls& controls, double h);

  /// Whether a spring is in one of the lines.
  bool has(int spring) const { return taken_[spring]; }
  bool is_damped() const { return damped_; }

  /// One solve of every line; places and start as in ColourJob.
  void sweep(float* place, const float* start) const;

 private:
  /// As many lines side by side as a MeshLineJob has.
  struct Group {
    int springs;                       ///< of the longest
    std::ptrdiff_t vertices, numbers;  ///< where its own begin
  };
  /// Vertices and springs of a line by turns: v₀ s₀ v₁ s₁ … vₙ.
  using Line = std::vector<int>;

  std::vector<Line> family(const Model& model, const std::vector<Vec2>& edges, const Vec2& along);
  void add(const std::vector<Line>& lines, const Model& model, const Controls& controls, double h);

  std::vector<char> taken_;  // a spring
  bool damped_ = false;
  std::vector<std::vector<Group>> families_;
  std::vector<std::int32_t> vertices_;  // as in MeshLineJob
  std::vector<float> numbers_;
  int longest_ = 0;  // springs of a line
  int vertex_count_ = 0;
};

}  // namespace muslin
