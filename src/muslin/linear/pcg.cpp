#include "muslin/linear/pcg.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/core/vector.h"
#include "muslin/linear/diagonal.h"

namespace muslin {

namespace {

constexpr int kGrainVectors = 1024;  // a task: some microseconds, well above what it costs to start one

// What conjugate gradients ask of a matrix, be it in doubles or with floats off its diagonal.
struct SystemMatrix {
  virtual ~SystemMatrix() = default;
  virtual int rows() const = 0;
  virtual const Mat3& diagonal(int row) const = 0;
  virtual void multiply(const Points& x, Points& y) const = 0;
  virtual void multiply_rows(int first, int last, const Points& x, Points& y) const = 0;
  virtual bool update(Multigrid& cycle, const Filter& filter, const BlockMatrix* added) const = 0;
  virtual bool update(CoarseSpace& coarse, const Filter& filter) const = 0;
};

template <class Matrix>
struct SystemMatrixOf final : SystemMatrix {
  explicit SystemMatrixOf(const Matrix& matrix) : A(matrix) {}
  int rows() const override { return A.rows(); }
  const Mat3& diagonal(int row) const override { return A.diagonal(row); }
  void multiply(const Points& x, Points& y) const override { A.multiply(x, y); }
  void multiply_rows(int first, int last, const Points& x, Points& y) const override {
    A.multiply_rows(first, last, x, y);
  }
  bool update(Multigrid& cycle, const Filter& filter, const BlockMatrix* added) const override {
    return cycle.update(A, filter, added);
  }
  bool update(CoarseSpace& coarse, const Filter& filter) const override {
    if constexpr (std::is_same_v<Matrix, BlockMatrix>)
      return coarse.prepare(A, filter);
    else
      return false;  // solve_pcg does not take it
  }

  const Matrix& A;
};

// How the energy ½ xᵀA x − bᵀx falls, of which an iteration takes half of α rᵀP⁻¹r [Hestenes & Stiefel 1952].
class EnergyGained {
 public:
  /// What the last quarter of the iterations made, over all, after one that gained so much.
  double add(double gain) {
    sums_.push_back(sums_.back() + gain);
    const std::size_t n = sums_.size() - 1, quarter = (n + 3) / 4;
    return 1 - sums_[n - quarter] / sums_[n];
  }

 private:
  std::vector<double> sums_ = {0};
};

// The vectors of one solve. Every loop over vertices does all that can be done in it.
class ConjugateGradients {
 public:
  /// `coarse` and `multigrid` are null for block-Jacobi, and one of them always.
  ConjugateGradients(const SystemMatrix& A, const Points& b, const Filter& filter, CoarseSpace* coarse,
                     Multigrid* multigrid, const BlockMatrix* added, Points& x)
      : A_(A),
        b_(b),
        filter_(filter),
        coarse_(coarse),
        multigrid_(multigrid),
        added_(added),
        x_(x),
        n_(A.rows()) {}

  PcgReport solve(const PcgOptions& options) {
    PcgReport report;
    if (x_.cols() != n_) x_.setZero(3, n_);
    filter_.impose(x_);
    if (!prepare(options.same_cycle)) {
      report.negative_curvature = true;
      report.error = 1;
      return report;
    }
    const auto [reference, first] = start();
    double delta = first;
    const double enough = options.tolerance * options.tolerance * reference;
    EnergyGained gained;
    report.gained_late = delta > 0 ? 1 : 0;
    while ((delta > enough || report.gained_late > options.most_gained_late) &&
           report.iterations < options.max_iterations) {
      if (options.budget && !options.budget->spend()) break;
      // 1. q = S A c
      const double curvature = multiply();
      if (!(curvature > 0)) {
        report.negative_curvature = true;
        break;
      }
      // 2. The best x along c
      const double before = delta;
      const double alpha = delta / curvature;
      delta = advance(alpha);
      report.gained_late = delta > 0 ? gained.add(alpha * before) : 0;
      // 3. The next direction, conjugate to all before
      turn(delta / before);
      ++report.iterations;
    }
    report.error = reference > 0 ? std::sqrt(delta / reference) : 0;
    report.converged = delta <= enough;
    filter_.impose(x_);
    return report;
  }

 private:
  // False if A is seen not to be positive definite.
  bool prepare(bool same_cycle) {
    if (multigrid_)
      return same_cycle ? multigrid_->update_added(added_) : A_.update(*multigrid_, filter_, added_);
    inverse_.resize(n_);
    const int indefinite = parallel_sum(n_, 0, [&](int i) {
      inverse_[i] = A_.diagonal(i);
      if (added_) inverse_[i] += added_->diagonal(i);
      hold_diagonal(filter_, i, inverse_[i]);
      return invert(inverse_[i]) ? 0 : 1;
    });
    if (indefinite > 0) return false;
    return !coarse_ || A_.update(*coarse_, filter_);
  }

  // q = (A + added) x
  void multiply_all(const Points& x) {
    A_.multiply(x, q_);
    if (added_) added_->multiply_add(x, q_);
  }

  // r = S(b − A x) and c = S P⁻¹ r; b̂ᵀP⁻¹b̂ with b̂ = S(b − A z), the error of x = z, what termination refers
  // to; and rᵀP⁻¹ r.
  std::pair<double, double> start() {
    Points held = Points::Zero(3, n_);
    filter_.impose(held);
    r_ = b_;
    if (filter_.moves()) {
      multiply_all(held);
      r_ -= q_;
    }
    filter_.apply(r_);
    const double reference = precondition();
    if (reference == 0) x_ = held;  // is the solution
    double delta = reference;
    if (x_ != held) {
      multiply_all(x_);
      r_ = b_ - q_;
      filter_.apply(r_);
      delta = precondition();
    }
    c_.setZero(3, n_);
    q_.resize(3, n_);
    turn(0);
    return {reference, delta};
  }

  // s and the coarse shifts, which sum up to P⁻¹ r; returns rᵀP⁻¹ r.
  double precondition() {
    if (multigrid_) {
      multigrid_->solve(r_, s_);
      return parallel_sum(
          n_, 0.0, [&](int i) { return r_.col(i).dot(s_.col(i)); }, kGrainVectors);
    }
    s_.resize(3, n_);
    const double fine = parallel_sum(
        n_, 0.0,
        [&](int i) {
          const Vec3 r = r_.col(i), s = inverse_[i] * r;
          s_.col(i) = s;
          return r.dot(s);
        },
        kGrainVectors);
    return coarse_ ? fine + coarse_->solve(r_) : fine;
  }

  // q = S A c; returns cᵀq.
  double multiply() {
    if (added_) {
      multiply_all(c_);
      filter_.apply(q_);
      return dot(c_, q_);
    }
    constexpr int kRows = BlockMatrix::kRowGrain;
    const auto rows = [&](int chunk) {
      const int first = chunk * kRows, count = std::min(kRows, n_ - first);
      A_.multiply_rows(first, first + count, c_, q_);
      return c_.middleCols(first, count).cwiseProduct(q_.middleCols(first, count)).sum();  // c = S c
    };
    const double curvature = parallel_sum((n_ + kRows - 1) / kRows, 0.0, rows, 1);
    filter_.apply(q_);
    return curvature;
  }

  // x += α c, r −= α q, then as `precondition`; all in one pass if it can be.
  double advance(double alpha) {
    if (multigrid_) {
      parallel_for(
          n_, [&](int i) { x_.col(i) += alpha * c_.col(i), r_.col(i) -= alpha * q_.col(i); }, kGrainVectors);
      return precondition();
    }
    const double fine = parallel_sum(
        n_, 0.0,
        [&](int i) {
          x_.col(i) += alpha * c_.col(i);
          const Vec3 r = r_.col(i) - alpha * q_.col(i);
          const Vec3 s = inverse_[i] * r;
          r_.col(i) = r;
          s_.col(i) = s;
          return r.dot(s);
        },
        kGrainVectors);
    return coarse_ ? fine + coarse_->solve(r_) : fine;
  }

  // c ← S(P⁻¹ r + β c)
  void turn(double beta) {
    parallel_for(
        n_,
        [&](int i) {
          Vec3 c = s_.col(i) + beta * c_.col(i);
          if (coarse_) c += coarse_->shift(i);
          c_.col(i) = c;
        },
        kGrainVectors);
    filter_.apply(c_);
  }

  const SystemMatrix& A_;
  const Points& b_;
  const Filter& filter_;
  CoarseSpace* const coarse_;
  Multigrid* const multigrid_;
  const BlockMatrix* const added_;
  Points& x_;
  const int n_;
  Points r_, c_, q_, s_;
  std::vector<Mat3> inverse_;
};

PcgReport solve_with(const SystemMatrix& A, const Points& b, const Filter& filter, const PcgOptions& options,
                     Points& x, PcgMemory* memory, const BlockMatrix* added) {
  MUSLIN_ASSERT(b.cols() == A.rows() && &b != &x);
  MUSLIN_ASSERT(!options.same_cycle || memory);
  PcgMemory own;
  PcgMemory& kept = memory ? *memory : own;
  const bool is_two_level = options.preconditioner == Preconditioner::two_level && A.rows() > 0;
  const bool is_multigrid = options.preconditioner == Preconditioner::multigrid && A.rows() > 0;
  return ConjugateGradients(A, b, filter, is_two_level ? &kept.coarse : nullptr,
                            is_multigrid ? &kept.multigrid : nullptr, added, x)
      .solve(options);
}

}  // namespace

PcgReport solve_pcg(const BlockMatrix& A, const Points& b, const Filter& filter, const PcgOptions& options,
                    Points& x, PcgMemory* memory, const BlockMatrix* added) {
  return solve_with(SystemMatrixOf(A), b, filter, options, x, memory, added);
}

PcgReport solve_pcg(const LeanMatrix& A, const Points& b, const Filter& filter, const PcgOptions& options,
                    Points& x, PcgMemory* memory, const BlockMatrix* added) {
  MUSLIN_ASSERT(options.preconditioner != Preconditioner::two_level);
  return solve_with(SystemMatrixOf(A), b, filter, options, x, memory, added);
}

}  // namespace muslin
