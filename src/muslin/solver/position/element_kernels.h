#pragma once
#include "muslin/solver/position/chain_kernels.h"
#include "muslin/solver/position/colour_kernels.h"
#include "muslin/solver/position/lane_vector.h"

// As lane_vector.h: one file for every instruction set.

namespace muslin {

/// The places of W vertices as they lie in memory, four floats each: row k has that of lane k and, of eight
/// lanes, that of lane k + 4.
template <int W>
struct Quads {
  using F = Lanes<W, 1>;
  using Register = typename F::Register;
  using Quarter = RegisterOf<4>::Type;
  Register row[4];

  static Quads load(const float* from, const std::int32_t* vertices) {
    Quads r;
    for (int k = 0; k < 4; ++k)
      if constexpr (W == 4) {
        __builtin_memcpy(&r.row[k], from + vertices[k], sizeof(Quarter));
      } else {
        Quarter low, high;
        __builtin_memcpy(&low, from + vertices[k], sizeof low);
        __builtin_memcpy(&high, from + vertices[k + 4], sizeof high);
        r.row[k] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
      }
    return r;
  }
  void store(float* to, const std::int32_t* vertices) const {
    for (int k = 0; k < 4; ++k)
      if constexpr (W == 4) {
        __builtin_memcpy(to + vertices[k], &row[k], sizeof(Quarter));
      } else {
        const Quarter low = __builtin_shufflevector(row[k], row[k], 0, 1, 2, 3),
                      high = __builtin_shufflevector(row[k], row[k], 4, 5, 6, 7);
        __builtin_memcpy(to + vertices[k], &low, sizeof low);
        __builtin_memcpy(to + vertices[k + 4], &high, sizeof high);
      }
  }

  /// x, y and z of all lanes.
  Vector<F> planes() const {
    Register x = row[0], y = row[1], z = row[2], rest = row[3];
    Fours<W>::transpose(x, y, z, rest);
    return {F{{x}}, F{{y}}, F{{z}}};
  }
  static Quads of(const Vector<F>& v) {
    Quads r{{v.x.part[0], v.y.part[0], v.z.part[0], Register{}}};
    Fours<W>::transpose(r.row[0], r.row[1], r.row[2], r.row[3]);
    return r;
  }

  friend Quads operator+(const Quads& a, const Quads& b) {
    return {{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2], a.row[3] + b.row[3]}};
  }
  friend Quads operator-(const Quads& a, const Quads& b) {
    return {{a.row[0] - b.row[0], a.row[1] - b.row[1], a.row[2] - b.row[2], a.row[3] - b.row[3]}};
  }
  /// Every lane's place times its number.
  friend Quads operator*(const F& s, const Quads& a) {
    return {{splat<0>(s) * a.row[0], splat<1>(s) * a.row[1], splat<2>(s) * a.row[2], splat<3>(s) * a.row[3]}};
  }

 private:
  template <int lane>
  static Register splat(const F& s) {
    return Fours<W>::template pick<lane, lane, lane, lane>(s.part[0], s.part[0]);
  }
};

/// Calls body(vertices, number) for W lanes after another, where vertices(k) are those of slot k and
/// number(k) are the lanes' numbers.
template <int W, int kSlots, int kNumbers, class Body>
void for_all_lanes(const ColourJob& job, const Body& body) {
  for (int g = 0; g < job.groups; ++g)
    for (int l = 0; l < kColourLanes; l += W) {
      const std::int32_t* vertices = job.vertices + g * kSlots * kColourLanes + l;
      const float* numbers = job.numbers + g * kNumbers * kColourLanes + l;
      body([vertices](int slot) { return vertices + slot * kColourLanes; },
           [numbers](int number) { return Lanes<W, 1>::load(numbers + number * kColourLanes); });
    }
}

/// One XPBD step of every spring: C = |d| − L.
template <int W, bool kDamped>
void project_springs(const ColourJob& job) {
  using F = Lanes<W, 1>;
  using N = SpringNumber;
  for_all_lanes<W, 2, kDamped ? N::count : N::count - 1>(job, [&](const auto& vertices, const auto& number) {
    const Quads<W> a = Quads<W>::load(job.place, vertices(0)), b = Quads<W>::load(job.place, vertices(1)),
                   d = b - a;
    F wanted = number(N::rest);
    if constexpr (kDamped) {
      const Vector<F> before =
          (Quads<W>::load(job.start, vertices(1)) - Quads<W>::load(job.start, vertices(0))).planes();
      wanted = wanted + number(N::shift) * (root(dot(before, before)) - wanted);
    }
    const Vector<F> planes = d.planes();
    const F squared = dot(planes, planes);
    const F excess = where_positive(squared, F::all(1) - wanted / root(squared));
    (a + (number(N::first) * excess) * d).store(job.place, vertices(0));
    (b - (number(N::second) * excess) * d).store(job.place, vertices(1));
  });
}

/// Lines of a mesh, W of a job's from lane `first` on.
template <int W, bool kDamped>
struct MeshChains {
  using F = Lanes<W, 1>;
  using V = Vector<F>;
  using N = MeshLineNumber;
  static constexpr bool kMasked = false, kOneSided = false;
  static constexpr int kNumbers = kDamped ? N::count : N::count - 1;

  const MeshLineJob& job;
  const int first;
  const int edges = job.springs;

  const std::int32_t* vertices(int k) const { return job.vertices + k * kColourLanes + first; }
  F number(int row) const { return F::load(job.numbers + row * kColourLanes + first); }
  F of_edge(int k, int number_of) const { return number(1 + k * kNumbers + number_of); }
  V place(int k) const { return Quads<W>::load(job.place, vertices(k)).planes(); }
  V start(int k) const { return Quads<W>::load(job.start, vertices(k)).planes(); }
  F inverse_mass(int k) const { return k == 0 ? number(0) : of_edge(k - 1, N::end); }
  F shift(int k) const { return of_edge(k, N::shift); }
  F compliance(int k) const { return of_edge(k, N::compliance); }
  F rest(int k) const { return of_edge(k, N::rest); }
  void move(int k, const V& by) const {
    (Quads<W>::load(job.place, vertices(k)) + Quads<W>::of(by)).store(job.place, vertices(k));
  }
};

template <int W, bool kDamped>
void solve_mesh_lines(const MeshLineJob& job, float* scratch) {
  for (int first = 0; first < kColourLanes; first += W)
    solve_chains<Lanes<W, 1>, kDamped>(MeshChains<W, kDamped>{job, first}, scratch);
}

/// Warp f_u and weft f_v of W triangles.
template <int W>
struct Weave {
  using F = Lanes<W, 1>;
  Vector<F> u, v;

  template <class Slots, class Numbers>
  static Weave of(const float* places, const Slots& vertices, const Numbers& number) {
    using N = TriangleNumber;
    const Quads<W> first = Quads<W>::load(places, vertices(0));
    const Vector<F> p = (Quads<W>::load(places, vertices(1)) - first).planes(),
                    q = (Quads<W>::load(places, vertices(2)) - first).planes();
    return {number(N::u1) * p + number(N::u2) * q, number(N::v1) * p + number(N::v2) * q};
  }
};

/// One XPBD step of warp, weft and shear of every triangle, one after the other. All three move vertices by
/// Δxᵢ = −wᵢ (uᵢ p + vᵢ q), so that the threads f_u, f_v change by sums that are known: vertices move once.
template <int W, bool kDamped>
void project_triangles(const ColourJob& job) {
  using F = Lanes<W, 1>;
  using V = Vector<F>;
  using N = TriangleNumber;
  for_all_lanes<W, 3, kDamped ? N::count : N::count - 1>(job, [&](const auto& vertices, const auto& number) {
    auto [fu, fv] = Weave<W>::of(job.place, vertices, number);
    F rest_u = F::all(1), rest_v = F::all(1), rest_shear = F::all(0);
    if constexpr (kDamped) {
      const auto [u, v] = Weave<W>::of(job.start, vertices, number);
      rest_u = rest_u + number(N::shift) * (root(dot(u, u)) - rest_u);
      rest_v = rest_v + number(N::shift) * (root(dot(v, v)) - rest_v);
      rest_shear = number(N::shift) * dot(u, v);
    }
    const F uu = number(N::uu), uv = number(N::uv), vv = number(N::vv);
    const auto excess = [](const V& f, const F& rest) {
      const F squared = dot(f, f);
      return where_positive(squared, F::all(1) - rest / root(squared));
    };
    // 1. Warp, then weft
    V p = (number(N::warp) * excess(fu, rest_u)) * fu;
    fu = fu - uu * p;
    fv = fv - uv * p;
    V q = (number(N::weft) * excess(fv, rest_v)) * fv;
    fu = fu - uv * q;
    fv = fv - vv * q;
    // 2. Shear
    const F shear = dot(fu, fv);
    const F slopes = (uu * dot(fv, fv) + F::all(2) * (uv * shear)) + vv * dot(fu, fu);
    const F multiplier = (shear - rest_shear) / (slopes + number(N::shear));
    p = p + multiplier * fv;
    q = q + multiplier * fu;
    // 3. Vertices
    const F u1 = number(N::u1), u2 = number(N::u2), v1 = number(N::v1), v2 = number(N::v2);
    const auto move = [&](int slot, const F& w, const F& u, const F& v) {
      const Quads<W> step = Quads<W>::of(w * (u * p + v * q));
      (Quads<W>::load(job.place, vertices(slot)) - step).store(job.place, vertices(slot));
    };
    move(0, number(N::w0), F::all(0) - (u1 + u2), F::all(0) - (v1 + v2));
    move(1, number(N::w1), u1, v1);
    move(2, number(N::w2), u2, v2);
  });
}

/// y = x Rᵀ of W plates, three vectors.
template <int W>
struct Bent {
  using F = Lanes<W, 1>;
  Vector<F> y[3];

  template <class Slots, class Numbers>
  static Bent of(const float* places, const Slots& vertices, const Numbers& number) {
    Bent bent{{Vector<F>::zero(), Vector<F>::zero(), Vector<F>::zero()}};
    const Quads<W> first = Quads<W>::load(places, vertices(0));
    for (int i = 1; i < 6; ++i) {
      const Vector<F> d = (Quads<W>::load(places, vertices(i)) - first).planes();
      for (int k = 0; k < 3; ++k) bent.y[k] = bent.y[k] + number(PlateNumber::columns + 3 * (i - 1) + k) * d;
    }
    return bent;
  }
};

/// One XPBD step C² of a plate whose condition is C, of slope gᵢ/C at its six vertices: Δxᵢ = −wᵢ gᵢ C² /
/// (Σ w g² + α̃ C²). Where a stencil names a vertex twice its first slot alone moves it, and is the last to be
/// stored.
template <int W, class Slots, class Weight>
void move_plate(float* place, const Slots& vertices, const Vector<Lanes<W, 1>> (&slope)[6],
                const Weight& weight, const Lanes<W, 1>& squared, const Lanes<W, 1>& compliance) {
  using F = Lanes<W, 1>;
  F slopes = compliance * squared;
  for (int i = 0; i < 6; ++i) slopes = slopes + weight(i) * dot(slope[i], slope[i]);
  const F step = where_positive(squared, squared / slopes);
  for (int i = 5; i >= 0; --i) {
    const Quads<W> move = Quads<W>::of((weight(i) * step) * slope[i]);
    (Quads<W>::load(place, vertices(i)) - move).store(place, vertices(i));
  }
}

/// Every plate that is flat at rest: C = |y|, g = Σ R_ki y_k.
template <int W, bool kDamped>
void project_plates(const ColourJob& job) {
  using F = Lanes<W, 1>;
  using V = Vector<F>;
  using N = PlateNumber;
  for_all_lanes<W, 6, kDamped ? N::count : N::count - 1>(job, [&](const auto& vertices, const auto& number) {
    Bent<W> bent = Bent<W>::of(job.place, vertices, number);
    if constexpr (kDamped) {
      const Bent<W> before = Bent<W>::of(job.start, vertices, number);
      for (int k = 0; k < 3; ++k) bent.y[k] = bent.y[k] - number(N::shift) * before.y[k];
    }
    const F squared = (dot(bent.y[0], bent.y[0]) + dot(bent.y[1], bent.y[1])) + dot(bent.y[2], bent.y[2]);
    V slope[6];
    slope[0] = V::zero();
    for (int i = 1; i < 6; ++i) {
      const auto root = [&](int k) { return number(N::columns + 3 * (i - 1) + k); };
      slope[i] = (root(0) * bent.y[0] + root(1) * bent.y[1]) + root(2) * bent.y[2];
      slope[0] = slope[0] - slope[i];
    }
    move_plate<W>(
        job.place, vertices, slope, [&](int i) { return number(N::w + i); }, squared, number(N::compliance));
  });
}

/// The angle of (cosine, sine) to the first axis, within 1e-7, in (−π, π]: Hastings' polynomial of the arc
/// tangent of what is at most 1 [Abramowitz & Stegun 1964, 4.4.49].
template <class F>
F angle_of(const F& sine, const F& cosine) {
  const F none = F::all(0), high = max(sine, none - sine), wide = max(cosine, none - cosine);
  const F steep = high - wide, larger = max(high, wide);
  const F t = where_positive(larger, choose(steep, wide, high) / larger), x = t * t;
  constexpr float kTerms[] = {-0.0161657367f, 0.0429096138f, -0.0752896400f, 0.1065626393f,
                              -0.1420889944f, 0.1999355085f, -0.3333314528f, 1.0f};
  F sum = F::all(0.0028662257f);
  for (const float c : kTerms) sum = sum * x + F::all(c);
  const F small = t * sum, first = choose(steep, F::all(1.57079633f) - small, small);
  const F upper = choose(none - cosine, F::all(3.14159265f) - first, first);
  return choose(none - sine, none - upper, upper);
}

/// Hinge k of W plates at places relative to their first vertex, as Fold has it: the angle over
/// the edge p q, and how tips a and b change it.
template <int W>
struct FoldLanes {
  using F = Lanes<W, 1>;
  using V = Vector<F>;
  F angle, alpha, beta;
  V to_a, to_b;

  static FoldLanes of(const V (&x)[6], int k) {
    const V edge = x[(k + 2) % 3] - x[(k + 1) % 3], a = x[k] - x[(k + 1) % 3], b = x[3 + k] - x[(k + 1) % 3];
    const V own = cross(edge, a), other = cross(b, edge);
    const F squared = dot(edge, edge), length = root(squared);
    const auto tip = [&](const V& normal) {
      const F area = dot(normal, normal);
      return where_positive(area, (F::all(0) - length) / area) * normal;
    };
    return {angle_of(dot(cross(own, other), edge), length * dot(own, other)),
            where_positive(squared, dot(a, edge) / squared), where_positive(squared, dot(b, edge) / squared),
            tip(own), tip(other)};
  }

  /// slope += factor ∂θ/∂x
  void add(int k, const F& factor, V (&slope)[6]) const {
    const V a = factor * to_a, b = factor * to_b, along = alpha * a + beta * b;
    slope[k] = slope[k] + a;
    slope[3 + k] = slope[3 + k] + b;
    slope[(k + 1) % 3] = slope[(k + 1) % 3] + (along - (a + b));
    slope[(k + 2) % 3] = slope[(k + 2) % 3] - along;
  }
};

/// The places of a plate's vertices relative to its first.
template <int W, class Slots>
void load_plate(const float* places, const Slots& vertices, Vector<Lanes<W, 1>> (&x)[6]) {
  const Quads<W> first = Quads<W>::load(places, vertices(0));
  x[0] = Vector<Lanes<W, 1>>::zero();
  for (int i = 1; i < 6; ++i) x[i] = (Quads<W>::load(places, vertices(i)) - first).planes();
}

/// Every plate of any rest shape: C² = φᵀ Q φ, g = Σ (Qφ)_k ∂θ_k/∂xᵢ.
template <int W, bool kDamped>
void project_hinges(const ColourJob& job) {
  using F = Lanes<W, 1>;
  using V = Vector<F>;
  using N = HingeNumber;
  for_all_lanes<W, 6, kDamped ? N::count : N::count - 1>(job, [&](const auto& vertices, const auto& number) {
    V x[6];
    F rest[3];
    for (int k = 0; k < 3; ++k) rest[k] = number(N::rest + k);
    if constexpr (kDamped) {
      load_plate<W>(job.start, vertices, x);
      for (int k = 0; k < 3; ++k)
        rest[k] = rest[k] + number(N::shift) * (FoldLanes<W>::of(x, k).angle - rest[k]);
    }
    load_plate<W>(job.place, vertices, x);
    const FoldLanes<W> folds[3] = {FoldLanes<W>::of(x, 0), FoldLanes<W>::of(x, 1), FoldLanes<W>::of(x, 2)};
    const F bent[3] = {folds[0].angle - rest[0], folds[1].angle - rest[1], folds[2].angle - rest[2]};
    constexpr int kForm[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    V slope[6] = {V::zero(), V::zero(), V::zero(), V::zero(), V::zero(), V::zero()};
    F squared = F::all(0);
    for (int k = 0; k < 3; ++k) {
      const auto form = [&](int l) { return number(N::form + kForm[k][l]); };
      const F moment = (form(0) * bent[0] + form(1) * bent[1]) + form(2) * bent[2];
      squared = squared + moment * bent[k];
      folds[k].add(k, moment, slope);
    }
    slope[3] = slope[3] + (number(N::repeats) * slope[4] + number(N::repeats + 1) * slope[5]);
    slope[4] = slope[4] + number(N::repeats + 2) * slope[5];
    move_plate<W>(
        job.place, vertices, slope, [&](int i) { return number(N::w + i); }, squared, number(N::compliance));
  });
}

template <int W>
constexpr ColourKernels make_colour_kernels(const char* name) {
  return {name,
          {{project_springs<W, false>, project_springs<W, true>},
           {project_triangles<W, false>, project_triangles<W, true>},
           {project_plates<W, false>, project_plates<W, true>},
           {project_hinges<W, false>, project_hinges<W, true>}},
          {solve_mesh_lines<W, false>, solve_mesh_lines<W, true>}};
}

}  // namespace muslin
