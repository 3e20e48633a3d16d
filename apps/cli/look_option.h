#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "muslin/core/check.h"
#include "muslin/render/look_words.h"

/// The look of --look's words. Throws CLI::ValidationError for what is wrong with them.
inline muslin::Look look_option(const std::vector<std::string>& words) {
  try {
    return muslin::parse_look(words);
  } catch (const muslin::Error& error) {
    throw CLI::ValidationError("--look", error.what());
  }
}
