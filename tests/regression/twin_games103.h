#pragma once
#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "muslin/core/types.h"

// An independent twin of GAMES103 Lab 2 (H. Wang): the course's two cloth solvers in plain loops, written
// from the formulas alone and sharing nothing with the library. Regression tests hold the library against it.

namespace twin {

using muslin::Vec3;

class Games103 {
 public:
  enum class Method { chebyshev, plain, pbd };

  explicit Games103(Method method) : method_(method) {
    for (int j = 0; j < kN; ++j)
      for (int i = 0; i < kN; ++i) x_.push_back({5 - i / 2.0, 0, 5 - j / 2.0});
    v_.assign(x_.size(), Vec3::Zero());
    std::set<std::array<int, 2>> unique;  // sorted by (low, high)
    for (int j = 0; j + 1 < kN; ++j)
      for (int i = 0; i + 1 < kN; ++i) {
        const int a = j * kN + i, b = a + 1, c = a + kN, d = c + 1;
        for (std::array<int, 2> e : {std::array{a, b}, {b, d}, {a, d}, {c, d}, {a, c}}) unique.insert(e);
      }
    for (const auto& [i, j] : unique) edges_.push_back({i, j, (x_[i] - x_[j]).norm()});
  }

  void step() {
    method_ == Method::pbd ? step_pbd() : step_implicit();
    collide();
  }

  const std::vector<Vec3>& positions() const { return x_; }
  const std::vector<Vec3>& velocities() const { return v_; }
  int edge_count() const { return static_cast<int>(edges_.size()); }

  /// Largest |edge| / rest length − 1.
  double largest_strain() const {
    double most = 0;
    for (const Edge& e : edges_) most = std::max(most, (x_[e.i] - x_[e.j]).norm() / e.length - 1);
    return most;
  }

 private:
  struct Edge {
    int i, j;
    double length;
  };

  static constexpr int kN = 21, kIterations = 32;
  static constexpr double kDt = 0.0333, kMass = 1, kDamping = 0.99, kStiffness = 8000, kRho = 0.995,
                          kBlend = 0.2;
  static bool pinned(size_t i) { return i == 0 || i == kN - 1; }
  static Vec3 gravity() { return {0, -9.8, 0}; }

  /// Wang's descent: gradient of the incremental potential over one constant diagonal, 32 times.
  void step_implicit() {
    std::vector<Vec3> target = x_;
    for (size_t i = 0; i < x_.size(); ++i)
      if (!pinned(i)) target[i] += kDt * (v_[i] *= kDamping);
    x_ = target;
    std::vector<Vec3> last = x_;
    const double inertia = kMass / (kDt * kDt);
    double omega = 1;
    for (int k = 0; k < kIterations; ++k) {
      if (method_ == Method::chebyshev && k == 1) omega = 2 / (2 - kRho * kRho);
      if (method_ == Method::chebyshev && k > 1) omega = 4 / (4 - kRho * kRho * omega);
      const std::vector<Vec3> g = gradient(target, inertia);
      for (size_t i = 0; i < x_.size(); ++i) {
        if (pinned(i)) continue;
        const Vec3 old = x_[i];
        const Vec3 descended = old - g[i] / (inertia + 4 * kStiffness);
        x_[i] = omega * descended + (1 - omega) * last[i];
        last[i] = old;
      }
    }
    for (size_t i = 0; i < x_.size(); ++i)
      if (!pinned(i)) v_[i] += (x_[i] - target[i]) / kDt;
  }

  std::vector<Vec3> gradient(const std::vector<Vec3>& target, double inertia) const {
    std::vector<Vec3> g(x_.size());
    for (size_t i = 0; i < x_.size(); ++i) g[i] = inertia * (x_[i] - target[i]) - kMass * gravity();
    for (const Edge& e : edges_) {
      const Vec3 d = x_[e.i] - x_[e.j];
      const Vec3 pull = kStiffness * (1 - e.length / d.norm()) * d;
      g[e.i] += pull;
      g[e.j] -= pull;
    }
    return g;
  }

  /// Free flight, then 32 Jacobi passes that average what the edges ask for.
  void step_pbd() {
    for (size_t i = 0; i < x_.size(); ++i) {
      if (pinned(i)) continue;
      v_[i] = kDamping * v_[i] + kDt * gravity();
      x_[i] += kDt * v_[i];
    }
    for (int k = 0; k < kIterations; ++k) {
      std::vector<Vec3> sum(x_.size(), Vec3::Zero());
      std::vector<int> count(x_.size(), 0);
      for (const Edge& e : edges_) {
        const Vec3 middle = 0.5 * (x_[e.i] + x_[e.j]);
        const Vec3 half = 0.5 * e.length * (x_[e.i] - x_[e.j]).normalized();
        sum[e.i] += middle + half;
        sum[e.j] += middle - half;
        ++count[e.i];
        ++count[e.j];
      }
      for (size_t i = 0; i < x_.size(); ++i) {
        if (pinned(i)) continue;
        const Vec3 mean = (kBlend * x_[i] + sum[i]) / (kBlend + count[i]);
        v_[i] += (mean - x_[i]) / kDt;
        x_[i] = mean;
      }
    }
  }

  void collide() {
    const Vec3 center(4.5, -5.4133186, 13.875066);
    const double radius = 2.7;
    for (size_t i = 0; i < x_.size(); ++i) {
      const Vec3 d = x_[i] - center;
      if (pinned(i) || d.norm() >= radius) continue;
      const Vec3 surface = center + radius * d.normalized();
      v_[i] += (surface - x_[i]) / kDt;
      x_[i] = surface;
    }
  }

  Method method_;
  std::vector<Vec3> x_, v_;
  std::vector<Edge> edges_;
};

}  // namespace twin
