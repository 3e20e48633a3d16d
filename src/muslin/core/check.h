#pragma once
#include <cassert>
#include <stdexcept>
#include <string>

namespace muslin {

/// What went wrong, so that a face can choose its exit code or exception type.
enum class ErrorKind {
  invalid,  ///< the scene or the mesh is not acceptable
  file,     ///< a file could not be read or written
};

/// Bad input. The message names the place, what was expected and what was found:
/// `flag.json:12:18: /cloths/0/fabric/density: must be > 0 [kg/m^2], got -1`.
class Error : public std::runtime_error {
 public:
  /// `message` names the place, what was expected and what was found.
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  /// Whether the input is at fault or a file.
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace muslin

/// A broken promise of the programmer, never of the input.
#define MUSLIN_ASSERT(condition) assert(condition)
