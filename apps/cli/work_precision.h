#pragma once
#include <string>

#include "muslin/compare/work_precision.h"

/// What `muslin compare --work-precision` was asked for.
struct WorkPrecisionArguments {
  muslin::WorkPrecisionOptions options;
  std::string out;  ///< folder of the page and the tables
  bool force = false, quiet = false, json = false;
};

/// Runs it, writes page and tables, prints the table. Throws muslin::Error, and Exit for what came to
/// nothing.
void run_work_precision(const muslin::Scene& scene, const WorkPrecisionArguments& arguments);
