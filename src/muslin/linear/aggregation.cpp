#include "muslin/linear/aggregation.h"

#include <algorithm>
#include <cmath>

#include "muslin/core/maths.h"

namespace muslin {

namespace {

using Sparse = Eigen::SparseMatrix<double>;  // symmetric, so that columns are rows

constexpr double kStrong = 0.02;       // |l_ij| over √(l_ii l_jj) from which i and j belong together
constexpr int kPowerIterations = 15;   // for the spectral radius; 7 are too few (constants.md)
constexpr double kPowerMargin = 1.05;  // power iteration underestimates λmax

// L without the rows of held unknowns. Weak entries are added to the diagonal, which keeps row sums.
Sparse strong_part(const Sparse& laplacian, const std::vector<char>& held) {
  const Eigen::VectorXd diagonal = laplacian.diagonal();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(laplacian.nonZeros());
  for (int i = 0; i < laplacian.cols(); ++i) {
    if (held[i]) {
      entries.emplace_back(i, i, 1);
      continue;
    }
    double kept = 0;
    for (Sparse::InnerIterator entry(laplacian, i); entry; ++entry) {
      const int j = static_cast<int>(entry.row());
      const bool is_strong = std::abs(entry.value()) > kStrong * std::sqrt(diagonal[i] * diagonal[j]);
      if (j == i || !is_strong)
        kept += entry.value();
      else if (!held[j])  // else it stays what it is: part of the diagonal holds i to its place
        entries.emplace_back(j, i, entry.value());
    }
    entries.emplace_back(i, i, kept > 0 ? kept : diagonal[i]);
  }
  Sparse strong(laplacian.rows(), laplacian.cols());
  strong.setFromTriplets(entries.begin(), entries.end());
  return strong;
}

// An unknown and its neighbours form an aggregate if none of them belongs to one yet. Remaining unknowns join
// the aggregate to which they are connected most strongly. −1 where held, or without neighbours.
std::vector<int> aggregate(const Sparse& strong, const std::vector<char>& held, int& count) {
  const int n = static_cast<int>(strong.cols());
  std::vector<int> of(n, -1);
  count = 0;
  const auto stays = [&](int i) { return held[i] || strong.col(i).nonZeros() == 1; };
  for (int i = 0; i < n; ++i) {
    bool alone = !stays(i);
    for (Sparse::InnerIterator entry(strong, i); entry && alone; ++entry) alone = of[entry.row()] < 0;
    if (!alone) continue;
    for (Sparse::InnerIterator entry(strong, i); entry; ++entry) of[entry.row()] = count;
    ++count;
  }
  const std::vector<int> first = of;
  for (int i = 0; i < n; ++i) {
    if (stays(i) || of[i] >= 0) continue;
    double strongest = 0;
    for (Sparse::InnerIterator entry(strong, i); entry; ++entry)
      if (first[entry.row()] >= 0 && std::abs(entry.value()) > strongest) {
        strongest = std::abs(entry.value());
        of[i] = first[entry.row()];
      }
  }
  for (int i = 0; i < n; ++i)  // all strong neighbours were left over, too
    if (!stays(i) && of[i] < 0) {
      for (Sparse::InnerIterator entry(strong, i); entry; ++entry)
        if (of[entry.row()] < 0) of[entry.row()] = count;
      ++count;
    }
  return of;
}

double largest_eigenvalue(const Sparse& strong, const Eigen::VectorXd& diagonal) {
  const int n = static_cast<int>(strong.cols());
  Eigen::VectorXd x(n);
  for (int i = 0; i < n; ++i) x[i] = 1 + 0.5 * maths::sin(12.9898 * i);  // no eigenvector is orthogonal to it
  double largest = 0;
  for (int k = 0; k < kPowerIterations; ++k) {
    x.normalize();
    x = (strong * x).cwiseQuotient(diagonal);
    largest = x.norm();
  }
  return kPowerMargin * largest;
}

Prolongator from_rows(const Eigen::SparseMatrix<double, Eigen::RowMajor>& rows) {
  Prolongator prolongator;
  prolongator.coarse = static_cast<int>(rows.cols());
  for (int i = 0; i < rows.rows(); ++i) {
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator entry(rows, i); entry; ++entry) {
      prolongator.column.push_back(static_cast<int>(entry.col()));
      prolongator.weight.push_back(entry.value());
    }
    prolongator.begin.push_back(static_cast<int>(prolongator.column.size()));
  }
  return prolongator;
}

Sparse to_sparse(const Prolongator& prolongator) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < prolongator.fine(); ++i)
    for (int k = prolongator.begin[i]; k < prolongator.begin[i + 1]; ++k)
      entries.emplace_back(i, prolongator.column[k], prolongator.weight[k]);
  Sparse matrix(prolongator.fine(), prolongator.coarse);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace

Prolongator smoothed_aggregation(const Sparse& laplacian, const std::vector<char>& held) {
  const Sparse strong = strong_part(laplacian, held);
  int count = 0;
  const std::vector<int> of = aggregate(strong, held, count);
  std::vector<Eigen::Triplet<double>> ones;
  for (int i = 0; i < static_cast<int>(of.size()); ++i)
    if (of[i] >= 0) ones.emplace_back(i, of[i], 1);
  Sparse indicator(laplacian.rows(), count);
  indicator.setFromTriplets(ones.begin(), ones.end());

  const Eigen::VectorXd diagonal = strong.diagonal();
  const Eigen::VectorXd inverse = diagonal.cwiseInverse();
  const double weight = 4 / (3 * largest_eigenvalue(strong, diagonal));
  // D⁻¹ L P₀, scaled in place: Eigen's product with a diagonal reallocates for every entry
  Sparse step = strong * indicator;
  for (int k = 0; k < count; ++k)
    for (Sparse::InnerIterator entry(step, k); entry; ++entry) entry.valueRef() *= inverse[entry.row()];
  return from_rows(Sparse(indicator - weight * step));
}

Prolongator transposed(const Prolongator& prolongator) {
  return from_rows(Sparse(to_sparse(prolongator).transpose()));
}

Sparse galerkin(const Sparse& laplacian, const Prolongator& P) {
  const Sparse prolongation = to_sparse(P);
  return Sparse(prolongation.transpose()) * laplacian * prolongation;
}

}  // namespace muslin
