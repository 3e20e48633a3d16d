#pragma once
#include <vector>

#include "muslin/geometry/mesh.h"

namespace muslin {

/// A term of the energy to second order, as a function of one number, s = direction · Σ weightᵢ xᵢ, of four
/// vertices: its gradient is slope · (w ⊗ n), its Hessian curvature · (w ⊗ n)(w ⊗ n)ᵀ.
struct ContactRow {
  Stencil<4> vertices;
  Eigen::Vector4d weight;
  Vec3 direction;    ///< n, unit
  double slope;      ///< ∂E/∂s [N]
  double curvature;  ///< ∂²E/∂s² ≥ 0 [N/m]
};

/// The rows of all contacts. Loops are parallel, each vertex adding up its rows in order: the same bits for
/// any number of threads. Where points have fewer columns than there are vertices, the vertices beyond are
/// held: they do not move, and nobody asks for their force.
class ContactRows {
 public:
  ContactRows() = default;
  ContactRows(int vertex_count, std::vector<ContactRow> rows);

  /// gradient += Σ slope · (w ⊗ n) [N]
  void add_gradient(Points& gradient) const;

  /// y += Σ curvature · (w ⊗ n)(w ⊗ n)ᵀ x
  void multiply_add(const Points& x, Points& y) const;

  /// Adds, vertex by vertex, blocks [N/m] whose block-diagonal matrix bounds that of the rows: as |Σ wᵢ sᵢ|²
  /// ≤ Σ|wⱼ| · Σ|wᵢ| sᵢ² (Cauchy–Schwarz), block i is curvature · |wᵢ| · Σ|wⱼ| · n nᵀ over the vertices that
  /// `blocks` has, where Σ|wⱼ| is 2 between cloths and 1 on a body.
  void add_majorant(std::vector<Mat3>& blocks) const;

  const std::vector<ContactRow>& rows() const { return rows_; }
  bool empty() const { return rows_.empty(); }

 private:
  template <class Add>
  void for_each_row(int vertices, const Add& add) const;

  std::vector<ContactRow> rows_;
  Incidence incidence_;
};

}  // namespace muslin
