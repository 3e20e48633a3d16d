#pragma once
#include <memory>
#include <string>
#include <vector>

#include "muslin/io/file.h"
#include "muslin/simulation.h"

/// The table of a run for spreadsheets and plots: a line a frame, the start as frame 0, with its figures and
/// the places of some vertices. The file is there once the run has ended, whatever its outcome.
class FrameTable {
 public:
  /// `file` "": nothing is written. `probes`: vertices as the scene numbers them. Throws muslin::Error for a
  /// vertex that there is not, and if the file cannot be made, or exists and `force` is false.
  FrameTable(const std::string& file, const std::vector<int>& probes, bool force,
             const muslin::Simulation& simulation);

  /// `report`: of the frame that the simulation is at.
  void add(const muslin::FrameReport& report, const muslin::Simulation& simulation);
  void finish();

 private:
  std::unique_ptr<muslin::GrowingFile> file_;
  std::vector<int> probes_;  ///< in the model's numbers
};
