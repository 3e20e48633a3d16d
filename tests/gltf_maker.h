#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "muslin/io/bytes.h"

namespace muslin {

/// A glTF file that grows: numbers go to one buffer, JSON to lists.
class Gltf {
 public:
  std::string bytes, accessors, views, meshes, materials;
  std::string nodes = R"({"mesh": 0})";
  std::string more;  ///< members of the root

  template <class Number>
  int add(int component, const char* type, int components, const std::vector<Number>& numbers,
          const std::string& rest = "") {
    const std::size_t begin = bytes.size();
    for (const Number number : numbers)
      if constexpr (sizeof(Number) == 1)
        bytes += static_cast<char>(number);
      else
        append_little(bytes, number);
    append(views, fmt::format(R"({{"buffer": 0, "byteOffset": {}, "byteLength": {}}})", begin,
                              bytes.size() - begin));
    append(accessors, fmt::format(R"({{"bufferView": {}, "componentType": {}, "type": "{}", "count": {}{}}})",
                                  count_, component, type, numbers.size() / components, rest));
    return count_++;
  }
  int floats(const char* type, int components, const std::vector<float>& numbers) {
    return add(5126, type, components, numbers);
  }
  int places(const std::vector<float>& numbers) { return floats("VEC3", 3, numbers); }

  std::string json(const std::string& buffer) const {
    return fmt::format(
        R"({{"asset": {{"version": "2.0"}}, "buffers": [{{"byteLength": {}{}}}], "bufferViews": [{}],
 "accessors": [{}], "meshes": [{}], "materials": [{}], "nodes": [{}]{}}})",
        bytes.size(), buffer, views, accessors, meshes, materials, nodes, more);
  }
  std::string glb() const {
    std::string text = json("");
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string file("glTF");
    append_little(file, std::uint32_t{2});
    append_little(file, static_cast<std::uint32_t>(28 + text.size() + bytes.size()));
    append_little(file, static_cast<std::uint32_t>(text.size()));
    file += "JSON" + text;
    append_little(file, static_cast<std::uint32_t>(bytes.size()));
    return file + std::string("BIN\0", 4) + bytes;
  }

  static void append(std::string& list, const std::string& item) {
    list += (list.empty() ? "" : ", ") + item;
  }

 private:
  int count_ = 0;
};

/// A square of two triangles in one mesh, as a program would export it.
Gltf square() {
  Gltf file;
  file.places({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0});
  file.add<std::uint16_t>(5123, "SCALAR", 1, {0, 1, 2, 0, 2, 3});
  file.meshes = R"({"name": "sheet", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]})";
  return file;
}

}  // namespace muslin
