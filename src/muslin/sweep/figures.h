#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// What a table of a sweep can tell of a run.

namespace muslin {

/// A column that a table can have.
struct Figure {
  std::string name;        ///< "strain_max", "max strain_max"
  std::string doc;         ///< one sentence without its full stop
  std::string unit;        ///< "J"; "": a count, a fraction, or no number
  bool is_number = false;  ///< else a word or a truth
};

/// All that there are: what a report tells of the last frame (model/report_fields.h), of places "x", "y" and
/// "z" by themselves; times; and of every number its largest, least and mean of all frames but the first, as
/// "max strain_max".
const std::vector<Figure>& figures();

/// Their names.
std::vector<std::string> figure_names();

/// The figures of a run by name, each as JSON text; `frames` is what run.json has. Those that another Muslin
/// did not know are absent.
std::map<std::string, std::string> figures_of(const nlohmann::ordered_json& frames);

}  // namespace muslin
