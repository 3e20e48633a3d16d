#include "page_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "muslin/core/check.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

constexpr std::string_view kFiles[] = {"compare.csv",  "iterations.csv",      "sweep.csv",
                                       "compare.json", "work_precision.json", "work_precision.csv",
                                       "index.html"};

}  // namespace

void prepare_page_folder(const std::string& out, bool force) {
  std::error_code error;
  fs::create_directories(out, error);
  if (error) throw Error(ErrorKind::file, fmt::format("{}: cannot be made: {}", out, error.message()));
  for (const std::string_view file : kFiles) {
    const fs::path path = fs::path(out) / file;
    if (!fs::exists(path)) continue;
    if (!force)
      throw Error(
          ErrorKind::file,
          fmt::format("{}: holds an earlier comparison ({}); use --force to replace it, or another --out",
                      out, file));
    fs::remove(path);
  }
}
