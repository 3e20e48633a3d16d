#pragma once
#include <string>
#include <vector>

namespace muslin::platform {

int process_number();

/// The file of the running program; "" if the system does not say.
std::string own_program();

/// "linux x86-64", "windows x86-64": the system and processor that this was built for.
std::string name();

/// Runs a program, its messages (standard error) at the end of a file, and waits for it: its exit code, or -1
/// where it was ended from outside. It ends with us, where the system has that. Throws std::system_error if
/// it cannot be started.
int run_program(const std::string& program, std::vector<std::string> arguments, const std::string& messages);

}  // namespace muslin::platform
