#pragma once
#include <string>

#include "muslin/simulation.h"

/// Why a solver that lets nothing through cannot go on with the cloth where it is: a sentence for people, an
/// empty line, and the places by numbers. "" where it can.
std::string no_room(const muslin::Simulation& simulation);

/// What stands before an empty line.
inline std::string without_numbers(const std::string& text) { return text.substr(0, text.find("\n\n")); }
