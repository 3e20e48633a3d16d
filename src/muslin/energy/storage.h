#pragma once
#include <memory>
#include <vector>

#include "muslin/energy/energy.h"

namespace muslin {

/// What the elements of a kernel have in common besides Elements, if it names such a type: `using Shared`,
/// made of the number of vertices and all stencils.
template <class K>
struct SharedOf {
  struct type {};  ///< nothing
};
/// As the kernel names it.
template <class K>
requires requires { typename K::Shared; }
struct SharedOf<K> {
  using type = typename K::Shared;  ///< what it names
};

/// The energy of stored elements, once for all kernels. Stencils and shapes are shared between copies,
/// because the energies of a damped step differ from those of the model in stiffness and rest alone.
template <template <class> class KernelOf>
class ElementEnergy {
 public:
  using Element = KernelOf<double>;                          ///< the mathematics of one element, see Kernel
  using Shape = typename Element::Shape;                     ///< what of an element is constant during a run
  using Stiffness = typename Element::Stiffness;             ///< what damping multiplies
  using Rest = typename Element::Rest;                       ///< what damping moves
  static constexpr std::string_view kName = Element::kName;  ///< in lists and reports
  static constexpr int kSize = Element::kSize;               ///< vertices of an element
  static constexpr int kConditions = Element::kConditions;   ///< scalar conditions of an element

  using Shared = typename SharedOf<Element>::type;  ///< see there

  /// What an energy and the steps made of it have in common.
  struct Storage : Elements<kSize> {
    std::vector<Shape> shapes;  ///< one an element
    Shared shared;              ///< made by connect
  };

  std::vector<Stiffness> stiffness;  ///< one an element; damping multiplies it
  std::vector<Rest> rest;  ///< one an element, or none where all are zero (kRestsAtZero); damping moves it

  /// How many elements there are.
  int size() const { return static_cast<int>(stiffness.size()); }

  /// Element e, which refers to what is stored here: valid until elements are added.
  Element operator[](int e) const {
    if constexpr (rests_at_zero<Element>())
      return {storage_->shapes[e], stiffness[e], rest.empty() ? nullptr : &rest[e]};
    else
      return {storage_->shapes[e], stiffness[e], rest[e]};
  }
  /// The vertices of element e.
  const Stencil<kSize>& vertices(int e) const { return storage_->vertices[e]; }
  /// What is constant of every element.
  const std::vector<Shape>& shapes() const { return storage_->shapes; }
  /// What loops need to visit the elements.
  const Elements<kSize>& elements() const { return *storage_; }
  /// What they have in common besides.
  const Shared& shared() const { return storage_->shared; }

  /// Adds an element; `damping` is its time constant [s].
  void add(const Stencil<kSize>& vertices, double damping, const Shape& shape, const Stiffness& k,
           const Rest& rest_state) requires(!rests_at_zero<Element>()) {
    append(vertices, damping, shape, k);
    rest.push_back(rest_state);
  }
  /// The same of an element that rests at zero.
  void add(const Stencil<kSize>& vertices, double damping, const Shape& shape,
           const Stiffness& k) requires(rests_at_zero<Element>()) {
    append(vertices, damping, shape, k);
  }

  /// Finds incidence and colouring among a model's vertices: to be called when all elements are there.
  void connect(int vertex_count) {
    Storage& storage = edit();
    storage.incidence = build_incidence(vertex_count, storage.vertices);
    storage.colouring = colour(vertex_count, storage.vertices);
    if constexpr (requires { typename Element::Shared; })
      storage.shared = Shared(vertex_count, storage.vertices);
  }

  /// What copies share, to be changed here alone: copied first if anybody else has it.
  Storage& edit() {
    if (storage_.use_count() != 1) storage_ = std::make_shared<Storage>(*storage_);
    return *storage_;
  }

  /// Takes stencils and shapes from another energy, without copying them.
  void share(const ElementEnergy& other) { storage_ = other.storage_; }

 private:
  void append(const Stencil<kSize>& vertices, double damping, const Shape& shape, const Stiffness& k) {
    Storage& storage = edit();
    storage.vertices.push_back(vertices);
    storage.damping.push_back(damping);
    storage.shapes.push_back(shape);
    stiffness.push_back(k);
  }

  std::shared_ptr<Storage> storage_ = std::make_shared<Storage>();
};

}  // namespace muslin
