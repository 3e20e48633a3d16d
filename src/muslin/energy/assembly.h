#pragma once
#include <Eigen/SparseCore>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "muslin/energy/energies.h"
#include "muslin/linear/block_matrix.h"
#include "muslin/linear/row_source.h"

namespace muslin {

/// Which second derivatives of an energy are meant.
enum class Hessian {
  exact,
  projected,  ///< hessian_psd: without the negative curvature of any element
  model,      ///< the same, but majorant() ⊗ I where an energy says that this serves as well
              ///< (kMajorantIsModel)
};

/// Adds up the Hessians of all elements. Where every block of every element goes is found once; energies that
/// say so (kConstantHessian, see energy.h) are added up once, too.
class HessianAssembly {
 public:
  HessianAssembly() : HessianAssembly(Energies(), 0) {}
  HessianAssembly(const Energies& energies, int vertex_count);

  /// The blocks that any two vertices of an element share.
  const std::shared_ptr<const BlockPattern>& pattern() const { return pattern_; }

  /// matrix = ∂²E/∂x² [N/m], on pattern(). `energies` must have the stencils of those that the assembly was
  /// made from; their numbers may differ, as after `damp`. The same bits for any number of threads.
  void assemble(const Energies& energies, const Points& x, Hessian which, BlockMatrix& matrix);

  /// The same a chunk of rows at a time, in floats, for a multigrid cycle or a LeanMatrix, so that there need
  /// not be a matrix of doubles: prepare_rows comes first.
  void prepare_rows(const Energies& energies, Hessian which);
  void assemble_rows(const Energies& energies, const Points& x, Hessian which, const RowChunk& rows) const;

  /// Σ of the majorants of all elements [N/m], n×n on pattern(): the elastic part of projective dynamics'
  /// matrix [Bouaziz 2014]. `energies` as in assemble.
  Eigen::SparseMatrix<double> majorant_matrix(const Energies& energies) const;

 private:
  // The elements of one energy, chunk by chunk of the matrix's rows. An element on the border of chunks is
  // computed in each of them: that costs less than to store blocks and gather them later.
  struct Scatter {
    std::vector<int> begin;    // chunks+1
    std::vector<int> element;  // those with a vertex among the chunk's rows, ascending
    std::vector<int> slot;     // kSize² an entry of `element`, row by row; -1 in rows of other chunks
  };

  // Of all that is constant, one number a slot, which is added to the block's diagonal.
  struct Constant {
    std::vector<double> sum;
    std::vector<std::vector<double>> of;  // stiffness that it was summed of, in the order of Energies::each
  };

  // `corners`: the vertices of all elements, `size` of each.
  Scatter make_scatter(std::span<const int> corners, int size) const;
  std::vector<double> sum_majorants(const Energies& energies, std::optional<Hessian> constant_in = {}) const;
  template <class E>
  static bool is_constant(Hessian which) {
    using Element = typename E::Element;
    return which == Hessian::model ? majorant_is_model<Element>() : has_constant_hessian<Element>();
  }
  const std::vector<double>& constant(Hessian which) const;
  void sums_to_diagonal(const RowChunk& rows) const;
  template <class Blocks>
  void add_elements(const Energies& energies, const Points& x, Hessian which, int chunk,
                    Blocks&& blocks) const;

  int chunks_ = 0;
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<Scatter> scatters_;  // in the order of Energies::each
  Constant constant_, constant_model_;
};

}  // namespace muslin
