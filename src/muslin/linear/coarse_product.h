#pragma once
#include <memory>
#include <vector>

#include "muslin/linear/aggregation.h"
#include "muslin/linear/block_matrix.h"
#include "muslin/linear/row_source.h"

namespace muslin {

/// Galerkin product Pᵀ A P of the coarser level [Vaněk 1996], in floats. Each chunk of A's rows computes its
/// contribution row by row, so that the row of A P stays in the first-level cache. Chunks are summed in
/// order, which gives the same bits for any number of threads. Only the upper half of the product is
/// computed.
class CoarseProduct {
 public:
  CoarseProduct() = default;
  CoarseProduct(std::shared_ptr<const BlockPattern> fine, const Prolongator& P);

  /// The pattern of Pᵀ A P.
  const std::shared_ptr<const BlockPattern>& pattern() const { return coarse_; }

  /// Computes the contribution of a chunk of A. `row` is scratch memory.
  void add_up(const RowChunk& rows, std::vector<FloatBlock>& row);

  /// A chunk of rows of Pᵀ A P; all chunks of A must have been added up.
  void sum(const RowChunk& rows) const;

 private:
  using Columns = std::vector<std::vector<int>>;
  Columns find_product_rows();
  void make_parts(const Columns& columns);

  std::shared_ptr<const BlockPattern> fine_, coarse_;
  std::vector<int> begin_, aggregate_;  // P: rows of fine unknowns
  std::vector<float> weight_;
  std::vector<int> entry_;   // n+1: where a row of A P begins in
  std::vector<int> place_;   //   the place in that row, of every block of A times every weight of its column
  std::vector<int> length_;  // blocks of every row of A P
  std::vector<int> upper_;   // one a weight of P: the first block of the row of A P that goes to the upper
                             //   half of the aggregate's row,
  std::vector<int> part_entry_;   //   where those blocks begin in
  std::vector<int> part_place_;   //   their places among the parts
  std::vector<int> part_begin_;   // chunks+1: the parts of every chunk
  std::vector<FloatBlock> part_;  // what chunks add to blocks of the product
  std::vector<int> upper_slot_;   // one a slot of the product: itself, or −1 − the mirrored one above it
  std::vector<int> from_begin_;   // one a slot, and one: where it begins in
  std::vector<int> from_;         //   the parts that it is the sum of, in the order of chunks
};

}  // namespace muslin
