#pragma once
#include <span>

#include "run.h"

namespace muslin::web {

/// A number of the report.
struct ReportEntry {
  const char* name;
  const char* unit;
  const char* doc;  ///< one sentence without its full stop
  /// NaN where it does not exist.
  double (*value)(const Run& run);
};
/// All of them, in the report's order.
std::span<const ReportEntry> report_entries();

/// A measure of every vertex.
struct FieldEntry {
  const char* name;
  const char* unit;
  const char* doc;
  bool needs_exact;  ///< only beside the exact step
  /// One a vertex of the model; empty where there are no numbers.
  Scalars (*values)(const Run& run);
};
/// All of them, in the order of MuslinField.
std::span<const FieldEntry> field_entries();

}  // namespace muslin::web
