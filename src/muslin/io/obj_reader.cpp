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

// Statements that say nothing about faces: points and lines, curves, display.
constexpr std::array<std::string_view, 13> kIgnored{
    "vp",       "mg", "usemap",     "maplib",    "bevel", "lod", "c_interp",
    "d_interp", "l",  "shadow_obj", "trace_obj", "p",     ""};

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& name, PolygonsAs polygons_as)
      : size_(text.size()), lines_(text), mesh_(name, 1) {
    mesh_.polygons_as = polygons_as;
  }

  Mesh read(const ReadProgress& progress) {
    constexpr std::size_t kOften = 1 << 16;  // lines
    std::string_view statement;
    for (std::size_t next = kOften; next_statement(statement);) {
      read_statement(statement);
      if (!progress || lines_.number() < next) continue;
      progress(static_cast<double>(lines_.offset()) / static_cast<double>(size_));
      next = lines_.number() + kOften;
    }
    mesh_.attach_uv(std::move(uv_));
    mesh_.join_normals(normals_);
    normals_ = {};
    return mesh_.triangulate();
  }

 private:
  bool next_statement(std::string_view& statement);
  void read_statement(std::string_view rest);
  void read_position(std::string_view rest);
  void read_uv(std::string_view rest);
  void read_normal(std::string_view rest);
  bool read_name(std::string_view keyword, std::string_view rest);
  void read_face(std::string_view rest);
  bool read_corner(std::string_view word);
  std::optional<int> resolve(std::string_view word, std::size_t count, const char* what);

  template <class... Args>
  void problem(fmt::format_string<Args...> text, Args&&... args) {
    mesh_.problems.add(mesh_.at(place_), text, std::forward<Args>(args)...);
  }

  std::size_t size_;  ///< of the text [bytes]
  TextLines lines_;
  std::string joined_;     ///< a statement that goes over several lines
  std::size_t place_ = 0;  ///< line where the statement begins
  PolygonMesh mesh_;
  std::vector<std::array<float, 3>> normals_;  ///< as listed by vn: which are the same, not where they point
  std::vector<Vec2> uv_;                       ///< as listed by vt
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
    read_normal(rest);
  else if (keyword == "f")
    read_face(rest);
  else if (!read_name(keyword, rest) &&
           std::find(kIgnored.begin(), kIgnored.end(), keyword) == kIgnored.end())
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

/// vn x y z. Frames have normals of their own, so whatever stands here is taken.
void ObjReader::read_normal(std::string_view rest) {
  std::array<float, 3>& normal = normals_.emplace_back();
  for (float& coordinate : normal) coordinate = static_cast<float>(parse_number(take_word(rest)).value_or(0));
}

/// o, g, usemtl, s or mtllib with the rest of the line; false if it is none of them.
bool ObjReader::read_name(std::string_view keyword, std::string_view rest) {
  constexpr std::string_view kSpace = " \t\r\v\f";
  rest.remove_prefix(std::min(rest.find_first_not_of(kSpace), rest.size()));
  rest = rest.substr(0, rest.find_last_not_of(kSpace) + 1);
  if (keyword == "mtllib") {
    mesh_.add_library(rest);
    return true;
  }
  for (std::size_t k = 0; k < kNamings.size(); ++k) {
    if (keyword != kNamings[k].keyword) continue;
    mesh_.name_polygons(k, rest);
    return true;
  }
  return false;
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
  const std::optional<int> uv =
      part[1].empty() ? std::optional(Polygons::kNone) : resolve(part[1], uv_.size(), "texture vertex");
  const std::optional<int> normal =
      part[2].empty() ? std::optional(Polygons::kNone) : resolve(part[2], normals_.size(), "normal");
  if (!uv || !normal) return false;
  mesh_.add_corner(*vertex, *uv, *normal);
  return true;
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

}  // namespace

Mesh parse_obj(std::string_view text, const std::string& name, const ReadProgress& progress,
               PolygonsAs polygons_as) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  return ObjReader(text, name, polygons_as).read(progress);
}

}  // namespace muslin
