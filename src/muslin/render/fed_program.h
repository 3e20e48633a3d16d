#pragma once
#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace muslin {

/// Another program that is fed through its standard input and listened to on its standard error. It runs in a
/// process group of its own: Ctrl-C at the terminal is for us, who end it in order.
class FedProgram {
 public:
  /// `program` is a path, or a name that is looked up in PATH; no shell sees the arguments. Throws
  /// std::system_error if it cannot be started.
  FedProgram(const std::string& program, const std::vector<std::string>& arguments);
  /// Kills the program if `finish` was not called.
  ~FedProgram();
  FedProgram(const FedProgram&) = delete;
  FedProgram& operator=(const FedProgram&) = delete;

  /// Whether the program took all bytes: false once it does not listen any more.
  bool feed(std::string_view bytes);
  /// Ends its input and waits for its end: "" if it was content, else how it ended ("exit code 1").
  std::string finish();
  /// The last lines it wrote on standard error, of at most a thousand characters.
  std::string last_words() const;

 private:
  void listen();

  pid_t pid_ = -1;
  int input_ = -1, words_ = -1;  ///< ends of a socket and a pipe; -1 once closed
  std::string heard_;
};

}  // namespace muslin
