#include "muslin/io/gltf_file.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "muslin/io/bytes.h"
#include "muslin/io/polygon_mesh.h"
#include "muslin/io/scan.h"
#include "muslin/model/scene.h"

namespace muslin {

namespace {

constexpr std::size_t kHeader = 12, kChunkHeader = 8;
constexpr std::uint32_t kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;
constexpr std::size_t kMostElements = std::size_t{6} * kMaxVertices;  // corners of the largest mesh
constexpr std::size_t kMostBuffered = std::size_t{1} << 30;           // of all buffers
constexpr std::size_t kMostRead = 4 * kMostElements;  // of all accessors, that are read again and again, too

/// A type of number in accessors.
struct Component : NumberType {
  std::uint32_t code;
};
constexpr std::array<Component, 6> kComponents{
    {{{1, true}, 5120}, {{1}, 5121}, {{2, true}, 5122}, {{2}, 5123}, {{4}, 5125}, {{4, true, true}, 5126}}};

const Component* component_of(std::uint32_t code) {
  const auto found = std::find_if(kComponents.begin(), kComponents.end(),
                                  [&](const Component& c) { return c.code == code; });
  return found == kComponents.end() ? nullptr : found;
}

double number_at(std::string_view bytes, std::size_t place, const Component& type, bool normalized) {
  const double number = number_of(bits_at(bytes, place, type.size), type);
  if (!normalized || type.is_real) return number;
  const double modulus = std::ldexp(1.0, 8 * static_cast<int>(type.size));
  return type.is_signed ? std::max(number / (modulus / 2 - 1), -1.0) : number / (modulus - 1);
}

std::size_t components_of(std::string_view type) {
  if (type == "MAT4") return 16;
  return type.starts_with("VEC") ? static_cast<std::size_t>(type[3] - '0') : 1;
}

/// The bytes of base64 [RFC 4648], or nothing for what is none.
std::optional<std::string> from_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    int digit = 0;
    if (c >= 'A' && c <= 'Z')
      digit = c - 'A';
    else if (c >= 'a' && c <= 'z')
      digit = c - 'a' + 26;
    else if (c >= '0' && c <= '9')
      digit = c - '0' + 52;
    else if (c == '+' || c == '/')
      digit = c == '+' ? 62 : 63;
    else
      return {};
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  return bytes;
}

/// A path as a URI has it, "%20" for a space.
std::string unescaped(std::string_view uri) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string path;
  for (std::size_t k = 0; k < uri.size(); ++k) {
    const bool is_escape =
        uri[k] == '%' && k + 2 < uri.size() && digit(uri[k + 1]) >= 0 && digit(uri[k + 2]) >= 0;
    path += is_escape ? static_cast<char>(16 * digit(uri[k + 1]) + digit(uri[k + 2])) : uri[k];
    if (is_escape) k += 2;
  }
  return path;
}

}  // namespace

// --- the document ----------------------------------------------------------------------------------

GltfFile::GltfFile(std::string_view bytes, const std::string& name, const ReadNeighbour& read)
    : document_{name, {}, {}, {}}, read_(read) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  is_binary_ = bytes.substr(0, 4) == "glTF";
  if (is_binary_) {
    open(bytes);
  } else {
    if (bytes.substr(0, kByteOrderMark.size()) == kByteOrderMark) bytes.remove_prefix(kByteOrderMark.size());
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first == bytes.npos || bytes[first] != '{')
      throw Error(ErrorKind::invalid,
                  name + ": a glTF file must begin with glTF (GLB) or {, got " + quote(bytes.substr(0, 8)));
    document_.text = bytes;
  }
  document_.root = parse_json(document_.text, is_binary_ ? name + ": JSON" : name);
  check_version();
}

// GLB: a header, a chunk of JSON, and perhaps one of bytes.
void GltfFile::open(std::string_view bytes) {
  const auto expect = [&](bool holds, std::size_t place, const std::string& words) {
    if (!holds) throw Error(ErrorKind::invalid, fmt::format("{}: byte {}: {}", document_.name, place, words));
  };
  expect(bytes.size() >= kHeader, bytes.size(), "the header must have 12 bytes, but the file ends");
  expect(word_at(bytes, 4) == 2, 4, fmt::format("must be version 2, got {}", word_at(bytes, 4)));
  expect(
      word_at(bytes, 8) == bytes.size(), 8,
      fmt::format("the file must have the {} bytes of its header, got {}", word_at(bytes, 8), bytes.size()));
  for (std::size_t place = kHeader, number = 0; place < bytes.size(); ++number) {
    expect(bytes.size() - place >= kChunkHeader, place, "a chunk must have a header of 8 bytes");
    const std::size_t size = word_at(bytes, place);
    const std::uint32_t type = word_at(bytes, place + 4);
    place += kChunkHeader;
    expect(size <= bytes.size() - place, place - kChunkHeader,
           fmt::format("the chunk must have {} bytes, but {} follow", size, bytes.size() - place));
    expect(number > 0 || type == kJsonChunk, place - 4, "the first chunk must be JSON");
    if (number == 0) document_.text = bytes.substr(place, size);
    if (type == kBinaryChunk && !chunk_) chunk_ = bytes.substr(place, size);
    place += size;
  }
  expect(!document_.text.empty(), kHeader, "a chunk of JSON must follow the header");
}

void GltfFile::check_version() const {
  const std::optional<GltfItem> asset = find(root(), "asset");
  if (!asset) fail(root(), "must be glTF, with an \"asset\"");
  const std::string version = text(*asset, "version");
  if (!version.starts_with("2.")) fail(*asset, "must be of version 2, got {}", quote(version));
}

std::string GltfFile::where(const GltfItem& item) const {
  const std::string file = is_binary_ ? document_.name : document_.where(item.node->place);
  return item.path.empty() ? file : file + ": " + item.path;
}

std::optional<GltfItem> GltfFile::find(const GltfItem& of, std::string_view key) const {
  if (!of.node->as<JsonNode::Object>()) fail(of, "must be an object, got {}", finding(*of.node));
  const JsonNode* const node = of.node->find(key);
  if (!node) return {};
  return GltfItem{node, fmt::format("{}/{}", of.path, key)};
}

std::vector<GltfItem> GltfFile::elements(const GltfItem& of, std::string_view key) const {
  const std::optional<GltfItem> list = find(of, key);
  if (!list) return {};
  const auto* const array = list->node->as<JsonNode::Array>();
  if (!array) fail(*list, "must be an array, got {}", finding(*list->node));
  std::vector<GltfItem> items;
  items.reserve(array->size());
  for (const JsonNode& node : *array)
    items.push_back({&node, fmt::format("{}/{}", list->path, items.size())});
  return items;
}

GltfItem GltfFile::element(std::string_view list, const GltfItem& from) const {
  const std::uint32_t number = whole(from);
  const JsonNode* const node = document_.root.find(list);
  const auto* const array = node ? node->as<JsonNode::Array>() : nullptr;
  const std::size_t count = array ? array->size() : 0;
  if (number >= count)
    fail(from, "must be the number of one of the {} {} of the file, got {}", count, list, number);
  return {&(*array)[number], fmt::format("/{}/{}", list, number)};
}

std::uint32_t GltfFile::whole(const GltfItem& item) const {
  const auto* const number = item.node->as<std::uint64_t>();
  if (!number || *number > 0xFFFFFFFF)
    fail(item, "must be a whole number, 0 or more, got {}", finding(*item.node));
  return static_cast<std::uint32_t>(*number);
}

std::uint32_t GltfFile::whole(const GltfItem& of, std::string_view key, std::uint32_t otherwise) const {
  const std::optional<GltfItem> item = find(of, key);
  return item ? whole(*item) : otherwise;
}

std::vector<double> GltfFile::numbers(const GltfItem& item, std::size_t count) const {
  const auto* const array = item.node->as<JsonNode::Array>();
  if (!array || array->size() != count) fail(item, "must be {} numbers, got {}", count, finding(*item.node));
  std::vector<double> values;
  for (const JsonNode& node : *array) {
    const std::optional<double> value = node.number();
    if (!value || !std::isfinite(*value))
      fail(item, "must be {} finite numbers, got {}", count, finding(node));
    values.push_back(*value);
  }
  return values;
}

std::string GltfFile::text(const GltfItem& of, std::string_view key) const {
  const std::optional<GltfItem> item = find(of, key);
  if (!item) return "";
  const auto* const words = item->node->as<std::string>();
  if (!words) fail(*item, "must be a string, got {}", finding(*item->node));
  return *words;
}

// --- buffers ---------------------------------------------------------------------------------------

std::string GltfFile::load(const GltfItem& buffer, const std::string& uri) const {
  if (uri.starts_with("data:")) {
    const std::size_t comma = uri.find(',');
    const std::string_view head = std::string_view(uri).substr(0, comma);
    if (comma == uri.npos || !head.ends_with(";base64"))
      fail(buffer, "a data URI must have base64, got {}", quote(head));
    std::optional<std::string> bytes = from_base64(std::string_view(uri).substr(comma + 1));
    if (!bytes) fail(buffer, "a data URI must have base64, got another character");
    return std::move(*bytes);
  }
  if (!read_)
    fail(buffer, "names the file {}: files beside this one cannot be read here; use GLB", quote(uri));
  try {
    return read_(unescaped(uri));
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", where(buffer), error.what()));
  }
}

std::string_view GltfFile::buffer(const GltfItem& item, std::uint32_t number) const {
  const std::size_t size = whole(item, "byteLength", 0);
  std::string_view bytes;
  if (find(item, "uri")) {
    const std::string uri = text(item, "uri");
    const std::string key = uri.starts_with("data:") ? std::to_string(number) : "file " + uri;
    auto known = buffers_.find(key);
    if (known == buffers_.end()) {
      known = buffers_.emplace(key, load(item, uri)).first;
      bytes_read_ += known->second.size();
      if (bytes_read_ > kMostBuffered) fail(item, "all buffers must have at most {} bytes", kMostBuffered);
    }
    bytes = known->second;
  } else if (number == 0 && chunk_) {
    bytes = *chunk_;
  } else {
    fail(item, "must have a uri, as the file has no binary chunk for it");
  }
  if (bytes.size() < size) fail(item, "must have {} bytes (byteLength), got {}", size, bytes.size());
  return bytes.substr(0, size);
}

GltfFile::View GltfFile::view(const GltfItem& item) const {
  const std::optional<GltfItem> from = find(item, "buffer");
  if (!from) fail(item, "must name a buffer");
  const std::string_view bytes = buffer(element("buffers", *from), whole(*from));
  const std::size_t offset = whole(item, "byteOffset", 0), size = whole(item, "byteLength", 0);
  if (!lie_within(bytes.size(), offset, size, std::size_t{1}, std::size_t{1}))
    fail(item, "must lie within the {} bytes of its buffer, got {} bytes from byte {} on", bytes.size(), size,
         offset);
  return {bytes.substr(offset, size), whole(item, "byteStride", 0)};
}

// --- accessors -------------------------------------------------------------------------------------

void GltfFile::decode(const GltfItem& item, const View& view, std::size_t offset, int component_type,
                      std::size_t components, std::size_t count, bool normalized, double* out) const {
  const Component& type = *component_of(static_cast<std::uint32_t>(component_type));
  const std::size_t element = components * type.size, stride = view.stride > 0 ? view.stride : element;
  if (count == 0) return;
  if (stride < element || !lie_within(view.bytes.size(), offset, count, stride, element))
    fail(item, "{} elements of {} bytes, every {} from byte {} on, must lie within the {} bytes of the view",
         count, element, stride, offset, view.bytes.size());
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t c = 0; c < components; ++c) {
      const double number = number_at(view.bytes, offset + k * stride + c * type.size, type, normalized);
      if (!std::isfinite(number)) fail(item, "element {} must be finite, got {}", k, number);
      *out++ = number;
    }
}

std::vector<double> GltfFile::accessor(const GltfItem& item, std::string_view type) const {
  if (const std::string its = text(item, "type"); its != type)
    fail(item, "must be of type {}, got {}", type, quote(its));
  const std::uint32_t code = whole(item, "componentType", 0);
  if (!component_of(code)) fail(item, "has no componentType of glTF, got {}", code);
  const std::size_t count = whole(item, "count", 0), components = components_of(type);
  if (count > kMostElements) fail(item, "must have at most {} elements, got {}", kMostElements, count);
  const std::optional<GltfItem> normalized = find(item, "normalized");
  const bool* const is_normalized = normalized ? normalized->node->as<bool>() : nullptr;
  const bool as_fraction = is_normalized && *is_normalized;

  std::vector<double> values;
  const std::optional<GltfItem> from = find(item, "bufferView"), sparse = find(item, "sparse");
  if (!from && !sparse)
    fail(item, "must have a bufferView: if the numbers are compressed, export the file without compression");
  const View bytes = from ? view(element("bufferViews", *from)) : View();
  // A short file makes nobody allocate for more than it holds, but for zeros as of one mesh.
  if (from && count > bytes.bytes.size())
    fail(item, "must have at most {} elements, as its view has so many bytes, got {}", bytes.bytes.size(),
         count);
  if (!from && (zeros_read_ += count) > kMaxVertices)
    fail(item, "all elements that are all but a few zero must be at most {}, got {}", kMaxVertices,
         zeros_read_);
  elements_read_ += count;
  if (elements_read_ > kMostRead)
    fail(item, "must not be read again: primitives name {} elements", elements_read_);
  values.resize(count * components);
  if (from)
    decode(item, bytes, whole(item, "byteOffset", 0), static_cast<int>(code), components, count, as_fraction,
           values.data());
  if (sparse) apply_sparse(*sparse, static_cast<int>(code), components, as_fraction, values);
  return values;
}

// Elements that differ from those of the view, or from 0.
void GltfFile::apply_sparse(const GltfItem& sparse, int component_type, std::size_t components,
                            bool normalized, std::vector<double>& values) const {
  const std::size_t count = whole(sparse, "count", 0), elements = values.size() / components;
  if (count > elements) fail(sparse, "must change at most {} elements, got {}", elements, count);
  const auto read = [&](std::string_view key, int code, std::size_t each, bool as_fraction) {
    const std::optional<GltfItem> item = find(sparse, key);
    const std::optional<GltfItem> from = item ? find(*item, "bufferView") : std::nullopt;
    if (!from) fail(sparse, "must have {} with a bufferView", key);
    std::vector<double> numbers(count * each);
    const auto type = code != 0 ? static_cast<std::uint32_t>(code) : whole(*item, "componentType", 0);
    if (!component_of(type)) fail(*item, "has no componentType of glTF, got {}", type);
    decode(*item, view(element("bufferViews", *from)), whole(*item, "byteOffset", 0), static_cast<int>(type),
           each, count, as_fraction, numbers.data());
    return numbers;
  };
  const std::vector<double> indices = read("indices", 0, 1, false);
  const std::vector<double> changed = read("values", component_type, components, normalized);
  for (std::size_t k = 0; k < count; ++k) {
    if (!(indices[k] >= 0 && indices[k] < static_cast<double>(elements)))
      fail(sparse, "must change elements 0 to {}, got {}", elements - 1, indices[k]);
    std::copy_n(&changed[k * components], components,
                &values[static_cast<std::size_t>(indices[k]) * components]);
  }
}

}  // namespace muslin
