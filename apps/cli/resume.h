#pragma once
#include <memory>
#include <string>
#include <vector>

#include "muslin/io/run_record.h"
#include "muslin/simulation.h"
#include "output_folder.h"

/// A run that goes on where an earlier process ended.
struct ResumedRun {
  std::unique_ptr<OutputFolder> output;
  std::unique_ptr<muslin::Simulation> simulation;
  muslin::RunRecord record;                   ///< up to the frame after which it goes on
  std::vector<muslin::RecordedFrame> frames;  ///< up to that; without any it starts over
  std::vector<std::string> words;  ///< for people: where it goes on, saved states that were of no use
};

/// Takes scene, options and record from the run.json in a folder, and the state from the newest saved one of
/// which all is there. Throws muslin::Error if there is no run or another process writes it, if it came to an
/// end, belongs to other meshes, or is damaged; then the folder is as it was.
ResumedRun resume_run(const std::string& folder);
