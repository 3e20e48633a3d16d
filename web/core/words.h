#pragma once
#include <string>

#include "run.h"

// What the C face tells as JSON (muslin_web.h).

namespace muslin::web {

std::string methods_json();
std::string fabrics_json();
std::string report_json();
std::string fields_json();

std::string check_json(const Run& run);
std::string cloths_json(const Model& model);
std::string colliders_json(const Model& model);
std::string verdict_json(const Model& model, const Verdict& verdict);

}  // namespace muslin::web
