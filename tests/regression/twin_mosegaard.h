#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <vector>

#include "muslin/core/types.h"

// An independent twin of J. Mosegaard's cloth tutorial in plain loops, written from its description alone and
// sharing nothing with the library.

namespace twin {

using muslin::Vec3;

class Mosegaard {
 public:
  /// Which loop is the outer one where constraints are made. The tutorial has x outside.
  enum class Order { x_outer, y_outer };

  explicit Mosegaard(Order order = Order::x_outer) {
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) x_.push_back({14.0 * x / kWidth, -10.0 * y / kHeight, 0});
    for (int distance : {1, 2}) connect(distance, order);
    held_.assign(x_.size(), false);
    for (int i = 0; i < 3; ++i) {
      x_[i].x() += 0.5;  // after the rest lengths were measured, and on this side only
      held_[i] = held_[kWidth - 1 - i] = true;
    }
    old_ = x_;
  }

  void step() {
    ++frame_;
    // 1. forces, as displacements a frame²
    std::vector<Vec3> push(x_.size(), Vec3(0, -0.2, 0) * kStep2);
    blow(push);
    // 2. constraints, before the motion
    for (int sweep = 0; sweep < 15; ++sweep)
      for (const Constraint& c : constraints_) satisfy(c);
    // 3. Verlet
    for (size_t i = 0; i < x_.size(); ++i) {
      if (held_[i]) continue;
      const Vec3 now = x_[i];
      x_[i] = now + (now - old_[i]) * (1 - 0.01) + push[i] * kStep2;
      old_[i] = now;
    }
    // 4. the ball
    const Vec3 ball(7, -5, 7 * std::cos(frame_ / 50.0));
    for (size_t i = 0; i < x_.size(); ++i) {
      const Vec3 d = x_[i] - ball;
      if (!held_[i] && d.norm() < 2) x_[i] += d.normalized() * (2 - d.norm());
    }
  }

  const std::vector<Vec3>& positions() const { return x_; }
  int constraint_count() const { return static_cast<int>(constraints_.size()); }

  Vec3 centroid() const {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : x_) sum += p;
    return sum / x_.size();
  }

 private:
  struct Constraint {
    int a, b;
    double length;
  };

  static constexpr int kWidth = 55, kHeight = 45;
  static constexpr double kStep2 = 0.25;
  static int index(int x, int y) { return y * kWidth + x; }

  void connect(int distance, Order order) {
    const int outer = order == Order::x_outer ? kWidth : kHeight;
    const int inner = order == Order::x_outer ? kHeight : kWidth;
    for (int p = 0; p < outer; ++p)
      for (int q = 0; q < inner; ++q) {
        const int x = order == Order::x_outer ? p : q, y = order == Order::x_outer ? q : p;
        const bool right = x + distance < kWidth, down = y + distance < kHeight;
        if (right) add(index(x, y), index(x + distance, y));
        if (down) add(index(x, y), index(x, y + distance));
        if (right && down) add(index(x, y), index(x + distance, y + distance));
        if (right && down) add(index(x + distance, y), index(x, y + distance));
      }
  }
  void add(int a, int b) { constraints_.push_back({a, b, (x_[b] - x_[a]).norm()}); }

  /// Half of the error for each end; a held end does not take its half, so that half is lost.
  void satisfy(const Constraint& c) {
    const Vec3 d = x_[c.b] - x_[c.a];
    const Vec3 half = 0.5 * (1 - c.length / d.norm()) * d;
    if (!held_[c.a]) x_[c.a] += half;
    if (!held_[c.b]) x_[c.b] -= half;
  }

  void blow(std::vector<Vec3>& push) const {
    const Vec3 wind = Vec3(0.5, 0, 0.2) * kStep2;
    for (int x = 0; x + 1 < kWidth; ++x)
      for (int y = 0; y + 1 < kHeight; ++y) {
        const int a = index(x, y), b = index(x + 1, y), c = index(x, y + 1), d = index(x + 1, y + 1);
        for (const auto& [p, q, r] : {std::array{b, a, c}, std::array{d, b, c}}) {
          const Vec3 normal = (x_[q] - x_[p]).cross(x_[r] - x_[p]);
          const Vec3 force = normal * normal.normalized().dot(wind);
          for (int v : {p, q, r}) push[v] += force;
        }
      }
  }

  std::vector<Vec3> x_, old_;
  std::vector<bool> held_;
  std::vector<Constraint> constraints_;
  int frame_ = 0;
};

}  // namespace twin
