#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "muslin/model/model.h"
#include "muslin/model/state.h"

namespace muslin {

/// Writes one frame to one file.
class FrameWriter {
 public:
  virtual ~FrameWriter() = default;
  /// The whole content of the file for this frame.
  virtual std::string encode(const Model& model, const State& state) const = 0;
};

/// A line of the table of frame formats.
struct FormatEntry {
  std::string_view extension;  ///< "obj"
  std::string_view summary;
  std::unique_ptr<FrameWriter> (*make)();
};

const std::vector<FormatEntry>& formats();

/// Throws Error(invalid) with the nearest name if there is none.
std::unique_ptr<FrameWriter> make_frame_writer(const std::string& extension);

}  // namespace muslin
