#pragma once
#include <optional>
#include <string>

#include "hang.h"
#include "muslin/model/settings.h"

namespace bench {

/// A contender, judged.
struct Row {
  std::string engine, settings;
  int points;
  double ms = 0;                         // median of the frames
  std::optional<double> p99, max;        // strain of the mesh's edges at the last frame
  std::optional<double> shear;           // [rad] 99th percentile of the shear angle of grid cells, likewise
  std::optional<double> fall30, fall60;  // [m] centre of mass, relative to its start
  std::string gate = "-";
  std::optional<double> ns_a_solve;
  std::string note;
};

/// Runs a contender for `frames` frames; gives up early when that would take more than `budget` seconds.
Row run(const Contender& contender, const muslin::Model& model, int points, int frames, double budget);

/// Muslin with these settings of its solver.
MakeContender muslin_contender(const std::string& settings, const muslin::SolverSettings& solver);

void print_head(int frames);
void print_row(const Row& row);

}  // namespace bench
