#include "muslin/sweep/run_result.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/json_text.h"
#include "muslin/io/sha256.h"
#include "muslin/sweep/figures.h"

namespace fs = std::filesystem;

namespace muslin {

namespace {

using Json = nlohmann::ordered_json;

// What `decode` makes of JSON text; `what` it must be.
template <class Decode>
auto decoded(const std::string& text, const std::string& name, const char* what, const Decode& decode) try {
  check_depth(text, name);
  return decode(Json::parse(text));
} catch (const Json::exception& error) {
  throw Error(ErrorKind::invalid, fmt::format("{}: must be {}: {}", name, what, error.what()));
}

Fingerprint fingerprint_in(const Json& run) {
  const Json& parts = run.at("fingerprint");
  return {parts.at("shapes"), parts.at("numbers"), parts.at("solver")};
}

}  // namespace

std::string RunResult::key() const { return inputs.empty() ? "" : run_key(inputs, version); }

std::string run_inputs(const Fingerprint& fingerprint, int frames) {
  return sha256(
      fmt::format("{} {} {} {}", frames, fingerprint.shapes, fingerprint.numbers, fingerprint.solver));
}

std::string run_key(const std::string& inputs, std::string_view version) {
  return sha256(fmt::format("{} {}", inputs, version));
}

RunResult result_of_run(const std::string& run_json, const std::string& name) {
  return decoded(run_json, name, "the record of a run", [&](const Json& run) {
    const Json& frames = run.at("frames");
    if (frames.empty()) throw Error(ErrorKind::invalid, name + ": must have a frame, has none");
    RunResult result;
    result.inputs = run_inputs(fingerprint_in(run), need_whole<int>(run.at("scene").at("frames"), "frames"));
    result.version = run.at("muslin");
    result.outcome = run.at("outcome");
    for (const Json& frame : frames) result.ms += frame.at("ms").at("frame").get<double>();
    result.figures = figures_of(frames);
    return result;
  });
}

std::optional<RunResult> read_result(const fs::path& path) {
  if (!fs::exists(path)) return {};
  return decoded(read_file(path.string()), path.string(), "the result of a run", [](const Json& json) {
    RunResult result{json.at("inputs"), json.at("muslin"), json.at("outcome"),
                     json.at("reason"), json.at("ms"),     {}};
    for (const auto& [name, value] : json.at("figures").items()) result.figures[name] = value.dump();
    return result;
  });
}

void write_result(const fs::path& path, const RunResult& result) {
  Json figures = Json::object();
  for (const auto& [name, text] : result.figures) figures[name] = Json::parse(text);
  const Json json{{"inputs", result.inputs}, {"muslin", result.version}, {"outcome", result.outcome},
                  {"reason", result.reason}, {"ms", result.ms},          {"figures", figures}};
  write_file(path.string(), json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n", true);
}

}  // namespace muslin
