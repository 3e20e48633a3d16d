#include "muslin/linear/ordering.h"
#include "muslin/linear/sparse_factor_numbers.h"

// The order of a SparseFactor and where its factor has numbers, made once.

namespace muslin {

void SparseFactor::analyze(int n, const int* begin, const int* column, int width) {
  auto& [known_width, order, source, upper, llt] = *numbers_;
  known_width = width;
  order = fill_reducing_order(n, begin, column);
  upper = ordered_upper_triangle(n, begin, column, width, order);
  source.assign(upper.valuePtr(), upper.valuePtr() + upper.nonZeros());
  end_if_stopped();
  llt.analyzePattern(upper);
}

}  // namespace muslin
