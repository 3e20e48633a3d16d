#include "muslin/render/materials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/render/image.h"

namespace fs = std::filesystem;

namespace muslin {

namespace {

using Reflectance = Eigen::Vector3f;

constexpr std::size_t kMostBytes = std::size_t{16} << 20;  // of a library
constexpr std::size_t kMostLibraries = 1000;               // of a mesh
constexpr std::size_t kMostPixelsAScene = 2 * kMostPixels;
const Reflectance kUnpainted = Reflectance::Constant(-1);

/// What a library says of a material.
struct Material {
  std::optional<Reflectance> kd;
  std::shared_ptr<const Image> picture;
};
using Materials = std::map<std::string, Material>;

Reflectance reflectance(const Colour& colour) {
  const auto [red, green, blue] = linear(colour);
  return {red, green, blue};
}

/// The picture at texture coordinates, the nearest pixel; it repeats.
Reflectance seen_at(const Image& image, const Vec2& uv) {
  const auto place = [](double u, int size) {
    return std::min(static_cast<int>((u - std::floor(u)) * size), size - 1);
  };
  const Pixel& pixel = image.at(place(uv.x(), image.width), place(-uv.y(), image.height));
  return {linear(pixel[0]), linear(pixel[1]), linear(pixel[2])};
}

std::string rest_of(std::istringstream& line) {
  std::string rest;
  std::getline(line >> std::ws, rest);
  while (!rest.empty() && (rest.back() == '\r' || rest.back() == ' ' || rest.back() == '\t')) rest.pop_back();
  return rest;
}

/// Removes blanks from the front.
void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

std::string_view take_word(std::string_view& text) {
  skip_blanks(text);
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  return word;
}

/// The file's name behind the options of a map: -s 1 1 1, -clamp on, …
std::string picture_name(std::istringstream& line) {
  const std::string row = rest_of(line);
  std::string_view name = row;
  while (name.starts_with('-')) {
    const std::string_view option = take_word(name);
    const bool takes_word = option != "-s" && option != "-o" && option != "-t";
    std::string_view after = name, value = take_word(after);
    for (bool first = true; !value.empty(); first = false, value = take_word(after)) {
      if (!(first && takes_word) && value.find_first_not_of("0123456789+-.eE") != value.npos) break;
      name = after;
    }
    skip_blanks(name);
  }
  std::string path(name);
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

/// Reads the libraries of a scene, each file once.
class Libraries {
 public:
  Libraries(std::string folder, std::vector<std::string>& words)
      : folder_(folder.empty() ? "." : std::move(folder)), words_(words) {}

  Materials materials_of(const MeshFile& file) {
    Materials all;
    if (!file.mesh || !file.mesh->polygons) return all;
    const fs::path beside = (folder_ / file.file).parent_path();
    std::vector<fs::path> paths;
    for (const std::string& names : file.mesh->polygons->libraries)
      for (fs::path& path : named(beside, names))
        if (paths.size() < kMostLibraries) paths.push_back(std::move(path));
    std::set<fs::path> seen;  // the last that has a material says it
    for (auto path = paths.rbegin(); path != paths.rend(); ++path)
      if (seen.insert(*path).second) all.insert(library(*path).begin(), library(*path).end());
    return all;
  }

 private:
  /// A name with blanks, or several names.
  std::vector<fs::path> named(const fs::path& beside, const std::string& names) const {
    std::error_code ignored;
    if (fs::exists(beside / names, ignored)) return {beside / names};
    std::vector<fs::path> paths;
    std::istringstream words(names);
    for (std::string name; words >> name;) paths.push_back(beside / name);
    return paths;
  }

  bool is_inside(const fs::path& path) const {
    const fs::path relative = path.lexically_normal().lexically_relative(folder_.lexically_normal());
    return !relative.empty() && lies_below(relative.string(), folder_.string());
  }

  template <class Read>
  void attempt(const fs::path& path, const Read& read) {
    if (!is_inside(path)) {
      words_.push_back(path.string() + ": is not below the scene's folder, and is not read");
      return;
    }
    try {
      read();
    } catch (const Error& error) {
      words_.push_back(error.what());
    }
  }

  const Materials& library(const fs::path& path) {
    const auto [entry, is_new] = libraries_.try_emplace(path.string());
    if (is_new) read(path, entry->second);
    return entry->second;
  }

  void read(const fs::path& library, Materials& materials) {
    attempt(library, [&] {
      std::istringstream text(read_file(library.string(), kMostBytes));
      Material* material = nullptr;
      for (std::string row; std::getline(text, row);) {
        std::istringstream line(row);
        std::string keyword;
        line >> keyword;
        if (keyword == "newmtl") material = &materials[rest_of(line)];
        if (!material) continue;
        Reflectance kd;
        if (keyword == "Kd" && line >> kd[0] >> kd[1] >> kd[2])
          material->kd = kd.cwiseMax(0.0f).cwiseMin(1.0f);
        if (keyword == "map_Kd") material->picture = picture(library.parent_path() / picture_name(line));
      }
    });
  }

  std::shared_ptr<const Image> picture(const fs::path& path) {
    const auto [entry, is_new] = pictures_.try_emplace(path.string());
    std::shared_ptr<const Image>& image = entry->second;
    if (is_new)
      attempt(path, [&] {
        image = std::make_shared<const Image>(read_image(path.string(), std::min(kMostPixels, pixels_left_)));
        pixels_left_ -= image->pixels.size();
      });
    return image;
  }

  fs::path folder_;
  std::vector<std::string>& words_;
  std::map<std::string, Materials> libraries_;                    // what could not be read is empty
  std::map<std::string, std::shared_ptr<const Image>> pictures_;  // or null
  std::size_t pixels_left_ = kMostPixelsAScene;
};

/// The texture coordinate of a corner, if it has one.
std::optional<Vec2> uv_of_corner(const Polygons& polygons, const std::vector<Vec2>& uv, int corner) {
  const int number = polygons.corner_uv.empty() ? Polygons::kNone : polygons.corner_uv[corner];
  if (number != Polygons::kNone) return polygons.uv[number];
  return uv.empty() ? std::nullopt : std::optional(uv.at(polygons.corners[corner]));
}

/// What a polygon shows at one of its corners. The corner is looked at from just within: at the border of a
/// picture that repeats, the pixel opposite begins.
Reflectance seen_at_corner(const Image& image, const Polygons& polygons, const std::vector<Vec2>& uv,
                           int polygon, int corner) {
  constexpr double kInwards = 1e-6;
  const int begin = polygons.begin_of(polygon), end = polygons.end[polygon];
  const Vec2 here = *uv_of_corner(polygons, uv, corner);
  Vec2 centre(0, 0);
  for (int c = begin; c < end; ++c) centre += uv_of_corner(polygons, uv, c).value_or(here) / (end - begin);
  return seen_at(image, here + kInwards * (centre - here));
}

/// The colours of a mesh's vertices by the first polygon that has each; false if no material says any.
bool paint_vertices(const Polygons& polygons, const Materials& materials, const std::vector<Vec2>& uv,
                    Colours& colours) {
  bool any = false;
  for (std::size_t k = 0; k < polygons.parts.size(); ++k) {
    const int named = polygons.parts[k].material;
    const auto found = named == Polygons::kNone ? materials.end() : materials.find(polygons.materials[named]);
    if (found == materials.end()) continue;
    const Material& material = found->second;
    for (int p = polygons.parts[k].first; p < polygons.end_of_part(k); ++p)
      for (int c = polygons.begin_of(p); c < polygons.end[p]; ++c) {
        Reflectance& colour = colours.at(polygons.corners[c]);
        if (colour != kUnpainted) continue;
        if (material.picture && uv_of_corner(polygons, uv, c))
          colour = seen_at_corner(*material.picture, polygons, uv, p, c);
        else if (material.kd)
          colour = *material.kd;
        any |= colour != kUnpainted;
      }
  }
  return any;
}

}  // namespace

Paint read_paint(const Scene& scene, const Model& model) {
  Paint paint;
  paint.background = scene.background;
  Libraries libraries(scene.folder, paint.words);

  // 1. Cloth, in the user's numbers, then in the model's
  Colours users(model.user_vertex_count(), kUnpainted);
  bool any = false;
  for (std::size_t c = 0; c < scene.cloths.size() && c < model.written.size(); ++c) {
    const WrittenMesh& written = model.written[c];
    if (const std::optional<Colour>& colour = scene.cloths[c].colour) {
      std::fill_n(users.begin() + written.first_vertex, written.vertex_count, reflectance(*colour));
      any = true;
      continue;
    }
    if (!scene.cloths[c].mesh || !written.polygons) continue;
    const Materials materials = libraries.materials_of(*scene.cloths[c].mesh);
    if (materials.empty()) continue;
    Colours own(written.vertex_count, kUnpainted);
    any |= paint_vertices(*written.polygons, materials, written.uv, own);
    std::copy(own.begin(), own.end(), users.begin() + written.first_vertex);
  }
  if (any) {
    Colours colours(model.vertex_count(), kUnpainted);
    for (int v = 0; v < model.vertex_count(); ++v) colours[v] = users[model.vertex_numbers.to_user(v)];
    paint.cloth = std::make_shared<const Colours>(std::move(colours));
  }

  // 2. Bodies
  for (const Collider& collider : scene.colliders) {
    paint.colliders.emplace_back();
    if (collider.colour) continue;  // its stage knows
    if (collider.shape != Shape::mesh || !collider.mesh || !collider.mesh->mesh) continue;
    const Mesh& mesh = *collider.mesh->mesh;
    Colours colours(mesh.vertex_count(), kUnpainted);
    if (mesh.polygons &&
        paint_vertices(*mesh.polygons, libraries.materials_of(*collider.mesh), mesh.uv, colours))
      paint.colliders.back() = std::make_shared<const Colours>(std::move(colours));
  }
  return paint;
}

void put_on(const Paint& paint, const Model& model, Stage& stage) {
  stage.colours = paint.cloth;
  stage.background = paint.background;
  std::size_t shown = 0;
  for (std::size_t c = 0; c < model.colliders.size() && c < paint.colliders.size(); ++c)
    if (model.colliders[c].enabled && shown < stage.colliders.size())
      stage.colliders[shown++].colours = paint.colliders[c];
}

}  // namespace muslin
