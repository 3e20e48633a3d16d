#pragma once
#include <CLI/CLI.hpp>
#include <string>

/// What the first word that the command line was not expected to hold may have been meant for: "did you mean
/// run?"; "" if nothing is near.
std::string suggestion(const CLI::App& app);

/// The command of that name. Throws CLI::ValidationError with the nearest name if there is none.
const CLI::App& find_command(const CLI::App& app, const std::string& name);
