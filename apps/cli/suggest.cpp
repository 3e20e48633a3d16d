#include "suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "muslin/core/text.h"

namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string nearest(const std::string& word, const std::vector<std::string>& names) {
  return muslin::nearest_name(word, {names.begin(), names.end()});
}

}  // namespace

std::string suggestion(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.back();
  std::string word, name;
  for (const std::string& left : command.remaining()) {
    word = left.substr(0, left.find('='));
    const bool is_option = word.starts_with("-");
    if (!is_option && !chosen.empty()) continue;  // the value of an option that is unknown
    name = nearest(word, is_option ? option_names(command) : command_names(app));
    break;
  }
  return name.empty() ? "" : fmt::format("{}: did you mean {}?", word, name);
}

const CLI::App& find_command(const CLI::App& app, const std::string& name) {
  const std::vector<std::string> names = command_names(app);
  if (std::count(names.begin(), names.end(), name)) return *app.get_subcommand(name);
  const std::string near = nearest(name, names);
  throw CLI::ValidationError("help",
                             fmt::format("there is no command {}{}", name,
                                         near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}
