// Runs `muslin check` on every line of tests/refuse/*.tsv: path, exit code, part of the message; separated by
// tabs. Paths are relative to tests/refuse; `generated:NAME` is a file that this test makes (generated.h).

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "refuse/generated.h"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

constexpr int kMaxCpuSeconds = kSanitized ? 60 : 5;
// A program that has not ended by then hangs. This limits no work: other programs take processor time, too.
constexpr int kMaxSeconds = 6 * kMaxCpuSeconds;
constexpr long kMaxResidentKb = 500 * 1000;

struct Case {
  std::string list, path;
  int exit_code;
  std::string message;
};

std::vector<Case> read_cases() {
  std::vector<fs::path> lists;
  for (const auto& entry : fs::directory_iterator(MUSLIN_TESTS "/refuse"))
    if (entry.path().extension() == ".tsv") lists.push_back(entry.path());
  std::sort(lists.begin(), lists.end());
  std::vector<Case> cases;
  for (const fs::path& list : lists) {
    std::ifstream file(list);
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || line[0] == '#') continue;
      std::istringstream columns(line);
      Case one{list.stem().string(), "", -1, ""};
      std::string exit_code;
      std::getline(columns, one.path, '\t');
      std::getline(columns, exit_code, '\t');
      std::getline(columns, one.message);
      one.exit_code = exit_code.empty() ? -1 : std::stoi(exit_code);
      cases.push_back(one);
    }
  }
  return cases;
}

struct Outcome {
  std::string output;  // stdout and stderr
  int status = 0;      // of waitpid
  bool in_time = true;
  rusage usage{};
};

[[noreturn]] void become_program(const std::vector<std::string>& arguments, int output) {
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  const rlimit seconds{kMaxCpuSeconds, kMaxCpuSeconds};
  setrlimit(RLIMIT_CPU, &seconds);
  std::vector<char*> words;
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(127);
}

// Reads until the other end closes; false if that takes too long.
bool read_all(int from, std::string& text) {
  const auto end = Clock::now() + std::chrono::seconds(kMaxSeconds);
  std::array<char, 65536> buffer;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd ready{from, POLLIN, 0};
    if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) <= 0) return false;
    const ssize_t count = read(from, buffer.data(), buffer.size());
    if (count <= 0) return true;
    text.append(buffer.data(), count);
  }
}

Outcome run_program(const std::vector<std::string>& arguments) {
  std::array<int, 2> ends;
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    become_program(arguments, ends[1]);
  }
  close(ends[1]);
  Outcome outcome;
  outcome.in_time = read_all(ends[0], outcome.output);
  if (!outcome.in_time) kill(child, SIGKILL);
  close(ends[0]);
  wait4(child, &outcome.status, 0, &outcome.usage);
  return outcome;
}

class Refuse : public ::testing::TestWithParam<Case> {};

TEST_P(Refuse, WithMessageAndExitCode) {
  const Case& one = GetParam();
  const muslin::Generated folder;
  const std::string prefix = "generated:";
  const std::string path = one.path.starts_with(prefix) ? folder.make(one.path.substr(prefix.size()))
                                                        : MUSLIN_TESTS "/refuse/" + one.path;
  const Outcome outcome = run_program({MUSLIN_CLI, "check", path});
  const std::string shown = outcome.output.substr(0, 2000);
  EXPECT_TRUE(outcome.in_time) << "over " << kMaxSeconds << " s";
  ASSERT_TRUE(WIFEXITED(outcome.status)) << "ended by signal " << WTERMSIG(outcome.status) << "\n" << shown;
  EXPECT_EQ(WEXITSTATUS(outcome.status), one.exit_code) << shown;
  EXPECT_FALSE(one.message.empty()) << "the list gives no message";
  EXPECT_NE(outcome.output.find(one.message), std::string::npos) << shown;
  EXPECT_LT(outcome.output.size(), 100000u);
  if (!kSanitized) {
    EXPECT_LE(outcome.usage.ru_maxrss, kMaxResidentKb);
  }
}

std::string test_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.list + "_" + info.param.path;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name + "_" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(Corpus, Refuse, ::testing::ValuesIn(read_cases()), test_name);

}  // namespace
