#pragma once
#include <vector>

#include "muslin/geometry/topology.h"
#include "muslin/linear/block_matrix.h"

namespace muslin {

/// A term of the energy to second order, as a function of one number, s = direction · Σ weightᵢ xᵢ, of four
/// vertices: its gradient is slope · (w ⊗ n), its Hessian curvature · (w ⊗ n)(w ⊗ n)ᵀ. Four more, the frame
/// of a body, may bear on s, which are held and therefore have no force.
struct ContactRow {
  Stencil<4> vertices;
  Eigen::Vector4d weight;
  Vec3 direction;    ///< n, unit
  double slope;      ///< ∂E/∂s [N]
  double curvature;  ///< ∂²E/∂s² ≥ 0 [N/m]
  int frame = -1;    ///< the first of four vertices in a row; -1: none
  Eigen::Vector4d frame_weight = Eigen::Vector4d::Zero();
};

/// A part of a Hessian that is no row: r rᵀ, with a column of r for each of four vertices [√(N/m)].
struct ContactTurn {
  Stencil<4> vertices;
  Eigen::Matrix<double, 3, 4> part;
};

/// The rows of all contacts. Loops are parallel, each vertex adding up its rows in order: the same bits for
/// any number of threads. Where points have fewer columns than there are vertices, the vertices beyond are
/// held: they do not move, and nobody asks for their force.
class ContactRows {
 public:
  ContactRows() : ContactRows(0, {}) {}
  ContactRows(int vertex_count, std::vector<ContactRow> rows, std::vector<ContactTurn> turns = {});

  /// gradient += Σ slope · (w ⊗ n) [N]
  void add_gradient(Points& gradient) const;

  /// y += Σ curvature · (w ⊗ n)(w ⊗ n)ᵀ x; without turns
  void multiply_add(const Points& x, Points& y) const;

  /// Σ curvature · (w ⊗ n)(w ⊗ n)ᵀ, and all turns, of the first vertices [N/m]
  BlockMatrix matrix(int vertices) const;

  /// These and others, of the same vertices.
  ContactRows operator+(const ContactRows& others) const;

  const std::vector<ContactRow>& rows() const { return rows_; }
  bool empty() const { return rows_.empty() && turns_.empty(); }

 private:
  template <class Add>
  void for_each_row(int vertices, const Add& add) const;

  std::vector<ContactRow> rows_;
  std::vector<ContactTurn> turns_;
  Incidence incidence_, turns_about_;
};

}  // namespace muslin
