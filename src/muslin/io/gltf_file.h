#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "muslin/core/check.h"
#include "muslin/io/gltf_reader.h"
#include "muslin/io/json_tree.h"

namespace muslin {

/// A value of a glTF document with the path to it, which messages name. Internal to io.
struct GltfItem {
  const JsonNode* node = nullptr;
  std::string path;  ///< "/accessors/3/count"
};

/// The JSON of a glTF 2.0 file, and the numbers in its buffers. Everything throws Error(invalid) with file
/// and path where the file is not as the specification has it. Internal to io.
class GltfFile {
 public:
  GltfFile(std::string_view bytes, const std::string& name, const ReadNeighbour& read);

  GltfItem root() const { return {&document_.root, ""}; }
  /// The member of an object, if there is one.
  std::optional<GltfItem> find(const GltfItem& of, std::string_view key) const;
  /// The elements of a member that is an array; none where it is absent.
  std::vector<GltfItem> elements(const GltfItem& of, std::string_view key) const;
  /// The element of a list at the root whose number `from` is.
  GltfItem element(std::string_view list, const GltfItem& from) const;

  /// A whole number of at most 2³² − 1.
  std::uint32_t whole(const GltfItem& item) const;
  /// The same of a member that may be absent.
  std::uint32_t whole(const GltfItem& of, std::string_view key, std::uint32_t otherwise) const;
  /// An array of so many finite numbers.
  std::vector<double> numbers(const GltfItem& item, std::size_t count) const;
  /// A member that is a string; "" where it is absent.
  std::string text(const GltfItem& of, std::string_view key) const;

  /// The numbers of an accessor, element by element; `type` is "SCALAR", "VEC2", "VEC3", "VEC4" or
  /// "MAT4". Integers that are
  /// normalized become fractions; all are finite.
  std::vector<double> accessor(const GltfItem& item, std::string_view type) const;

  template <class... Args>
  [[noreturn]] void fail(const GltfItem& item, fmt::format_string<Args...> words, Args&&... args) const {
    throw Error(ErrorKind::invalid,
                fmt::format("{}: {}", where(item), fmt::format(words, std::forward<Args>(args)...)));
  }

 private:
  /// Bytes of a buffer from `place` on, every `stride`.
  struct View {
    std::string_view bytes;
    std::size_t stride = 0;  ///< 0: elements are packed
  };

  void open(std::string_view bytes);
  void check_version() const;
  std::string where(const GltfItem& item) const;
  std::string_view buffer(const GltfItem& item, std::uint32_t number) const;
  std::string load(const GltfItem& buffer, const std::string& uri) const;
  View view(const GltfItem& item) const;
  void decode(const GltfItem& item, const View& view, std::size_t offset, int component_type,
              std::size_t components, std::size_t count, bool normalized, double* out) const;
  void apply_sparse(const GltfItem& sparse, int component_type, std::size_t components, bool normalized,
                    std::vector<double>& values) const;

  JsonDocument document_;
  const ReadNeighbour& read_;
  bool is_binary_ = false;
  std::optional<std::string_view> chunk_;               ///< the buffer inside a GLB
  mutable std::map<std::string, std::string> buffers_;  ///< those outside, once they were wanted
  mutable std::size_t bytes_read_ = 0, elements_read_ = 0, zeros_read_ = 0;
};

}  // namespace muslin
