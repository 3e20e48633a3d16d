#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <sstream>
#include <string_view>

#include "commands.h"
#include "muslin/core/check.h"
#include "muslin/core/simd_names.h"
#include "muslin/platform/processes.h"
#include "muslin/platform/streams.h"
#include "muslin/version.h"
#include "streams.h"
#include "suggest.h"

namespace {

/// The command, for words that are made without memory.
const char* command_name = "";
std::atomic<bool> ran_out_of_memory = false;

constexpr const char* kHelp = R"(Muslin: cloth simulation with its error made visible.

Examples:
  muslin run sphere_drape --out drape             simulate a shipped scene, write OBJ frames to drape/
  muslin run flag --solver implicit               the same cloth under another solver
  muslin run hang --set cloths/0/grid/points=[64,64] --frames 60 --json > lines.json
  muslin view flag                                look at it and touch it, in a window
  muslin render flag --out flag.mp4               a film; also pictures, see muslin render -h
  muslin convert drape --to glb --out glb         the frames of a run for other programs
  muslin compare games103_implicit --out trial    the same cloth under seven solvers: one page of plots
  muslin sweep plan.json --out trial              one scene many times: all cores, or a cluster
  muslin tune hang                                which position-based settings reach which strain, at what cost
  muslin drape cotton                             Cusick's test: drape coefficient and folds of a fabric
  muslin check my_scene.json                      say everything that is wrong, run nothing
  muslin check-frames drape                       does anything pass through anything in these frames?
  muslin list scenes                              what comes with the program
)";

constexpr const char* kFirst = R"(Muslin simulates cloth. Try first:

  muslin run hang --out hang          a sheet of cotton hangs from two corners: frames (OBJ) and run.json
  muslin check-frames hang            does anything pass through anything in them?
{}
Then: muslin list scenes, muslin list solvers; muslin help has all commands, muslin help run those of one.
)";
#if defined(MUSLIN_HAS_VIEWER)
constexpr const char* kLook = R"(  muslin render hang --out hang.png   a picture of its last frame
  muslin view flag                    touch it, in a window
)";
#elif defined(MUSLIN_HAS_RENDER)
constexpr const char* kLook = "  muslin render hang --out hang.png   a picture of its last frame\n";
#else
constexpr const char* kLook = "  muslin convert hang --to glb --out glb     frames for other programs\n";
#endif

/// Lists the commands by the first line of their descriptions; examples stand in their own help.
class CommandList : public CLI::Formatter {
 public:
  std::string make_subcommand(const CLI::App* command) const override {
    const std::string text = command->get_description();
    return fmt::format("  {:<14}{}\n", command->get_name(), text.substr(0, text.find('\n')));
  }
};

/// What was built, for which system, and the kernels that this processor takes.
std::string version_text() {
  std::string kernels;
  for (const auto& [name, simd] : muslin::simd_names())
    if (simd == muslin::widest_simd()) kernels = name;
  std::string build = "command line";
#ifdef MUSLIN_HAS_RENDER
  build += ", pictures";
#endif
#ifdef MUSLIN_HAS_VIEWER
  build += ", window";
#endif
  return fmt::format("muslin {}\nplatform  {}\nkernels   {}\nbuild     {} by {}", muslin::version(),
                     muslin::platform::name(), kernels, build, MUSLIN_COMPILER);
}

int exit_code(const muslin::Error& error) {
  return error.kind() == muslin::ErrorKind::file ? kFile : kInvalid;
}

/// `muslin help`; the name of the command whose help is wanted comes into `topic`.
void add_help_command(CLI::App& app, std::string& topic) {
  CLI::App* help = app.add_subcommand("help", "Show the help of a command.");
  help->add_option("COMMAND", topic, "whose help; without it the list of commands");
}

/// Once nothing counts as chosen, or the help would be that of what was chosen.
std::string help_text(CLI::App& app, const std::string& topic) {
  app.clear();
  return topic.empty() ? app.help() : find_command(app, topic).help(app.get_name());
}

int say_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream text, trouble;
  const bool asked_for = app.exit(error, text, trouble) == 0;
  if (asked_for) {
    print_text(text.str());
    return kOk;
  }
  show_text(trouble.str());
  if (const std::string meant = suggestion(app); !meant.empty()) say("{}\n", meant);
  return kUsage;
}

int run(int argc, char** argv) {
  CLI::App app(kHelp);
  app.name("muslin");
  app.set_version_flag("--version", version_text());
  app.formatter(std::make_shared<CommandList>());
  app.require_subcommand(0, 1);
  app.fallthrough(false);
  app.allow_windows_style_options(false);  // "/" begins a path
  add_run_command(app);
  add_convert_command(app);
  add_compare_command(app);
  add_sweep_command(app);
  add_tune_command(app);
  add_drape_command(app);
  add_check_command(app);
  add_check_frames_command(app);
#ifdef MUSLIN_HAS_RENDER
  add_render_command(app);
#endif
#ifdef MUSLIN_HAS_VIEWER
  add_view_command(app);
#endif
  add_list_command(app);
  add_schema_command(app);
  std::string topic;
  add_help_command(app, topic);
  try {
    app.parse(argc, argv);
    if (app.got_subcommand("help"))
      print_text(help_text(app, std::string(topic)));
    else if (app.get_subcommands().empty())
      print(kFirst, kLook);
    return kOk;
  } catch (const CLI::ParseError& error) {
    return say_parse_error(app, error);
  }
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || c == '-'; }

/// "muslin run: out of memory" and more, by no memory of its own.
void say_out_of_memory(std::string_view more) {
  show_as_it_is("muslin ");
  show_as_it_is(command_name);
  show_as_it_is(": out of memory");
  show_as_it_is(more);
}

[[noreturn]] void remember_and_throw() {
  ran_out_of_memory = true;
  throw std::bad_alloc();
}

/// Where there is no memory, destructors that need some (nlohmann::json's) and noexcept functions of the
/// standard library (directory_iterator's) end the program.
[[noreturn]] void end_without_memory() {
  if (ran_out_of_memory) {
    say_out_of_memory(", even to clear up: the next run removes what is left half written\n");
    std::_Exit(kFailed);
  }
  std::abort();
}

/// What `run` comes to, and what went wrong is said.
int outcome(int argc, char** argv) try { return run(argc, argv); } catch (const Exit& exit) {
  return exit.code;
} catch (const muslin::Error& error) {
  say("{}\n", error.what());
  return exit_code(error);
} catch (const std::filesystem::filesystem_error& error) {
  say("{}\n", error.what());
  return kFile;
} catch (const std::bad_alloc&) {
  say_out_of_memory("\n");
  return kFailed;
} catch (const std::exception& error) {
  say("muslin: {}\n", error.what());
  return kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  muslin::platform::guard_streams();
  if (argc > 1 && std::all_of(argv[1], argv[1] + std::strlen(argv[1]), is_letter)) command_name = argv[1];
  std::set_new_handler(remember_and_throw);
  std::set_terminate(end_without_memory);
  const int code = outcome(argc, argv);
  if (output_arrived() || code != kOk) return code;
  say("standard output: cannot be written\n");
  return kFile;
}
