#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "muslin/platform/processes.h"
#include "muslin/platform/windows.h"

namespace muslin::platform {

namespace {

// As CommandLineToArgvW takes it apart: backslashes count double before a quote, and nowhere else.
void append_quoted(std::string& line, const std::string& word) {
  line += '"';
  std::size_t slashes = 0;
  for (const char c : word) {
    if (c == '"') line.append(slashes + 1, '\\');
    slashes = c == '\\' ? slashes + 1 : 0;
    line += c;
  }
  line.append(slashes, '\\');
  line += '"';
}

// A job that ends all of its processes with its last handle, that is with us.
HANDLE our_job() {
  static const HANDLE job = [] {
    const HANDLE made = CreateJobObjectA(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(made, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return made;
  }();
  return job;
}

}  // namespace

bool fail_as_windows() {
  errno = std::system_category().default_error_condition(static_cast<int>(GetLastError())).value();
  return false;
}

int process_number() { return static_cast<int>(GetCurrentProcessId()); }

std::string own_program() {
  std::string path(32768, '\0');
  path.resize(GetModuleFileNameA(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return path;
}

std::string name() { return "windows x86-64"; }

int run_program(const std::string& program, std::vector<std::string> arguments, const std::string& messages) {
  std::string line;
  append_quoted(line, program);
  for (const std::string& argument : arguments) append_quoted(line += ' ', argument);
  SECURITY_ATTRIBUTES inherited = {sizeof inherited, nullptr, TRUE};
  STARTUPINFOA streams = {};
  streams.cb = sizeof streams;
  streams.dwFlags = STARTF_USESTDHANDLES;
  streams.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
  streams.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
  streams.hStdError = CreateFileA(messages.c_str(), FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                  &inherited, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  PROCESS_INFORMATION child = {};
  const bool runs = CreateProcessA(program.c_str(), line.data(), nullptr, nullptr, TRUE, CREATE_SUSPENDED,
                                   nullptr, nullptr, &streams, &child);
  const auto error = static_cast<int>(GetLastError());
  if (streams.hStdError != INVALID_HANDLE_VALUE) CloseHandle(streams.hStdError);
  if (!runs) throw std::system_error(error, std::system_category());
  AssignProcessToJobObject(our_job(), child.hProcess);
  ResumeThread(child.hThread);
  WaitForSingleObject(child.hProcess, INFINITE);
  DWORD code = 0;
  GetExitCodeProcess(child.hProcess, &code);
  CloseHandle(child.hThread);
  CloseHandle(child.hProcess);
  return code < 256 ? static_cast<int>(code) : -1;
}

}  // namespace muslin::platform
