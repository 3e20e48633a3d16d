#include "muslin/io/obj_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "muslin/io/polygon_mesh.h"
#include "muslin/io/scan.h"

namespace muslin {

namespace {

constexpr int kNone = -1;

// Statements that say nothing about a triangle mesh: normals, groups, materials, points and lines, display.
constexpr std::array<std::string_view, 18> kIgnored{
    "vp",    "g",   "o",        "s",        "mg", "usemtl",     "mtllib",    "usemap", "maplib",
    "bevel", "lod", "c_interp", "d_interp", "l",  "shadow_obj", "trace_obj", "p",      ""};

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& name) : lines_(text), mesh_(name, 1) {}

  Mesh read() {
    std::string_view statement;
    while (next_statement(statement)) read_statement(statement);
    attach_uv();
    return mesh_.triangulate();
  }

 private:
  bool next_statement(std::string_view& statement);
  void read_statement(std::string_view rest);
  void read_position(std::string_view rest);
  void read_uv(std::string_view rest);
  void read_face(std::string_view rest);
  bool read_corner(std::string_view word);
  std::optional<int> resolve(std::string_view word, std::size_t count, const char* what);
  void attach_uv();

  template <class... Args>
  void problem(fmt::format_string<Args...> text, Args&&... args) {
    mesh_.problems.add(mesh_.at(place_), text, std::forward<Args>(args)...);
  }

  struct CornerUv {
    int vertex, uv;
    std::size_t place;
  };

  Lines lines_;
  std::string joined_;     ///< a statement that goes over several lines
  std::size_t place_ = 0;  ///< line where the statement begins
  PolygonMesh mesh_;
  std::size_t normals_ = 0;          ///< vn seen; only their number matters
  std::vector<Vec2> uv_;             ///< as listed by vt
  std::vector<CornerUv> corner_uv_;  ///< which vt the faces give to which vertex
};

/// Removes a comment; true if the line goes on with the next one, having lost its backslash.
bool goes_on(std::string_view& line) {
  const std::size_t comment = line.find('#');
  if (comment != line.npos) {
    line = line.substr(0, comment);
    return false;
  }
  if (line.empty() || line.back() != '\\') return false;
  line.remove_suffix(1);
  return true;
}

bool ObjReader::next_statement(std::string_view& statement) {
  if (!lines_.next(statement)) return false;
  place_ = lines_.number();
  if (!goes_on(statement)) return true;
  joined_ = statement;
  std::string_view line;
  for (bool more = true; more && lines_.next(line);) {
    more = goes_on(line);
    joined_ += ' ';
    joined_ += line;
  }
  statement = joined_;
  return true;
}

void ObjReader::read_statement(std::string_view rest) {
  if (rest.size() > kMaxLine) {
    mesh_.problems.fail(mesh_.at(place_), "a line must have at most {} bytes, got {}", kMaxLine, rest.size());
  }
  const std::string_view keyword = take_word(rest);
  if (keyword == "v")
    read_position(rest);
  else if (keyword == "vt")
    read_uv(rest);
  else if (keyword == "vn")
    ++normals_;
  else if (keyword == "f")
    read_face(rest);
  else if (std::find(kIgnored.begin(), kIgnored.end(), keyword) == kIgnored.end())
    problem("expected a statement such as v, vt, f, g or usemtl, got {}", quote(keyword));
}

/// v x y z, then perhaps a weight or a colour, which are ignored.
void ObjReader::read_position(std::string_view rest) {
  Vec3 position = Vec3::Zero();
  for (double& coordinate : position) {
    const std::string_view word = take_word(rest);
    const std::optional<double> number = parse_number(word);
    if (!number || !std::isfinite(*number)) {
      problem("a vertex must have 3 finite coordinates, got {}", word.empty() ? "fewer" : quote(word));
      break;
    }
    coordinate = *number;
  }
  mesh_.add_vertex(position, place_);
}

/// vt u [v [w]]; w is ignored.
void ObjReader::read_uv(std::string_view rest) {
  Vec2 uv = Vec2::Zero();
  for (int k = 0; k < 2; ++k) {
    const std::string_view word = take_word(rest);
    if (k == 1 && word.empty()) break;
    const std::optional<double> number = parse_number(word);
    if (!number || !std::isfinite(*number)) {
      problem("a texture vertex must have finite coordinates, got {}", word.empty() ? "none" : quote(word));
      break;
    }
    uv[k] = *number;
  }
  uv_.push_back(uv);
}

void ObjReader::read_face(std::string_view rest) {
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest))
    if (!read_corner(word)) return mesh_.drop_polygon();
  mesh_.end_polygon(place_);
}

/// v, v/vt, v//vn or v/vt/vn.
bool ObjReader::read_corner(std::string_view word) {
  std::array<std::string_view, 3> part;
  for (std::string_view& p : part) {
    p = word.substr(0, word.find('/'));
    word.remove_prefix(std::min(p.size() + 1, word.size()));
  }
  const std::optional<int> vertex = resolve(part[0], mesh_.positions.size(), "vertex");
  if (!vertex) return false;
  mesh_.add_corner(*vertex);
  if (!part[2].empty() && !resolve(part[2], normals_, "normal")) return false;
  if (part[1].empty()) return true;
  const std::optional<int> uv = resolve(part[1], uv_.size(), "texture vertex");
  if (uv) corner_uv_.push_back({*vertex, *uv, place_});
  return uv.has_value();
}

/// The number from 0 of an item that the file numbers from 1, or backwards from the latest with -1.
std::optional<int> ObjReader::resolve(std::string_view word, std::size_t count, const char* what) {
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || number == 0) {
    problem("a face must name each {} by a whole number other than 0, got {}", what, quote(word));
    return {};
  }
  if (number > 0) return number - 1;
  if (number + static_cast<std::int64_t>(count) < 0) {
    problem("a face names a {} {} back, but there are {} above it", what, -std::int64_t{number}, count);
    return {};
  }
  return number + static_cast<int>(count);
}

/// Gives each vertex the first texture coordinates that a face names for it.
void ObjReader::attach_uv() {
  if (corner_uv_.empty()) return;
  const std::size_t count = mesh_.positions.size();
  std::vector<int> first(count, kNone);
  std::vector<bool> seam(count);
  for (const auto& [vertex, uv, place] : corner_uv_) {
    if (uv >= static_cast<std::int64_t>(uv_.size())) {
      mesh_.problems.add(mesh_.at(place), "a face must use texture vertices 1 to {}, got {}", uv_.size(),
                         uv + 1);
      continue;
    }
    if (vertex >= static_cast<std::int64_t>(count)) continue;  // triangulate tells
    if (first[vertex] == kNone)
      first[vertex] = uv;
    else if (uv_[first[vertex]] != uv_[uv])
      seam[vertex] = true;
  }
  mesh_.uv.assign(count, Vec2::Zero());
  for (std::size_t v = 0; v < count; ++v)
    if (first[v] != kNone) mesh_.uv[v] = uv_[first[v]];
  const auto seams = static_cast<std::size_t>(std::count(seam.begin(), seam.end(), true));
  if (seams > 0)
    mesh_.repairs.push_back("kept the first of several texture coordinates of " +
                            counted(seams, "vertex", "vertices") + " on seams");
}

}  // namespace

Mesh parse_obj(std::string_view text, const std::string& name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  return ObjReader(text, name).read();
}

}  // namespace muslin
