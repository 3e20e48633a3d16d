#include "muslin/io/frame_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/core/text.h"

namespace muslin {

std::string FrameWriter::encode(const Model& model, const State& state) const {
  return encode(model, state, blocked_bodies(model, state));
}

std::string FrameWriter::encode(const Model& model, const State& state, const BlockedBodies& blocked) const {
  if (state.positions.cols() != model.vertex_count())
    throw Error(ErrorKind::invalid, fmt::format("frame: expected positions of {} vertices, got {}",
                                                model.vertex_count(), state.positions.cols()));
  return encode_frame(model, state, blocked);
}

const std::vector<FormatEntry>& formats() {
#define MUSLIN_ENTRY(extension, summary) {#extension, summary, make_##extension##_writer},
  static const std::vector<FormatEntry> table{MUSLIN_FRAME_FORMATS(MUSLIN_ENTRY)};
#undef MUSLIN_ENTRY
  return table;
}

bool is_frame_format(std::string_view extension) {
  return std::any_of(formats().begin(), formats().end(),
                     [&](const FormatEntry& entry) { return entry.extension == extension; });
}

std::unique_ptr<FrameWriter> make_frame_writer(const std::string& extension) {
  std::vector<std::string_view> names;
  for (const FormatEntry& entry : formats()) {
    if (entry.extension == extension) return entry.make();
    names.push_back(entry.extension);
  }
  const std::string nearest = nearest_name(extension, names);
  throw Error(ErrorKind::invalid,
              fmt::format("format: must be one of {}, got '{}'{}", fmt::join(names, ", "), extension,
                          nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

}  // namespace muslin
