#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <memory>
#include <string>

#include "muslin/muslin.h"
#include "unlocked.h"

// What the parts of the module share. The classes here are bare: python/muslin wraps them, checks what it is
// given, and tells people what they do.

namespace py = pybind11;

/// One row a vertex, as numpy has them.
using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// n×3 numbers as the library's 3×n: the same bytes. Throws muslin::Error for another shape.
muslin::Points points_of(const char* what, const Rows& rows);
/// A copy as an array of n rows.
py::array_t<double> rows_of(const muslin::Points& points);

/// A scene that never changes, with the meshes that it has from memory.
struct SceneHandle {
  muslin::Scene scene;
};

/// Another thread is using the simulation.
struct Busy : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Memory of a State that numpy reads. It stays as it is: before its simulation goes on, or ends, that leaves
/// the memory to whoever still reads it.
struct Lent {
  bool is_own = false;  ///< no longer the simulation's
  muslin::Points own;
};

/// A Simulation, for one thread at a time.
struct Run {
  explicit Run(const muslin::Scene& scene) : simulation(scene) {}
  ~Run() { leave(false); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Leaves to its readers what they read; a simulation that goes on does so in a copy.
  void leave(bool goes_on) {
    reactions.reset();
    leave(positions, &muslin::State::positions, goes_on);
    leave(velocities, &muslin::State::velocities, goes_on);
  }

  muslin::Simulation simulation;
  std::atomic<bool> busy = false;
  std::optional<muslin::Reactions> reactions;  ///< of the state as it is, once they were asked for
  std::weak_ptr<Lent> positions, velocities;   ///< what is read of them now

 private:
  // The simulation is ours alone, so that the State may be changed here.
  void leave(const std::weak_ptr<Lent>& lent, muslin::Points muslin::State::*member, bool goes_on) {
    const std::shared_ptr<Lent> reader = lent.lock();
    if (!reader || reader->is_own) return;
    muslin::Points& numbers = const_cast<muslin::State&>(simulation.state()).*member;
    muslin::Points copy = goes_on ? numbers : muslin::Points();
    reader->own.swap(numbers);
    numbers.swap(copy);
    reader->is_own = true;
  }
};

/// The right to use a simulation, for the time of one call. Throws Busy if another thread has it.
class Turn {
 public:
  explicit Turn(Run& run) : run_(run) {
    if (run_.busy.exchange(true)) throw Busy("another thread is stepping this Simulation: wait for it");
  }
  ~Turn() { run_.busy = false; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Run& run_;
};

/// The right to change a simulation, for the time of one call; takes the interpreter's lock to be held.
class Change {
 public:
  explicit Change(Run& run) : turn_(run) { run.leave(true); }

 private:
  Turn turn_;
};

void bind_scenes(py::module_& module);
void bind_simulation(py::module_& module);
void bind_judges(py::module_& module);
void bind_sweeps(py::module_& module);
void bind_pictures(py::module_& module);
