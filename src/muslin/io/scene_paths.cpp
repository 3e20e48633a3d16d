#include "muslin/io/scene_paths.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

namespace {

/// Walks the fields of a scene, the first element of every list, and keeps the paths that end in a key.
class KeySearch {
 public:
  explicit KeySearch(std::string_view key) : key_(key) {}

  template <Described Struct>
  void look(const Struct& value) {
    const auto visit = [this](std::string_view name, const auto& member, const FieldInfo&) {
      const size_t length = path_.size();
      path_.append(length == 0 ? "" : "/").append(name);
      if (name == key_) found.push_back(path_);
      look(member);
      path_.resize(length);
    };
    Struct::fields(value, visit);
  }

  std::vector<std::string> found;

 private:
  template <class T>
  void look(const T&) {}
  template <class T>
  void look(const std::optional<T>&) {
    look(T{});
  }
  template <class T>
  void look(const std::vector<T>&) {
    path_ += "/0";
    look(T{});
  }

  std::string_view key_;
  std::string path_;
};

struct OtherName {
  std::string_view key, words;
};
// What other programs and textbooks call it.
constexpr OtherName kOtherNames[] = {
    {"mass", "cloth has a fabric/density [kg/m^2], or a vertex_mass [kg]"},
    {"dt", "the step is frame_time over the solver's substeps"},
    {"time_step", "the step is frame_time over the solver's substeps"},
    {"fps", "a frame lasts frame_time [s]"},
    {"stiffness", "cloth has a fabric (warp, weft, shear, bend), or springs (structural, shear, bend)"},
    {"ks", "cloth has a fabric (warp, weft, shear, bend), or springs (structural, shear, bend)"},
    {"material", "what cloth is made of is its fabric"},
    {"resolution", "a grid has points, [128, 128]"},
};

}  // namespace

std::string where_it_belongs(std::string_view key) {
  for (const OtherName& other : kOtherNames)
    if (other.key == key) return std::string(other.words);
  constexpr size_t kMost = 3;
  KeySearch search(key);
  search.look(Scene{});
  if (search.found.empty()) return "";
  const bool is_cut = search.found.size() > kMost;
  if (is_cut) search.found.resize(kMost);
  return fmt::format("it stands at {}{}", fmt::join(search.found, ", "), is_cut ? ", …" : "");
}

}  // namespace muslin
