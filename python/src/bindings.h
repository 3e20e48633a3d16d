#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <memory>
#include <string>

#include "muslin/muslin.h"

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

struct Run;

/// Memory of a State that numpy reads. It stays as it is: before its simulation goes on, that leaves the
/// memory to whoever still reads it, and goes on in a copy.
struct Lent {
  std::shared_ptr<Run> run;  ///< whose memory it is; null: it is our own
  muslin::Points own;
};

/// A Simulation, for one thread at a time.
struct Run {
  explicit Run(const muslin::Scene& scene) : simulation(scene) {}

  muslin::Simulation simulation;
  std::atomic<bool> busy = false;
  std::weak_ptr<Lent> positions, velocities;  ///< what is read of them now
};

/// The right to use a simulation, for the time of one call. Throws Busy if another thread has it.
class Turn {
 public:
  explicit Turn(Run& run) : run_(run) {
    if (run_.busy.exchange(true))
      throw Busy("another thread is stepping this Simulation: wait for it, or take a copy");
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
  explicit Change(Run& run) : turn_(run) {
    part(run, run.positions, &muslin::State::positions);
    part(run, run.velocities, &muslin::State::velocities);
  }

 private:
  // The old memory goes to its readers. The simulation is ours alone, so that the State may be changed here.
  static void part(Run& run, std::weak_ptr<Lent>& lent, muslin::Points muslin::State::*member) {
    const std::shared_ptr<Lent> reader = lent.lock();
    if (!reader || !reader->run) return;
    muslin::Points& numbers = const_cast<muslin::State&>(run.simulation.state()).*member;
    muslin::Points copy = numbers;
    numbers.swap(copy);
    reader->own.swap(copy);
    reader->run = nullptr;
  }

  Turn turn_;
};

void bind_scenes(py::module_& module);
void bind_simulation(py::module_& module);
void bind_judges(py::module_& module);
void bind_sweeps(py::module_& module);
void bind_pictures(py::module_& module);
