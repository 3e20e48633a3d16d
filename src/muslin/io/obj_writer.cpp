#include "muslin/io/obj_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace muslin {

namespace {

/// The name without what would end its line or join it to the next.
std::string printable(std::string name) {
  for (char& c : name)
    if ((c >= 0 && c < ' ') || c == '\x7f' || c == '\\' || c == '#') c = '_';
  return name;
}

/// Text with the fewest digits that give back every coordinate bit by bit.
class ObjWriter final : public FrameWriter {
 public:
  std::string encode(const Model& model, const State& state) const override {
    const bool has_uv =
        std::any_of(model.uv.begin(), model.uv.end(), [](const Vec2& uv) { return uv != Vec2::Zero(); });
    fmt::memory_buffer text;
    const auto out = std::back_inserter(text);
    for (const ClothRange& cloth : model.cloths) {
      fmt::format_to(out, "o {}\n", printable(cloth.name));
      for (int v = cloth.first_vertex; v < cloth.first_vertex + cloth.vertex_count; ++v) {
        const auto position = state.positions.col(model.vertex_numbers.to_model(v));
        fmt::format_to(out, "v {} {} {}\n", position.x(), position.y(), position.z());
      }
      for (int v = cloth.first_vertex; has_uv && v < cloth.first_vertex + cloth.vertex_count; ++v) {
        const Vec2& uv = model.uv[model.vertex_numbers.to_model(v)];
        fmt::format_to(out, "vt {} {}\n", uv.x(), uv.y());
      }
      for (int t = cloth.first_triangle; t < cloth.first_triangle + cloth.triangle_count; ++t) {
        const auto [a, b, c] = user_triangle(model, t);
        if (has_uv)
          fmt::format_to(out, "f {0}/{0} {1}/{1} {2}/{2}\n", a + 1, b + 1, c + 1);
        else
          fmt::format_to(out, "f {} {} {}\n", a + 1, b + 1, c + 1);
      }
    }
    return fmt::to_string(text);
  }
};

}  // namespace

std::unique_ptr<FrameWriter> make_obj_writer() { return std::make_unique<ObjWriter>(); }

}  // namespace muslin
