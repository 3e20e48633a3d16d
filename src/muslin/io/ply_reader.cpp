#include "muslin/io/ply_reader.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "muslin/io/bytes.h"
#include "muslin/io/polygon_mesh.h"
#include "muslin/io/scan.h"
#include "muslin/model/scene.h"

namespace muslin {

namespace {

constexpr int kAbsent = -1;

// --- what the header says --------------------------------------------------------------------------

enum class Encoding { ascii, little, big };

struct Scalar : NumberType {
  std::string_view name, other_name;
};
constexpr std::array<Scalar, 8> kScalars{{{{1, true}, "char", "int8"},
                                          {{1}, "uchar", "uint8"},
                                          {{2, true}, "short", "int16"},
                                          {{2}, "ushort", "uint16"},
                                          {{4, true}, "int", "int32"},
                                          {{4}, "uint", "uint32"},
                                          {{4, true, true}, "float", "float32"},
                                          {{8, true, true}, "double", "float64"}}};

struct Property {
  std::string name;
  const Scalar* type = nullptr;
  const Scalar* count_type = nullptr;  ///< of a list; else nothing
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;

  /// The index of the first property of one of these names, or kAbsent.
  int find(std::initializer_list<std::string_view> names) const {
    for (std::size_t k = 0; k < properties.size(); ++k)
      if (std::find(names.begin(), names.end(), properties[k].name) != names.end())
        return static_cast<int>(k);
    return kAbsent;
  }
};

struct Header {
  Encoding encoding = Encoding::ascii;
  std::vector<Element> elements;
};

class HeaderReader {
 public:
  HeaderReader(TextLines& lines, PolygonMesh& mesh) : lines_(lines), mesh_(mesh) {}

  Header read() {
    std::string_view line;
    if (!lines_.next(line) || take_word(line) != "ply") fail("a PLY file must begin with the line 'ply'");
    while (true) {
      if (!lines_.next(line)) fail("the header must end with 'end_header', but the file ends");
      if (line.size() > kMaxLine) fail("a line must have at most {} bytes, got {}", kMaxLine, line.size());
      const std::string_view keyword = take_word(line);
      if (keyword == "end_header") break;
      if (keyword == "format")
        read_format(line);
      else if (keyword == "element")
        read_element(line);
      else if (keyword == "property")
        read_property(line);
      else if (keyword != "comment" && keyword != "obj_info" && !keyword.empty())
        fail("expected format, element, property, comment, obj_info or end_header, got {}", quote(keyword));
    }
    if (!has_format_) fail("the header must have a line 'format'");
    return std::move(header_);
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) {
    mesh_.problems.fail(mesh_.at(std::max<std::size_t>(lines_.number(), 1)), text,
                        std::forward<Args>(args)...);
  }

  void read_format(std::string_view rest) {
    constexpr std::array<std::string_view, 3> kNames{"ascii", "binary_little_endian", "binary_big_endian"};
    if (has_format_) fail("the header must have one line 'format', found a second");
    const std::string_view name = take_word(rest);
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    const std::string_view number = take_word(rest);
    if (found == kNames.end() || number != "1.0")
      fail("the format must be one of {} with version 1.0, got {} {}", fmt::join(kNames, ", "), quote(name),
           quote(number));
    header_.encoding = static_cast<Encoding>(found - kNames.begin());
    has_format_ = true;
  }

  void read_element(std::string_view rest) {
    Element element;
    element.name = take_word(rest);
    const std::string_view count = take_word(rest);
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), element.count);
    if (error != std::errc() || end != count.data() + count.size())
      fail("an element must have a name and a count, got {} {}", quote(element.name), quote(count));
    if (element.name == "tristrips")
      fail("triangle strips are not supported: export the mesh with faces ('element face')");
    for (const Element& other : header_.elements)
      if (other.name == element.name) fail("element {} is declared twice", quote(element.name));
    count_declaration();
    header_.elements.push_back(std::move(element));
  }

  void read_property(std::string_view rest) {
    if (header_.elements.empty()) fail("a property must follow an element");
    Property property;
    std::string_view type = take_word(rest);
    if (type == "list") {
      property.count_type = &find_scalar(take_word(rest));
      if (property.count_type->is_real) fail("a list must have a whole number as count type");
      type = take_word(rest);
    }
    property.type = &find_scalar(type);
    property.name = take_word(rest);
    if (property.name.empty()) fail("a property must have a name");
    Element& element = header_.elements.back();
    if (element.find({property.name}) != kAbsent) fail("property {} is declared twice", quote(property.name));
    count_declaration();
    element.properties.push_back(std::move(property));
  }

  const Scalar& find_scalar(std::string_view name) {
    for (const Scalar& scalar : kScalars)
      if (name == scalar.name || name == scalar.other_name) return scalar;
    fail("a type must be one of char, uchar, short, ushort, int, uint, float, double, got {}", quote(name));
  }

  /// Keeps the search for repeated names cheap.
  void count_declaration() {
    constexpr int kMost = 1000;
    if (++declarations_ > kMost) fail("a header must declare at most {} elements and properties", kMost);
  }

  TextLines& lines_;
  PolygonMesh& mesh_;
  Header header_;
  bool has_format_ = false;
  int declarations_ = 0;
};

// --- where numbers come from -----------------------------------------------------------------------
// Both sources give the numbers of one record after another. What is wrong with a record goes to the
// problems of the mesh; begin_record() is false at the end of the file.

/// A record a line.
class AsciiSource {
 public:
  AsciiSource(TextLines& lines, std::string_view text, PolygonMesh& mesh)
      : lines_(lines), text_(text), mesh_(mesh) {}

  std::size_t place() const { return lines_.number(); }
  /// White space at the end does not count.
  std::size_t bytes_left() const {
    return text_.find_first_not_of(" \t\r\n", lines_.offset()) == text_.npos ? 0
                                                                             : text_.size() - lines_.offset();
  }
  /// The fewest bytes of a number: itself and a space or an end of line.
  static std::size_t least_size(const Scalar&) { return 2; }

  bool begin_record() {
    do {
      if (!lines_.next(rest_)) return false;
    } while (rest_.find_first_not_of(" \t") == rest_.npos);
    if (rest_.size() > kMaxLine)
      mesh_.problems.fail(mesh_.at(place()), "a line must have at most {} bytes, got {}", kMaxLine,
                          rest_.size());
    ok_ = true;
    return true;
  }

  double number(const Scalar& type) {
    const std::string_view word = ok_ ? take_word(rest_) : std::string_view();
    const std::optional<double> value = parse_number(word);
    const bool good = value && (type.is_real || *value == std::floor(*value));
    if (ok_ && !good)
      problem("expected a {} ({}), got {}", type.is_real ? "number" : "whole number", type.name,
              word.empty() ? "the end of the line" : quote(word));
    return good ? *value : 0;
  }

  bool has(std::uint64_t count, const Scalar&) const { return count <= (rest_.size() + 1) / 2; }

  /// True if the record was as declared.
  bool end_record() {
    const std::string_view word = take_word(rest_);
    if (ok_ && !word.empty()) problem("expected the end of the line, got {}", quote(word));
    return ok_;
  }

  template <class... Args>
  void problem(fmt::format_string<Args...> text, Args&&... args) {
    if (ok_) mesh_.problems.add(mesh_.at(place()), text, std::forward<Args>(args)...);
    ok_ = false;
  }

 private:
  TextLines& lines_;
  std::string_view text_;
  PolygonMesh& mesh_;
  std::string_view rest_;
  bool ok_ = true;  ///< no problem in this record yet
};

/// Numbers one behind another, without gaps.
class BinarySource {
 public:
  BinarySource(std::string_view bytes, std::size_t begin, bool big_endian, PolygonMesh& mesh)
      : bytes_(bytes), offset_(begin), record_(begin), big_endian_(big_endian), mesh_(mesh) {}

  std::size_t place() const { return record_; }
  std::size_t bytes_left() const { return bytes_.size() - offset_; }
  static std::size_t least_size(const Scalar& type) { return type.size; }

  bool begin_record() {
    record_ = offset_;
    return offset_ < bytes_.size();
  }

  double number(const Scalar& type) {
    if (type.size > bytes_left()) problem("expected a number ({}), but the file ends", type.name);
    std::string number(bytes_.substr(offset_, type.size));
    if (big_endian_) std::reverse(number.begin(), number.end());
    offset_ += type.size;
    return number_of(bits_at(number, 0, type.size), type);
  }

  bool has(std::uint64_t count, const Scalar& type) const { return count <= bytes_left() / type.size; }

  bool end_record() { return true; }

  /// Nothing behind a problem can be read.
  template <class... Args>
  [[noreturn]] void problem(fmt::format_string<Args...> text, Args&&... args) {
    mesh_.problems.fail(mesh_.at(place()), text, std::forward<Args>(args)...);
  }

 private:
  std::string_view bytes_;
  std::size_t offset_;
  std::size_t record_;  ///< where the record began
  bool big_endian_;
  PolygonMesh& mesh_;
};

// --- the body --------------------------------------------------------------------------------------

template <class Source>
class BodyReader {
 public:
  BodyReader(Source& source, PolygonMesh& mesh) : source_(source), mesh_(mesh) {}

  void read(const Header& header) {
    for (const Element& element : header.elements) {
      check_count(element);
      if (element.properties.empty()) continue;  // takes no room in the file
      if (element.name == "vertex")
        read_vertices(element);
      else if (element.name == "face")
        read_faces(element);
      else
        read_records(element, [](std::size_t, double) {});
    }
    if (source_.bytes_left() > 0)
      mesh_.repairs.push_back("ignored " + counted(source_.bytes_left(), "byte", "bytes") +
                              " behind the last element");
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) {
    mesh_.problems.fail(mesh_.at(source_.place()), text, std::forward<Args>(args)...);
  }

  /// Refuses a count that the rest of the file cannot hold, so that nobody allocates for it.
  void check_count(const Element& element) {
    if (element.name == "vertex" && element.count > kMaxVertices)
      fail("a mesh must have at most {} vertices, but the header declares {}", kMaxVertices, element.count);
    std::size_t least = 0;
    for (const Property& p : element.properties)
      least += source_.least_size(p.count_type ? *p.count_type : *p.type);
    // The last line of a text may lack its end.
    if (least > 0 && element.count > (source_.bytes_left() + 1) / least)
      fail("the header declares {} of element {}, but only {} bytes follow", element.count,
           quote(element.name), source_.bytes_left());
  }

  /// Calls item(property index, value) for every number of every record (not for the counts of lists), and
  /// done(ok) behind each record.
  template <class Item, class Done>
  void read_records(const Element& element, const Item& item, const Done& done) {
    for (std::uint64_t k = 0; k < element.count; ++k) {
      if (!source_.begin_record())
        fail("expected {} of element {}, but the file ends after {}", element.count, quote(element.name), k);
      for (std::size_t p = 0; p < element.properties.size(); ++p) {
        const Property& property = element.properties[p];
        std::uint64_t count = property.count_type ? read_count(property) : 1;
        for (; count > 0; --count) item(p, source_.number(*property.type));
      }
      done(source_.end_record());
    }
  }
  template <class Item>
  void read_records(const Element& element, const Item& item) {
    read_records(element, item, [](bool) {});
  }

  std::uint64_t read_count(const Property& property) {
    const double count = source_.number(*property.count_type);
    if (count >= 0 && count < 4294967296.0 && source_.has(static_cast<std::uint64_t>(count), *property.type))
      return static_cast<std::uint64_t>(count);
    source_.problem("the count of list {} must be 0 or more and fit into the rest of the file, got {}",
                    quote(property.name), count);
    return 0;
  }

  void read_vertices(const Element& element) {
    // Where each property goes: x y z u v, or nowhere.
    std::vector<int> role(element.properties.size(), kAbsent);
    const std::array<int, 5> found{element.find({"x"}), element.find({"y"}), element.find({"z"}),
                                   element.find({"s", "u", "texture_u"}),
                                   element.find({"t", "v", "texture_v"})};
    for (int k = 0; k < 5; ++k) {
      if (found[k] == kAbsent) continue;
      if (element.properties[found[k]].count_type)
        fail("property {} of a vertex must not be a list", quote(element.properties[found[k]].name));
      role[found[k]] = k;
    }
    if (found[0] == kAbsent || found[1] == kAbsent || found[2] == kAbsent)
      fail("element 'vertex' must have the properties x, y and z");
    const bool has_uv = found[3] != kAbsent && found[4] != kAbsent;

    std::array<double, 5> value{};
    read_records(
        element,
        [&](std::size_t property, double number) {
          if (role[property] != kAbsent) value[role[property]] = number;
        },
        [&](bool ok) {
          mesh_.add_vertex(ok ? Vec3(value[0], value[1], value[2]) : Vec3::Zero(), source_.place());
          if (!has_uv) return;
          const Vec2 uv(value[3], value[4]);
          if (ok && !uv.allFinite())
            mesh_.problems.add(mesh_.at(source_.place()), "texture coordinates must be finite, got {} {}",
                               uv[0], uv[1]);
          mesh_.uv.push_back(uv);
        });
  }

  void read_faces(const Element& element) {
    const int list = element.find({"vertex_indices", "vertex_index"});
    if (list == kAbsent || !element.properties[list].count_type)
      fail("element 'face' must have a list property vertex_indices");
    read_records(
        element,
        [&](std::size_t property, double index) {
          if (static_cast<int>(property) == list) mesh_.add_corner(to_vertex(index));
        },
        [&](bool ok) { ok ? mesh_.end_polygon(source_.place()) : mesh_.drop_polygon(); });
  }

  /// A vertex number as an int; -1, which no vertex has, for what no int can be.
  static int to_vertex(double index) {
    return index == std::floor(index) && std::abs(index) <= 2147483647.0 ? static_cast<int>(index) : -1;
  }

  Source& source_;
  PolygonMesh& mesh_;
};

}  // namespace

Mesh parse_ply(std::string_view bytes, const std::string& name, PolygonsAs polygons_as) {
  PolygonMesh mesh(name, 0);
  mesh.polygons_as = polygons_as;
  TextLines lines(bytes);
  const Header header = HeaderReader(lines, mesh).read();
  if (header.encoding == Encoding::ascii) {
    AsciiSource source(lines, bytes, mesh);
    BodyReader<AsciiSource>(source, mesh).read(header);
  } else {
    mesh.use_bytes();
    BinarySource source(bytes, lines.offset(), header.encoding == Encoding::big, mesh);
    BodyReader<BinarySource>(source, mesh).read(header);
  }
  return mesh.triangulate();
}

}  // namespace muslin
