#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "muslin/core/types.h"

// An independent twin of the CS184 cloth simulator (UC Berkeley) in plain loops, written from its description
// alone and sharing nothing with the library.

namespace twin {

using muslin::Vec3;

class Cs184 {
 public:
  struct Sphere {
    Vec3 origin;
    double radius, friction;
  };
  struct Plane {
    Vec3 point, normal;
    double friction;
  };
  /// In which order the springs of a cloth stand in their list. The stretch limit, a Gauss–Seidel pass, sees
  /// it: the reference numbers (largest stretch 1.125) come from by_point; by_class gives 1.122.
  enum class Springs { by_point, by_class };
  /// Self-collision from the same positions for everybody, or one point after another.
  enum class Apart { jacobi, in_place, off };
  struct Scene {
    bool upright = false;                    // orientation 1: in the xy plane, z random in ±1/1000
    std::vector<std::array<int, 2>> pinned;  // [x, y]
    std::optional<Sphere> sphere;
    std::optional<Plane> plane;
    Springs springs = Springs::by_point;
    Apart apart = Apart::jacobi;
  };

  explicit Cs184(const Scene& scene) : scene_(scene) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> noise(-1e-3, 1e-3);
    for (int y = 0; y < kN; ++y)
      for (int x = 0; x < kN; ++x) {
        const double u = x / (kN - 1.0), v = y / (kN - 1.0);
        x_.push_back(scene.upright ? Vec3(u, v, noise(random)) : Vec3(u, 1, v));
      }
    old_ = x_;
    held_.assign(x_.size(), false);
    for (const auto& [x, y] : scene.pinned) held_[index(x, y)] = true;
    if (scene.springs == Springs::by_point) connect(true, true, true);
    if (scene.springs == Springs::by_class) connect(true, false, false);
    if (scene.springs == Springs::by_class) connect(false, true, false);
    if (scene.springs == Springs::by_class) connect(false, false, true);
  }

  void frame() {
    for (int s = 0; s < kSteps; ++s) step();
  }

  /// One substep in the course's order.
  void step() {
    move();
    if (scene_.apart != Apart::off) self_collide();
    if (scene_.sphere) collide(*scene_.sphere);
    if (scene_.plane) collide(*scene_.plane);
    limit_stretch();
  }

  const std::vector<Vec3>& positions() const { return x_; }
  int spring_count() const { return static_cast<int>(springs_.size()); }

  Vec3 centroid() const {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : x_) sum += p;
    return sum / x_.size();
  }
  double lowest() const {
    double y = x_[0].y();
    for (const Vec3& p : x_) y = std::min(y, p.y());
    return y;
  }
  /// Largest length over rest length of structural and shearing springs.
  double largest_stretch() const {
    double most = 0;
    for (const Spring& s : springs_)
      if (s.stiffness == kStiffness) most = std::max(most, (x_[s.a] - x_[s.b]).norm() / s.length);
    return most;
  }

 private:
  struct Spring {
    int a, b;
    double length, stiffness;
  };

  static constexpr int kN = 50, kSteps = 30;
  static constexpr double kDt = 1.0 / 90 / kSteps, kMass = 150.0 / (kN * kN), kDamping = 0.2,
                          kStiffness = 5000, kThickness = 0.0095, kStretch = 1.1;
  static int index(int x, int y) { return y * kN + x; }

  void connect(bool structural, bool shearing, bool bending) {
    for (int y = 0; y < kN; ++y)
      for (int x = 0; x < kN; ++x) {
        const int p = index(x, y);
        if (structural && x > 0) add(p, index(x - 1, y), 1);
        if (structural && y > 0) add(p, index(x, y - 1), 1);
        if (shearing && x > 0 && y > 0) add(p, index(x - 1, y - 1), 1);
        if (shearing && x + 1 < kN && y > 0) add(p, index(x + 1, y - 1), 1);
        if (bending && x > 1) add(p, index(x - 2, y), 0.2);
        if (bending && y > 1) add(p, index(x, y - 2), 0.2);
      }
  }
  void add(int a, int b, double factor) {
    springs_.push_back({a, b, (x_[a] - x_[b]).norm(), factor * kStiffness});
  }

  /// Forces, then Verlet with the course's damping in percent a substep.
  void move() {
    std::vector<Vec3> force(x_.size(), kMass * Vec3(0, -9.8, 0));
    for (const Spring& s : springs_) {
      const Vec3 d = x_[s.b] - x_[s.a];
      const double length = d.norm();
      const Vec3 pull = s.stiffness * (length - s.length) / length * d;
      force[s.a] += pull;
      force[s.b] -= pull;
    }
    for (size_t i = 0; i < x_.size(); ++i) {
      if (held_[i]) continue;
      const Vec3 now = x_[i];
      x_[i] = now + (1 - kDamping / 100) * (now - old_[i]) + force[i] / kMass * kDt * kDt;
      old_[i] = now;
    }
  }

  // Cells are twice as wide as points reach, so the two nearest cells along each axis hold every neighbour.
  static constexpr double kReach = 2 * kThickness;
  using Cell = std::array<int, 3>;
  static Cell cell_at(const Vec3& p, double shift) {
    Cell c;
    for (int k = 0; k < 3; ++k) c[k] = static_cast<int>(std::floor(p[k] / (2 * kReach) - shift));
    return c;
  }
  static constexpr int kBuckets = 32 * 32 * 32;
  static int bucket(const Cell& c) { return (c[0] & 31) | (c[1] & 31) << 5 | (c[2] & 31) << 10; }

  /// Keeps every two points twice the thickness apart: the mean correction of a point over the substeps.
  void self_collide() {
    const int n = static_cast<int>(x_.size());
    std::vector<int> head(kBuckets, -1), next(n);
    std::vector<Cell> cell(n);
    for (int i = n - 1; i >= 0; --i) {
      cell[i] = cell_at(x_[i], 0);
      next[i] = std::exchange(head[bucket(cell[i])], i);
    }
    const std::vector<Vec3> before = x_;
    const std::vector<Vec3>& seen = scene_.apart == Apart::jacobi ? before : x_;
    for (int i = 0; i < n; ++i) {
      if (held_[i]) continue;
      const Cell low = cell_at(before[i], 0.5);
      Vec3 sum = Vec3::Zero();
      int count = 0;
      for (int k = 0; k < 8; ++k) {
        const Cell c{low[0] + (k & 1), low[1] + (k >> 1 & 1), low[2] + (k >> 2)};
        for (int j = head[bucket(c)]; j >= 0; j = next[j]) {
          if (j == i || cell[j] != c) continue;
          const Vec3 d = seen[i] - seen[j];
          if (d.squaredNorm() >= kReach * kReach || d.isZero(0)) continue;
          const double distance = d.norm();
          sum += (kReach - distance) / distance * d;
          ++count;
        }
      }
      if (count > 0) x_[i] += sum / count / kSteps;
    }
  }

  void collide(const Sphere& sphere) {
    for (size_t i = 0; i < x_.size(); ++i) {
      const Vec3 d = x_[i] - sphere.origin;
      if (held_[i] || d.norm() >= sphere.radius) continue;
      const Vec3 tangent = sphere.origin + sphere.radius * d.normalized();
      x_[i] = old_[i] + (1 - sphere.friction) * (tangent - old_[i]);
    }
  }

  void collide(const Plane& plane) {
    for (size_t i = 0; i < x_.size(); ++i) {
      const double from = plane.normal.dot(old_[i] - plane.point), to = plane.normal.dot(x_[i] - plane.point);
      if (held_[i] || (from >= 0) == (to >= 0)) continue;
      const double offset = from >= 0 ? 1e-4 : -1e-4;
      const Vec3 target = x_[i] + (offset - to) * plane.normal;
      x_[i] = old_[i] + (1 - plane.friction) * (target - old_[i]);
    }
  }

  /// One Gauss–Seidel pass [Provot 1995].
  void limit_stretch() {
    for (const Spring& s : springs_) {
      const Vec3 d = x_[s.b] - x_[s.a];
      const double length = d.norm();
      if (length <= kStretch * s.length || (held_[s.a] && held_[s.b])) continue;
      const Vec3 excess = (length - kStretch * s.length) / length * d;
      const double weight = held_[s.a] || held_[s.b] ? 1 : 0.5;
      if (!held_[s.a]) x_[s.a] += weight * excess;
      if (!held_[s.b]) x_[s.b] -= weight * excess;
    }
  }

  Scene scene_;
  std::vector<Vec3> x_, old_;
  std::vector<bool> held_;
  std::vector<Spring> springs_;
};

}  // namespace twin
