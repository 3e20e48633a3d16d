#pragma once
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "simulation_thread.h"

/// The last frames of a run, for curves.
class History {
 public:
  static constexpr size_t kLength = 300;

  /// Adds a snapshot's first lane if it is of another frame; begins anew where time went back.
  void add(const Snapshot& snapshot, double draw_ms);

  struct Row {
    int frame = 0;
    muslin::FrameReport report;
    double draw_ms = 0;              ///< of the picture
    std::vector<double> difference;  ///< of every lane to the reference, root mean square [mm]
  };
  const std::deque<Row>& rows() const { return rows_; }

 private:
  std::deque<Row> rows_;
  int load_ = -1;
};

/// Energies, residual, strain, time by phase, contacts; with several lanes also how far they are apart.
void draw_plots(const History& history);
