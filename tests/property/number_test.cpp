#include <array>

#include "property/elements.h"

// The mathematics of every element in other number types than double: dual numbers give exact derivatives, to
// compare with those that are written down; packs of four floats must say of four elements what floats say of
// each.

namespace muslin {
namespace {

/// Forward-mode differentiation: a value and its derivative by one variable.
struct Dual {
  double value = 0, slope = 0;
  Dual() = default;
  Dual(double constant) : value(constant) {}
  Dual(double v, double s) : value(v), slope(s) {}

  friend Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator-(Dual a) { return {-a.value, -a.slope}; }
  friend Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
  friend Dual operator/(Dual a, Dual b) {
    return {a.value / b.value, (a.slope - a.value / b.value * b.slope) / b.value};
  }
  Dual& operator+=(Dual b) { return *this = *this + b; }
  Dual& operator-=(Dual b) { return *this = *this - b; }
  Dual& operator*=(Dual b) { return *this = *this * b; }
  Dual& operator/=(Dual b) { return *this = *this / b; }
  friend bool operator<(Dual a, Dual b) { return a.value < b.value; }
  friend bool operator>(Dual a, Dual b) { return a.value > b.value; }

  friend Dual sqrt(Dual a) { return {std::sqrt(a.value), a.slope / (2 * std::sqrt(a.value))}; }
  friend Dual log(Dual a) { return {std::log(a.value), a.slope / a.value}; }
  friend Dual atan2(Dual y, Dual x) {
    return {std::atan2(y.value, x.value),
            (y.slope * x.value - y.value * x.slope) / (x.value * x.value + y.value * y.value)};
  }
};

constexpr int kLanes = 4;

/// Four floats that go through the same operations.
struct Pack {
  std::array<float, kLanes> lane{};
  Pack() = default;
  Pack(double all) { lane.fill(static_cast<float>(all)); }
};
/// What comparing packs gives: a truth for every float.
struct Mask {
  std::array<bool, kLanes> lane{};
};

template <class Result, class Function>
Result each_lane(const Function& function) {
  Result result;
  for (int i = 0; i < kLanes; ++i) result.lane[i] = function(i);
  return result;
}
template <class Function>
Pack numbers(const Function& function) {
  return each_lane<Pack>(function);
}
template <class Function>
Mask truths(const Function& function) {
  return each_lane<Mask>(function);
}

Pack operator+(const Pack& a, const Pack& b) {
  return numbers([&](int i) { return a.lane[i] + b.lane[i]; });
}
Pack operator-(const Pack& a, const Pack& b) {
  return numbers([&](int i) { return a.lane[i] - b.lane[i]; });
}
Pack operator*(const Pack& a, const Pack& b) {
  return numbers([&](int i) { return a.lane[i] * b.lane[i]; });
}
Pack operator/(const Pack& a, const Pack& b) {
  return numbers([&](int i) { return a.lane[i] / b.lane[i]; });
}
Pack operator-(const Pack& a) {
  return numbers([&](int i) { return -a.lane[i]; });
}
Pack& operator+=(Pack& a, const Pack& b) { return a = a + b; }
Mask operator<(const Pack& a, const Pack& b) {
  return truths([&](int i) { return a.lane[i] < b.lane[i]; });
}
Mask operator>(const Pack& a, const Pack& b) { return b < a; }
Mask operator<=(const Pack& a, const Pack& b) {
  return truths([&](int i) { return a.lane[i] <= b.lane[i]; });
}
Mask operator>=(const Pack& a, const Pack& b) { return b <= a; }
Pack sqrt(const Pack& a) {
  return numbers([&](int i) { return std::sqrt(a.lane[i]); });
}
Pack log(const Pack& a) {
  return numbers([&](int i) { return maths::log(a.lane[i]); });
}
Pack abs(const Pack& a) {
  return numbers([&](int i) { return std::abs(a.lane[i]); });
}
Pack atan2(const Pack& a, const Pack& b) {
  return numbers([&](int i) { return maths::atan2(a.lane[i], b.lane[i]); });
}
bool any(const Mask& m) { return m.lane[0] || m.lane[1] || m.lane[2] || m.lane[3]; }
bool all(const Mask& m) { return m.lane[0] && m.lane[1] && m.lane[2] && m.lane[3]; }
Mask both(const Mask& a, const Mask& b) {
  return truths([&](int i) { return a.lane[i] && b.lane[i]; });
}
Pack select(const Mask& m, const Pack& yes, const Pack& no) {
  return numbers([&](int i) { return m.lane[i] ? yes.lane[i] : no.lane[i]; });
}

}  // namespace
}  // namespace muslin

namespace Eigen {
template <class T>
struct TestNumTraits : GenericNumTraits<T> {
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};
template <>
struct NumTraits<muslin::Dual> : TestNumTraits<muslin::Dual> {};
template <>
struct NumTraits<muslin::Pack> : TestNumTraits<muslin::Pack> {};
}  // namespace Eigen

namespace muslin {
namespace {

// --- elements in another number type ---------------------------------------------------------------

void put(double from, int, Dual& to) { to = from; }
void put(double from, int, float& to) { to = static_cast<float>(from); }
void put(double from, int lane, Pack& to) { to.lane[lane] = static_cast<float>(from); }
template <class T, int Rows, int Columns>
void put(const Eigen::Matrix<double, Rows, Columns>& from, int lane, Eigen::Matrix<T, Rows, Columns>& to) {
  for (int i = 0; i < Rows * Columns; ++i) put(from.data()[i], lane, to.data()[i]);
}
template <class T>
void put(const RestTriangle& from, int lane, RestTriangleOf<T>& to) {
  put(from.u, lane, to.u);
  put(from.v, lane, to.v);
  put(from.area, lane, to.area);
}

template <template <class> class K, class T>
void put_shape(const typename K<double>::Shape& from, int lane, typename K<T>::Shape& to) {
  if constexpr (std::is_same_v<K<T>, Spring<T>>) {
    to.kind = from.kind;
  } else if constexpr (std::is_same_v<K<T>, BaraffWitkin<T>>) {
    put(from.triangle, lane, to.triangle);
    put(from.stiffening, lane, to.stiffening);
    put(from.limit.strain, lane, to.limit.strain);
    put(from.limiting, lane, to.limiting);
  } else if constexpr (std::is_same_v<K<T>, DihedralBending<T>>) {
    to.is_border = from.is_border;
    put(from.hinges, lane, to.hinges);
  } else if constexpr (!std::is_empty_v<typename K<T>::Shape>) {
    put(from, lane, to);  // a number, a matrix or a RestTriangle; any other shape needs a case above
  }
}

/// Numbers of an element, or of a pack of them, in the type T.
template <template <class> class K, class T>
struct Held {
  typename K<T>::Shape shape;
  typename K<T>::Stiffness stiffness;
  typename K<T>::Rest rest;

  void take(const ElementEnergy<K>& energy, int lane = 0) {
    put_shape<K, T>(energy.shapes()[0], lane, shape);
    put(energy.stiffness[0], lane, stiffness);
    if constexpr (rests_at_zero<K<T>>())
      put(energy.rest.empty() ? Mat3(Mat3::Zero()) : energy.rest[0], lane, rest);
    else
      put(energy.rest[0], lane, rest);
  }
  K<T> kernel() const {
    if constexpr (rests_at_zero<K<T>>())
      return {shape, stiffness, &rest};
    else
      return {shape, stiffness, rest};
  }
};

template <class T, int N>
Local<N, T> as(const Local<N>& x) {
  Local<N, T> result;
  put(x, 0, result);
  return result;
}

// --- dual numbers ----------------------------------------------------------------------------------

template <class Numbers>
double largest(const Numbers& numbers) {
  return numbers.cwiseAbs().maxCoeff();
}

template <template <class> class K>
void expect_derivatives(const Element<ElementEnergy<K>>& made) {
  constexpr int n = K<double>::kSize;
  Held<K, Dual> held;
  held.take(made.energy);
  const K<Dual> dual = held.kernel();
  const K<double> written = made.energy[0];
  const Local<n> gradient = written.gradient(made.x);
  const LocalHessian<n> hessian = written.hessian(made.x);
  Local<n> by_value;
  LocalHessian<n> by_gradient;
  for (int k = 0; k < 3 * n; ++k) {
    Local<n, Dual> x = as<Dual, n>(made.x);
    x.data()[k].slope = 1;
    const Dual value = dual.value(x);
    by_value.data()[k] = value.slope;
    RC_ASSERT(std::abs(value.value - written.value(made.x)) <= 1e-12 * std::abs(value.value));
    const Local<n, Dual> slopes = dual.gradient(x);
    for (int j = 0; j < 3 * n; ++j) by_gradient(j, k) = slopes.data()[j].slope;
  }
  const double force = largest(gradient) + made.stiffness() * made.thinness;
  RC_ASSERT(largest(by_value - gradient) <= 1e-9 * force);
  RC_ASSERT(largest(by_gradient - hessian) <= 1e-8 * (largest(hessian) + made.stiffness()));

  for (int c = 0; c < K<double>::kConditions; ++c) {
    Local<n> direction, by_condition;
    if (std::abs(written.condition(c, made.x, direction)) < 1e-3) continue;  // √(2E) has a kink at 0
    for (int k = 0; k < 3 * n; ++k) {
      Local<n, Dual> x = as<Dual, n>(made.x), unused;
      x.data()[k].slope = 1;
      by_condition.data()[k] = dual.condition(c, x, unused).slope;
    }
    RC_ASSERT(largest(by_condition - direction) <= 1e-8 * largest(direction));
  }
}

template <class E>
class EveryNumberType : public testing::Test {};
TYPED_TEST_SUITE(EveryNumberType, AllEnergies);

TYPED_TEST(EveryNumberType, DualNumbersGiveTheWrittenDerivatives) {
  EXPECT_TRUE(rc::check([] { expect_derivatives(any_element<TypeParam>()); }));
}

// --- packs -----------------------------------------------------------------------------------------

/// The borders of plates in one pack are the same.
template <class E>
bool fit_in_one_pack(const E& a, const E& b) {
  if constexpr (std::is_same_v<E, DihedralEnergy>) return a.shapes()[0].is_border == b.shapes()[0].is_border;
  return true;
}

/// The angles of a plate may cancel in its Hessian; rounding is relative to the terms before they do.
template <class E>
double size_of_terms(const Element<E>& element) {
  if constexpr (std::is_same_v<E, DihedralEnergy>) {
    E apart = element.energy;
    apart.stiffness[0] = apart.stiffness[0].norm() * Mat3::Identity();
    return largest(LocalHessian<6>(apart[0].hessian_psd(element.x)));
  }
  return 0;
}

/// What the pack's kernel says at a lane, against the same kernel in floats. Eigen may add floats in another
/// order.
template <template <class> class K>
void expect_same_in_packs(const std::array<Element<ElementEnergy<K>>, kLanes>& elements) {
  constexpr int n = K<double>::kSize;
  constexpr double kRounding = 4e-6;  // thirty roundings of a float
  Held<K, Pack> held;
  Local<n, Pack> x;
  for (int lane = 0; lane < kLanes; ++lane) {
    held.take(elements[lane].energy, lane);
    put(elements[lane].x, lane, x);
  }
  const K<Pack> pack = held.kernel();
  const Pack value = pack.value(x);
  const Local<n, Pack> gradient = pack.gradient(x);
  const LocalHessian<n, Pack> hessian = pack.hessian_psd(x);
  for (int lane = 0; lane < kLanes; ++lane) {
    const Element<ElementEnergy<K>>& element = elements[lane];
    Held<K, float> single;
    single.take(element.energy);
    const K<float> scalar = single.kernel();
    const Local<n, float> at = as<float, n>(element.x);
    const float scalar_value = scalar.value(at);
    const Local<n, float> scalar_gradient = scalar.gradient(at);
    const LocalHessian<n, float> scalar_hessian = scalar.hessian_psd(at);
    const double k = element.stiffness() + largest(scalar_hessian) + size_of_terms(element);
    const double size = element.x.norm();
    RC_ASSERT(std::abs(value.lane[lane] - scalar_value) <= kRounding * (scalar_value + k * size * size));
    for (int i = 0; i < 3 * n; ++i)
      RC_ASSERT(std::abs(gradient.data()[i].lane[lane] - scalar_gradient.data()[i]) <=
                kRounding * (largest(scalar_gradient) + k * size));
    for (int i = 0; i < 9 * n * n; ++i)
      RC_ASSERT(std::abs(hessian.data()[i].lane[lane] - scalar_hessian.data()[i]) <= kRounding * k);

    for (int c = 0; c < K<double>::kConditions; ++c) {
      Local<n, Pack> direction;
      Local<n, float> scalar_direction;
      const Pack condition = pack.condition(c, x, direction);
      const float scalar_condition = scalar.condition(c, at, scalar_direction);
      RC_ASSERT(std::abs(condition.lane[lane] - scalar_condition) <=
                kRounding * (1 + std::sqrt(k) + largest(scalar_direction)) * (1 + size));
    }
  }
}

TYPED_TEST(EveryNumberType, PacksSayWhatFloatsSay) {
  EXPECT_TRUE(rc::check([] {
    std::array<Element<TypeParam>, kLanes> elements;
    elements[0] = any_element<TypeParam>();
    for (int lane = 1; lane < kLanes; ++lane) do {
        elements[lane] = any_element<TypeParam>();
      } while (!fit_in_one_pack(elements[lane].energy, elements[0].energy));
    expect_same_in_packs(elements);
  }));
}

}  // namespace
}  // namespace muslin
