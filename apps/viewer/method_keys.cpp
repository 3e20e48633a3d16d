#include "method_keys.h"

#include <epoxy/gl.h>
// GLFW after epoxy, which takes the place of the system's GL header
#include <GLFW/glfw3.h>

#include <algorithm>

#include "muslin/solver/methods.h"

using namespace muslin;

namespace {

constexpr size_t kDigits = 10;  // 1 to 9, then 0

size_t default_method() {
  const auto is_default = [](const Method& method) { return method.name == SolverSettings().family; };
  return std::find_if(methods().begin(), methods().end(), is_default) - methods().begin();
}

}  // namespace

std::string key_of_method(size_t index) {
  if (index == default_method()) return "Q";
  const std::string digit(1, "1234567890"[index % kDigits]);
  return index < kDigits ? digit : "Shift+" + digit;
}

std::optional<size_t> method_of_key(int code, int modifiers) {
  if (modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_ALT)) return {};
  if (code == GLFW_KEY_Q) return default_method();
  if (code < GLFW_KEY_0 || code > GLFW_KEY_9) return {};
  const size_t index =
      (code - GLFW_KEY_0 + kDigits - 1) % kDigits + (modifiers & GLFW_MOD_SHIFT ? kDigits : 0);
  return index < methods().size() ? std::optional(index) : std::nullopt;
}
