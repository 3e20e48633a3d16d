#include "room.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muslin/audit/start.h"
#include "muslin/core/text.h"
#include "muslin/solver/methods.h"
#include "session.h"

using namespace muslin;

namespace {

/// In how many places cloth meets itself and bodies, and how deep it is in them [m].
struct Meetings {
  int cloth = 0, bodies = 0;
  double depth = 0;
};

Meetings count(const std::vector<StartTrouble>& troubles) {
  Meetings meetings;
  for (const StartTrouble& trouble : troubles) {
    // Vertices inside, triangles through the surface and vertices on it are the same places: the most counts
    if (trouble.kind == StartTrouble::intersecting)
      meetings.cloth += trouble.count;
    else
      meetings.bodies = std::max(meetings.bodies, trouble.count);
    meetings.depth = std::max(meetings.depth, trouble.depth);
  }
  return meetings;
}

std::string in_words(const Meetings& meetings) {
  const auto places = [](int count) { return count == 1 ? "1 place" : fmt::format("{} places", count); };
  std::vector<std::string> parts;
  if (meetings.cloth > 0) parts.push_back("itself in " + places(meetings.cloth));
  if (meetings.bodies > 0) {
    parts.push_back("bodies in " + places(meetings.bodies));
    if (meetings.depth > 0) parts.back() += fmt::format(", up to {} deep", distance_text(meetings.depth));
  }
  return fmt::format("the cloth meets {}", fmt::join(parts, " and "));
}

std::string what_helps(const Meetings& meetings, bool at_start) {
  if (at_start) return "Move the cloth or the bodies apart, or let \"muslin run --repair\" do it.";
  std::string words = "Back to the beginning (R), it can keep them apart from there.";
  if (meetings.bodies == 0) words += " Or switch self-collision off (C).";
  return words + " XPBD with \"contact\" on \"pairs\" (Solver) leaves no such places.";
}

}  // namespace

std::string no_room(const Simulation& simulation) {
  constexpr int kNamed = 5;
  const std::vector<StartTrouble> troubles =
      find_room_troubles(simulation.model(), simulation.controls(), simulation.state(), kNamed);
  if (troubles.empty()) return "";
  const Meetings meetings = count(troubles);
  std::string words = fmt::format("{} lets nothing through, so it cannot go on from here: {}. {}\n",
                                  find_method(method_of(simulation.scene().solver)).label, in_words(meetings),
                                  what_helps(meetings, simulation.state().time == 0));
  for (const StartTrouble& trouble : troubles) {
    words += fmt::format("\n{} ({}): {}", trouble.what, trouble.count, fmt::join(trouble.named, "; "));
    if (trouble.count > std::ssize(trouble.named))
      words += fmt::format("; and {} more", trouble.count - std::ssize(trouble.named));
  }
  return words;
}
