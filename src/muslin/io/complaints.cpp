#include "muslin/io/complaints.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "muslin/core/check.h"
#include "muslin/model/field_check.h"

namespace muslin {

namespace {

// The child that one step of a JSON pointer leads to, or nullptr.
const JsonNode* child(const JsonNode& node, const std::string& step) {
  if (const auto* array = node.as<JsonNode::Array>()) {
    const bool index = !step.empty() && step.size() < 10 && step.find_first_not_of("0123456789") == step.npos;
    return index && std::stoul(step) < array->size() ? &(*array)[std::stoul(step)] : nullptr;
  }
  return node.find(step);
}

}  // namespace

JsonPlace nearest_place(const JsonNode& root, std::string_view path) {
  const JsonNode* node = &root;
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin + 1), path.size());
    const JsonNode* next = child(*node, std::string(path.substr(begin + 1, end - begin - 1)));
    if (!next) break;
    node = next;
    begin = end;
  }
  return node->place;
}

void Complaints::add(const JsonPlace& place, std::string_view path, const std::string& message) {
  if (lines_.size() == kMaxProblems) {
    ++left_out_;
    return;
  }
  lines_.push_back({place, std::string(path), message});
}

void Complaints::add(const JsonNode& root, const Problem& problem) {
  add(nearest_place(root, problem.path), problem.path, problem.message);
}

bool Complaints::touch(std::string_view path) const {
  return std::any_of(lines_.begin(), lines_.end(), [&](const Line& line) {
    return line.path.starts_with(path) && (line.path.size() == path.size() || line.path[path.size()] == '/');
  });
}

void Complaints::raise(const JsonDocument& document) {
  if (lines_.empty()) return;
  std::stable_sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) {
    return std::tie(a.place.override_index, a.place.offset) <
           std::tie(b.place.override_index, b.place.offset);
  });
  std::string message;
  for (const Line& line : lines_)
    message += fmt::format("{}{}: {}{}{}", message.empty() ? "" : "\n", document.where(line.place), line.path,
                           line.path.empty() ? "" : ": ", line.message);
  if (left_out_ > 0) message += fmt::format("\n{}: and {} more", document.name, left_out_);
  throw Error(ErrorKind::invalid, message);
}

}  // namespace muslin
