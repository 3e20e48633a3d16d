// The C face of the core for browsers: bytes are calls, one after another, with right and wrong handles,
// sizes, orders and texts. No call throws or ends the program, each returns a number of its own, and what a
// result says is there.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../../web/core/muslin_web.h"

namespace {

/// Numbers and texts from bytes; zeros behind their end.
class Source {
 public:
  Source(const std::uint8_t* bytes, std::size_t size) : bytes_(bytes), left_(size) {}
  bool is_empty() const { return left_ == 0; }
  unsigned byte() {
    if (left_ == 0) return 0;
    --left_;
    return *bytes_++;
  }
  /// Mostly small.
  int number() {
    const unsigned kind = byte();
    if (kind < 200) return static_cast<int>(kind % 32) - 1;
    std::uint32_t bits = 0;
    for (int k = 0; k < 4; ++k) bits = bits << 8 | byte();
    return static_cast<int>(bits);
  }
  double real() {
    const unsigned kind = byte();
    if (kind < 200) return (static_cast<int>(kind) - 100) / 50.0;
    std::uint64_t bits = 0;
    for (int k = 0; k < 8; ++k) bits = bits << 8 | byte();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  std::string text() {
    const std::size_t length = std::min<std::size_t>(byte(), left_);
    std::string text(reinterpret_cast<const char*>(bytes_), length);
    bytes_ += length;
    left_ -= length;
    return text;
  }

 private:
  const std::uint8_t* bytes_;
  std::size_t left_;
};

/// Scenes are small whatever the bytes say: 4 × 4 points, or a text that names no sizes.
std::string scene_of(Source& source) {
  switch (source.byte() % 4) {
    case 0:
      return R"({"cloths": [{"grid": {"points": [4, 4]}}], "frames": 3, "solver": {"family": "position"}})";
    case 1:
      return R"({"cloths": [{"grid": {"points": [3, 3]}, "pins": [{"vertices": [0]}]}], "colliders":
                 [{"shape": "sphere", "center": [0, -1, 0], "radius": 0.5}], "solver": {"family": "newton"}})";
    case 2:
      return R"({"cloths": [{"mesh": {"file": "a"}}]})";
    default:
      return source.text();
  }
}

/// Lines of overrides, but none that makes a scene large.
std::string overrides_of(Source& source) {
  const std::string text = source.text();
  for (const char* word : {"points", "substeps", "iterations", "frame_time", "grid", "cloths", "coarse"})
    if (text.find(word) != std::string::npos) return "";
  return text;
}

void require(bool holds) {
  if (!holds) std::abort();
}

/// What a call with a result returned, of items so large: none, an error with words, or as many as there are
/// to read.
int read(int count, std::size_t size) {
  if (count < 0) {
    require(count >= MUSLIN_INTERNAL && *muslin_message());
    return count;
  }
  const auto* const items = static_cast<const volatile unsigned char*>(muslin_result());
  require(count == 0 || items);
  if (count > 0) (void)(items[0] + items[count * size - 1]);
  return count;
}
void done(int code) { require(code == 0 || (code < 0 && code >= MUSLIN_INTERNAL && *muslin_message())); }

void look(int run, Source& source) {
  const int collider = source.number();
  switch (source.byte() % 20) {
    case 0:
      read(muslin_scene(run), 1);
      break;
    case 1:
      read(muslin_check(run), 1);
      break;
    case 2:
      read(muslin_report(run), 8);
      break;
    case 3:
      read(muslin_hash(run), 1);
      break;
    case 4:
      read(muslin_sizes(run), 4);
      break;
    case 5:
      read(muslin_cloths(run), 1);
      break;
    case 6:
      read(muslin_triangles(run), 4);
      break;
    case 7:
      read(muslin_uv(run), 4);
      break;
    case 8:
      read(muslin_positions(run), 8);
      break;
    case 9:
      read(muslin_float_positions(run), 4);
      break;
    case 10:
      read(muslin_velocities(run), 8);
      break;
    case 11:
      read(muslin_normals(run), 4);
      break;
    case 12:
      read(muslin_field(run, source.number()), 4);
      break;
    case 13:
      read(muslin_colliders(run), 1);
      break;
    case 14:
      read(muslin_poses(run), 8);
      break;
    case 15:
      read(muslin_collider_vertices(run, collider, source.number()), 4);
      break;
    case 16:
      read(muslin_collider_triangles(run, collider, source.number()), 4);
      break;
    case 17:
      read(muslin_held(run), 4);
      break;
    case 18:
      read(muslin_judge(run), 1);
      break;
    default:
      read(muslin_list(source.number()), 1);
  }
}

void change(int run, Source& source) {
  const int vertex = source.number();
  const double x = source.real(), y = source.real(), z = source.real();
  switch (source.byte() % 12) {
    case 0:
      done(muslin_hold(run, vertex));
      break;
    case 1:
      done(muslin_hold_at(run, vertex, x, y, z));
      break;
    case 2:
      done(muslin_let_go(run, vertex));
      break;
    case 3:
      done(muslin_pull(run, vertex, x, y, z));
      break;
    case 4:
      done(muslin_release(run));
      break;
    case 5:
      done(muslin_carry(run, vertex, x, y, z));
      break;
    case 6:
      done(muslin_reset(run));
      break;
    case 7:
      done(muslin_exact(run, vertex));
      break;
    case 8: {
      const std::vector<double> forces(48, x);
      done(muslin_push(run, forces.data(), source.byte() % 2 ? 48 : 27));
      break;
    }
    case 9: {
      const std::string bytes = source.text();
      done(muslin_load(run, bytes.data(), static_cast<int>(bytes.size())));
      break;
    }
    case 10: {
      const int size = read(muslin_save(run), 1);
      if (size <= 0) break;
      std::string bytes(static_cast<const char*>(muslin_result()), static_cast<std::size_t>(size));
      if (source.byte() % 2) bytes[static_cast<std::size_t>(source.byte()) % bytes.size()] ^= 1;
      done(muslin_load(run, bytes.data(), size));
      break;
    }
    default: {
      const int made = muslin_step(run, vertex > 3 ? 1 : vertex, 50);
      require(made >= MUSLIN_INTERNAL && made <= 3);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  Source source(bytes, size);
  std::vector<int> runs;
  for (int calls = 0; !source.is_empty() && calls < 60; ++calls) {
    const int handle = source.number(),
              run = runs.empty() || handle < 0 ? handle : runs[handle % runs.size()];
    switch (source.byte() % 8) {
      case 0:
      case 1: {
        if (runs.size() >= 3) break;
        const std::string scene = scene_of(source), name = source.text(), method = source.text();
        const int made =
            muslin_create(scene.c_str(), name.c_str(), source.byte() % 2 ? method.c_str() : nullptr,
                          overrides_of(source).c_str(), source.number());
        require(made > 0 || (made >= MUSLIN_INTERNAL && made < 0 && *muslin_message()));
        if (made > 0) runs.push_back(made);
        break;
      }
      case 2: {
        const std::string content = source.text();
        done(muslin_put_file("a", content.data(), static_cast<int>(content.size())));
        break;
      }
      case 3:
        read(muslin_variant(source.text().c_str(), "a.json"), 1);
        break;
      case 4:
        done(muslin_edit(run, scene_of(source).c_str(), "", "", overrides_of(source).c_str(), 0));
        break;
      case 5:
        look(run, source);
        break;
      default:
        change(run, source);
    }
  }
  for (const int run : runs) require(muslin_destroy(run) == 0);
  require(muslin_count() == 0);
  muslin_drop_files();
  return 0;
}
