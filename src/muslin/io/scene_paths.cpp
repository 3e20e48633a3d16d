#include "muslin/io/scene_paths.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

namespace {

/// Walks the fields of a scene, the first element of every list, and keeps the paths of every key.
class KeyPaths {
 public:
  KeyPaths() { look(Scene{}); }

  std::map<std::string, std::vector<std::string>, std::less<>> of;

 private:
  template <Described Struct>
  void look(const Struct& value) {
    const auto visit = [this](std::string_view name, const auto& member, const FieldInfo&) {
      const size_t length = path_.size();
      path_.append(length == 0 ? "" : "/").append(name);
      of[std::string(name)].push_back(path_);
      this->look(member);
      path_.resize(length);
    };
    Struct::fields(value, visit);
  }
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
  static const KeyPaths paths;
  const auto found = paths.of.find(key);
  if (found == paths.of.end()) return "";
  constexpr size_t kMost = 3;
  const auto end = found->second.begin() + std::min(kMost, found->second.size());
  const auto more = found->second.end() - end;
  return fmt::format("it stands at {}{}", fmt::join(found->second.begin(), end, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

}  // namespace muslin
