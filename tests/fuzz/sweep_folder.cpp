// The folder of a sweep: sweep.json, the manifest and a result from arbitrary bytes, cut at '\x1e'. All that
// reads it either takes it or throws Error.
#include "muslin/sweep/sweep_folder.h"

#include "foreign_folder.h"
#include "muslin/sweep/sweep_page.h"
#include "muslin/sweep/sweep_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace muslin;
  static const ForeignFolder folder;
  folder.fill(text_of(bytes, size), {"sweep.json", "manifest.jsonl", "results/000000.json"});
  works([&] {
    const SweepFolder sweep(folder.path());
    if (!sweep.is_of(sweep.plan())) std::abort();
    works([&] { sweep.status(); });
    works([&] { sweep.failures(); });
    works([&] {
      const std::vector<SweepColumn> columns = sweep_columns(sweep, true);
      for (const SweepColumn& column : columns)
        if (column.cells.size() != columns[0].cells.size()) std::abort();
      sweep_csv(columns);
      sweep_json(columns);
    });
    works([&] { sweep_page(sweep); });
  });
  return 0;
}
