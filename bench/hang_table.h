#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hang.h"
#include "muslin/model/settings.h"

namespace bench {

/// Where the centre of mass must be, relative to its start [m], at frames 30 and 60.
struct FallGate {
  double lowest30, highest30, lowest60, highest60;
};
/// Of `hang`, by a converged reference at N = 64; finer and coarser sheets, and irregular ones, fall alike.
inline constexpr FallGate kHangGate{-0.84, -0.78, -0.60, -0.43};

/// A contender, judged.
struct Row {
  std::string work;
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
Row run(const Contender& contender, const muslin::Model& model, int points, int frames, double budget,
        const std::optional<FallGate>& gate);

/// The rows as a table in a file.
std::string csv(const std::vector<Row>& rows);

/// Muslin with these settings of its solver.
MakeContender muslin_contender(const std::string& settings, const muslin::SolverSettings& solver);

void print_head(int frames);
void print_row(const Row& row);

}  // namespace bench
