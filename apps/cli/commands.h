#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "muslin/io/scene_json.h"

// Every command of the program adds itself to the application; its callback throws to fail.

/// Exit codes that users may rely upon.
enum ExitCode {
  kOk = 0,
  kFailed = 1,
  kUsage = 2,
  kInvalid = 3,
  kDiverged = 4,
  kFile = 5,
  kInterrupted = 130
};

/// Ends the program with a code after everything has been said.
struct Exit {
  int code;
};

void add_run_command(CLI::App& app);
void add_compare_command(CLI::App& app);
void add_convert_command(CLI::App& app);
void add_sweep_command(CLI::App& app);
void add_tune_command(CLI::App& app);
void add_drape_command(CLI::App& app);
void add_check_command(CLI::App& app);
void add_check_frames_command(CLI::App& app);
void add_list_command(CLI::App& app);
void add_schema_command(CLI::App& app);
void add_render_command(CLI::App& app);
void add_view_command(CLI::App& app);

/// The folder of the scenes that come with the program.
std::string shipped_scenes();

/// A path as it is, or the shipped scene of that name. Throws muslin::Error for a mesh or an unknown name.
std::string find_scene(const std::string& path_or_name);

/// A check for options: a number from `low` to `high`, which "nan" is not.
inline auto between(double low, double high) {
  return [low, high](const std::string& text) {
    double value = 0;
    return CLI::detail::lexical_cast(text, value) && value >= low && value <= high
               ? std::string()
               : fmt::format("must be between {} and {}, got {}", low, high, text);
  };
}

/// "" if there is a method of that name, else what is wrong with it: a check for options.
std::string known_method(const std::string& name);

/// What the overrides set in vain, beyond what every run of the scene warns of: one sentence a reason.
std::vector<std::string> vain_overrides(const muslin::Scene& scene,
                                        const std::vector<muslin::Override>& overrides);

/// Losses of velocity that a scene gives its own solver and another one leaves behind: cloth swings on.
std::vector<std::string> dropped_losses(const muslin::Scene& scene);

/// "path=value" as given to --set, split. Throws CLI::ValidationError if there is no "=".
std::vector<muslin::Override> parse_overrides(const std::vector<std::string>& assignments);
