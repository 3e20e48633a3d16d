#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "muslin/io/json_tree.h"
#include "muslin/model/scene.h"

namespace muslin {

/// Where the value of a JSON pointer was written, or the nearest ancestor that the document has. Internal to
/// io.
JsonPlace nearest_place(const JsonNode& root, std::string_view path);

/// Collects what is wrong with a document, to be told at once. Internal to io.
class Complaints {
 public:
  /// `path` is a JSON pointer; "" is the document itself.
  void add(const JsonPlace& place, std::string_view path, const std::string& message);
  /// At the value of its path, or at the nearest ancestor that the document has.
  void add(const JsonNode& root, const Problem& problem);

  /// Whether anything at that path or below it is complained of.
  bool touch(std::string_view path) const;
  /// Throws Error(invalid), one line a complaint in the order of the text, unless there are none.
  void raise(const JsonDocument& document);

 private:
  struct Line {
    JsonPlace place;
    std::string path;
    std::string message;
  };
  std::vector<Line> lines_;
  size_t left_out_ = 0;
};

}  // namespace muslin
