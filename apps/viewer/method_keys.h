#pragma once
#include <optional>
#include <string>

// Every named method has a key: the digits in the order of the table, Shift and a digit from the eleventh on,
// and Q for the one that runs scenes which name none.

/// "7", "Shift+2", "Q".
std::string key_of_method(size_t index);

/// The method of a key of GLFW; nothing if it is another key.
std::optional<size_t> method_of_key(int code, int modifiers);
