#pragma once
#include <string>
#include <vector>

#include "muslin/sweep/sweep_folder.h"

namespace muslin {

/// A column of a table; a cell a row, as JSON text: "0.5", "\"ok\"", or "null" where nothing exists.
struct SweepColumn {
  std::string name;
  std::vector<std::string> cells;
};

/// The table of a sweep: line, axes, outcome, figures, version, key. A row a run that is done or failed, in
/// the manifest's order. `with_times`: also run_ms, the wall time of all frames, which no two runs share.
std::vector<SweepColumn> sweep_columns(const SweepFolder& folder, bool with_times);

/// A table as CSV [RFC 4180].
std::string sweep_csv(const std::vector<SweepColumn>& columns);

/// The same as one JSON object: an array a column.
std::string sweep_json(const std::vector<SweepColumn>& columns);

}  // namespace muslin
