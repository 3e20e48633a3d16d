#pragma once
#include <CLI/CLI.hpp>

void add_render_command(CLI::App& app);
