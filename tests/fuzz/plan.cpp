// Any text is either a plan, which then survives being written and read again, or an Error(invalid).
#include "muslin/sweep/plan.h"

#include "foreign_folder.h"
#include "muslin/io/scene_tree.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace muslin;
  SweepPlan plan;
  try {
    plan = parse_plan(std::string(text_of(bytes, size)), "fuzz.json");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::invalid) std::abort();
    return 0;
  }
  const std::string written = to_tree(plan).dump();
  if (to_tree(parse_plan(written, "again.json")).dump() != written) std::abort();
  if (size < 2000) {
    const auto runs = planned_runs(plan);
    if (runs.empty() || runs.size() > kMostRuns) std::abort();
    if (runs.front().size() != plan.axes.size() || runs.back().size() != plan.axes.size()) std::abort();
  }
  return 0;
}
