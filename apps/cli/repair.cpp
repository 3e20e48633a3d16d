#include "repair.h"

#include <fmt/format.h>

#include <chrono>

#include "muslin/audit/names.h"
#include "muslin/core/text.h"
#include "muslin/model/measure.h"
#include "streams.h"

using namespace muslin;

Untangled untangle_aloud(const Model& model, const Points& positions, bool quiet) {
  constexpr std::chrono::seconds kPatience(3);
  auto told = std::chrono::steady_clock::now();
  return untangle(model, positions, [&](const Untangled& now) {
    if (quiet || std::chrono::steady_clock::now() < told + kPatience) return;
    say("repairing the start: {} of {} pairs left after {} iterations\n", now.pairs, now.pairs_before,
        now.iterations);
    told = std::chrono::steady_clock::now();
  });
}

namespace {

// What only the scene can mend.
std::string held_by_pins(const Model& model, const Untangled& repaired) {
  if (repaired.pinned.empty()) return "";
  const auto& [first, second] = repaired.pinned.front();
  return fmt::format(
      "; pins hold {} together, which no repair moves: {} and {}{}: move those pins, or what they meet",
      repaired.pinned.size() == 1 ? "1 pair" : fmt::format("{} pairs", repaired.pinned.size()),
      triangle_name(model, first), second < 0 ? "a collider" : triangle_name(model, second),
      repaired.pinned.size() == 1 ? "" : fmt::format(", and {} more", repaired.pinned.size() - 1));
}

}  // namespace

std::string repair_sentence(const Model& model, const Untangled& repaired) {
  if (repaired.iterations == 0 && repaired.largest_move == 0) return "the start needs no repair";
  const auto pairs = [](int count) {
    return count == 1 ? std::string("1 pair of triangles") : fmt::format("{} pairs of triangles", count);
  };
  const std::string found = repaired.pairs_before == 0 ? "cloth touched colliders or was inside them"
                                                       : pairs(repaired.pairs_before) + " intersected";
  const std::string how = repaired.iterations == 0 ? "moved out of colliders at one go"
                          : repaired.iterations == 1
                              ? "drawn apart in 1 iteration"
                              : fmt::format("drawn apart in {} iterations", repaired.iterations);
  const std::string moved =
      repaired.pairs > 0 && repaired.largest_move == 0
          ? fmt::format("nothing gave way in {} iterations", repaired.iterations)
          : fmt::format("cloth was {}, by up to {}", how, distance_text(repaired.largest_move));
  const std::string left = repaired.pairs == 0 ? "none does now" : pairs(repaired.pairs) + " still do";
  return fmt::format(
      "repair of the start: {}; {}; {}; edges are longer than at rest by up to "
      "{:.3g} %{}",
      found, moved, left, 100 * edge_strain(model, repaired.positions).max, held_by_pins(model, repaired));
}

std::string left_in_bodies(const Model& model, const Untangled& repaired) {
  constexpr int kNamed = 5;
  std::string lines;
  int count = 0;
  for (const auto& [triangle, collider] : repaired.in_bodies) {
    if (++count > kNamed) continue;
    const auto& [a, b, c] = model.triangles[triangle];
    const Vec3 middle =
        (repaired.positions.col(a) + repaired.positions.col(b) + repaired.positions.col(c)) / 3;
    lines += fmt::format("  {} meets \"{}\" at {}\n", triangle_name(model, triangle),
                         model.colliders[collider].name, place_name(middle));
  }
  if (count > kNamed) lines += fmt::format("  and {} more\n", count - kNamed);
  return lines;
}
