#include "muslin/io/ply_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace muslin {

namespace {

/// Appends the bits of a value, lowest byte first on any machine.
template <class Bits, class Value>
void append(std::string& bytes, Value value) {
  static_assert(sizeof(Bits) == sizeof(Value));
  Bits bits;
  std::memcpy(&bits, &value, sizeof bits);
  for (std::size_t k = 0; k < sizeof bits; ++k) bytes += static_cast<char>(bits >> (8 * k) & 0xff);
}
void append_double(std::string& bytes, double value) { append<std::uint64_t>(bytes, value); }

/// Binary, with every bit of every coordinate.
class PlyWriter final : public FrameWriter {
 public:
  std::string encode(const Model& model, const State& state) const override {
    const bool has_uv =
        std::any_of(model.uv.begin(), model.uv.end(), [](const Vec2& uv) { return uv != Vec2::Zero(); });
    const auto count = static_cast<int>(state.positions.cols()),
               triangles = static_cast<int>(model.triangles.size());
    std::string bytes = fmt::format(
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\n"
        "property double x\nproperty double y\nproperty double z\n{}"
        "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        count, has_uv ? "property double s\nproperty double t\n" : "", triangles);
    bytes.reserve(bytes.size() + std::size_t(count) * (has_uv ? 40 : 24) + std::size_t(triangles) * 13);
    for (int number = 0; number < count; ++number) {
      const int v = model.vertex_numbers.to_model(number);
      for (const double coordinate : Vec3(state.positions.col(v))) append_double(bytes, coordinate);
      if (has_uv)
        for (const double coordinate : model.uv[v]) append_double(bytes, coordinate);
    }
    for (int t = 0; t < triangles; ++t) {
      bytes += '\x03';
      for (const int v : user_triangle(model, t)) append<std::uint32_t>(bytes, v);
    }
    return bytes;
  }
};

}  // namespace

std::unique_ptr<FrameWriter> make_ply_writer() { return std::make_unique<PlyWriter>(); }

}  // namespace muslin
