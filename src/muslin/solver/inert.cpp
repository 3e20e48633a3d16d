#include "muslin/solver/inert.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "muslin/model/collider_shape.h"
#include "muslin/model/elements.h"
#include "muslin/model/fabrics.h"
#include "muslin/model/same_fields.h"
#include "muslin/solver/solver.h"

namespace muslin {

namespace {

using Names = std::vector<std::string_view>;

/// "its springs act: structural 8000 N/m, damping 0 s"
std::string springs_sentence(const Springs& springs) {
  std::string words = "its springs act: ";
  const std::pair<const char*, std::optional<double>> classes[] = {
      {"structural", springs.structural}, {"shear", springs.shear}, {"bend", springs.bend}};
  for (const auto& [name, stiffness] : classes)
    if (stiffness) words += fmt::format("{} {:.6g} N/m, ", name, *stiffness);
  return words + fmt::format("damping {:.6g} s", springs.damping);
}

/// Why the chosen family keeps lengths whatever the stiffness is; or "".
std::string why_rigid(const SolverSettings& solver) {
  std::string reason;
  each_family(solver, [&](std::string_view name, const auto& settings) {
    if constexpr (requires { settings.why_rigid(); })
      if (name == solver.family) reason = settings.why_rigid();
  });
  return reason;
}

/// Goes through a scene once. Where two reasons make a field inert, the first is told.
class InertSearch {
 public:
  explicit InertSearch(const Scene& scene) : scene_(scene) {}

  std::vector<InertField> run() {
    for (size_t i = 0; i < scene_.cloths.size(); ++i) look_at(fmt::format("/cloths/{}", i), scene_.cloths[i]);
    for (size_t i = 0; i < scene_.colliders.size(); ++i)
      look_at(fmt::format("/colliders/{}", i), scene_.colliders[i]);
    look_at_wind(scene_.wind);
    look_at_self_collision(scene_.self_collision);
    look_at_solver(scene_.solver);
    return std::move(found_);
  }

 private:
  static constexpr InertField::Cause kScene = InertField::scene, kSolver = InertField::solver;

  /// Notes the fields of a struct at `path` that `names` has; all of them where it is empty.
  template <Described Struct>
  void note(InertField::Cause cause, const std::string& path, const Struct& value, const Names& names,
            const std::string& reason, const Struct& standard = {}) {
    each_field_of_both(
        value, standard, [&]<class T>(std::string_view name, const T& member, const T& its_standard) {
          if (names.empty() || std::find(names.begin(), names.end(), name) != names.end())
            note_field(cause, fmt::format("{}/{}", path, name), reason, !same<T>(member, its_standard));
        });
  }
  void note_field(InertField::Cause cause, const std::string& path, const std::string& reason,
                  bool is_written) {
    const auto is_same = [&](const InertField& field) { return field.path == path; };
    if (std::none_of(found_.begin(), found_.end(), is_same))
      found_.push_back({cause, path, reason, is_written});
  }

  // --- cloth -----------------------------------------------------------------------------------------

  /// Numbers that a preset has, too, a Poisson's ratio of 0, and a bend_weft like bend say nothing.
  void note_fabric(InertField::Cause cause, const std::string& path, const Cloth& cloth, const Names& names,
                   const std::string& reason) {
    Fabric standard = cloth.fabric;
    const Fabric preset = find_fabric(cloth.fabric.preset)->fabric;
    each_field_of_both(standard, preset, []<class T>(std::string_view, T& member, const T& its_preset) {
      if constexpr (requires { member.reset(); })
        if (member != its_preset) member.reset();
    });
    if (cloth.fabric.poisson == 0) standard.poisson = 0;
    if (cloth.fabric.bend_weft == cloth.fabric.bend) standard.bend_weft = cloth.fabric.bend_weft;
    note(cause, path, cloth.fabric, names, reason, standard);
  }

  void look_at(const std::string& path, const Cloth& cloth) {
    if (cloth.vertex_mass)
      note_fabric(kScene, path + "/fabric", cloth, {"density"},
                  fmt::format("every vertex weighs {:.6g} kg (vertex_mass)", *cloth.vertex_mass));
    cloth.springs ? look_at_springs(path, cloth, *cloth.springs) : look_at_fabric(path + "/fabric", cloth);
  }

  void look_at_springs(const std::string& path, const Cloth& cloth, const Springs& springs) {
    note_fabric(kScene, path + "/fabric", cloth,
                {"warp", "weft", "shear", "bend", "bend_weft", "poisson", "stiffening", "strain_limit",
                 "damping", "bend_damping"},
                springs_sentence(springs));
    // A class that is written has springs, whatever its number says.
    Names written;
    const auto look_at_class = [&](const char* name, const std::optional<double>& stiffness, bool acts) {
      if (!acts) note(kScene, path + "/springs", springs, {name}, fmt::format("acting/{} is false", name));
      if (stiffness) written.push_back(name);
    };
    look_at_class("structural", springs.structural, cloth.acting.structural);
    look_at_class("shear", springs.shear, cloth.acting.shear);
    look_at_class("bend", springs.bend, cloth.acting.bend);
    if (const std::string reason = why_rigid(scene_.solver); !reason.empty()) {
      written.push_back("damping");
      note(kSolver, path + "/springs", springs, written, reason);
    }
  }

  void look_at_fabric(const std::string& path, const Cloth& cloth) {
    const Fabric& fabric = cloth.fabric;
    const Membrane membrane = membrane_of(cloth);
    const bool triangles = membrane != Membrane::springs;
    if (membrane != Membrane::stvk)
      note_fabric(kScene, path, cloth, {"poisson"},
                  fmt::format("the membrane is {}, not stvk", name_of(membrane)));
    if (!triangles && !cloth.grid)
      note_fabric(kScene, path, cloth, {"shear"},
                  "springs along the edges of a mesh resist shear by their own");
    if (!cloth.acting.structural) {
      note_fabric(kScene, path, cloth, {"warp", "weft"}, "acting/structural is false");
      if (triangles) note_fabric(kScene, path, cloth, {"poisson"}, "acting/structural is false");
      if (membrane == Membrane::baraff_witkin)
        note_fabric(kScene, path, cloth, {"stiffening", "strain_limit"}, "acting/structural is false");
    }
    if (!cloth.acting.shear && triangles)
      note_fabric(kScene, path, cloth, {"shear"}, "acting/shear is false");
    if (!cloth.acting.bend)
      note_fabric(kScene, path, cloth, {"bend", "bend_weft", "bend_damping"}, "acting/bend is false");
    else if (const Fabric all = resolved(fabric); *all.bend == 0 && *all.bend_weft == 0)
      note_fabric(kScene, path, cloth, {"bend_damping"}, "nothing resists bending (bend is 0)");
    look_at_method(path, cloth);
  }

  void look_at_method(const std::string& path, const Cloth& cloth) {
    const SolverSettings& solver = scene_.solver;
    if (const std::string reason = why_rigid(solver); !reason.empty())
      note_fabric(kSolver, path, cloth,
                  {"warp", "weft", "shear", "bend", "bend_weft", "damping", "bend_damping"}, reason);
    if (solver.family == "position" && membrane_of(cloth) == Membrane::baraff_witkin)
      note_fabric(
          kSolver, path, cloth, {"stiffening", "strain_limit"},
          fmt::format("{} has neither stiffening nor a strain limit", name_of(solver.position.method)));
  }

  // --- what cloth meets ------------------------------------------------------------------------------

  void look_at(const std::string& path, const Collider& collider) {
    Names unread;
    for (const std::string_view field : {"radius", "length", "size"})
      if (!shape_of(collider).is_read(field)) unread.push_back(field);
    if (!unread.empty())
      note(kScene, path, collider, unread, fmt::format("the shape is {}", name_of(collider.shape)));
  }

  void look_at_wind(const Wind& wind) {
    if (wind.law == WindLaw::mosegaard)
      return note(kScene, "/wind", wind, {"velocity", "air_density", "drag", "lift", "gust", "gust_length"},
                  "wind/law is mosegaard: its pressure acts");
    note(kScene, "/wind", wind, {"pressure"}, "wind/law is aerodynamic, pressure is for mosegaard");
    if (wind.air_density == 0)
      note(kScene, "/wind", wind, {"velocity", "drag", "lift", "gust", "gust_length"},
           "there is no air (air_density is 0)");
    if (wind.gust == 0) note(kScene, "/wind", wind, {"gust_length"}, "there are no gusts (gust is 0)");
  }

  void look_at_self_collision(const SelfCollision& collision) {
    const SolverSettings& solver = scene_.solver;
    if (!collision.enabled)
      return note(kScene, "/self_collision", collision, {"distance", "friction", "relaxation"},
                  "self_collision is off (enabled is false)");
    const bool of_pairs = keeps_pairs_apart(solver);
    note(kSolver, "/self_collision", collision, {of_pairs ? "relaxation" : "friction"},
         of_pairs ? "contact is of pairs" : "contact is of vertices, which slide freely");
  }

  // --- settings --------------------------------------------------------------------------------------

  void look_at_solver(const SolverSettings& solver) {
    each_family(solver, [&](std::string_view name, const auto& settings) {
      if (name != solver.family)
        this->note(kSolver, fmt::format("/solver/{}", name), settings, {},
                   fmt::format("the solver is {}", solver.family));
    });
    each_family(solver, [&](std::string_view name, const auto& settings) {
      const auto note_of_family = [&](const Names& names, const char* reason) {
        this->note(kScene, fmt::format("/solver/{}", name), settings, names, reason);
      };
      if constexpr (requires { settings.inert(note_of_family); })
        if (name == solver.family) settings.inert(note_of_family);
    });
    if (solver.family == "position" && !scene_.self_collision.enabled)
      note(kScene, "/solver/position", solver.position, {"contact"},
           "self_collision is off (enabled is false)");
  }

  const Scene& scene_;
  std::vector<InertField> found_;
};

}  // namespace

std::vector<InertField> inert_fields(const Scene& scene) { return InertSearch(scene).run(); }

std::vector<InertField> written_in_vain(const Scene& scene) {
  std::vector<InertField> fields = inert_fields(scene);
  std::erase_if(fields, [](const InertField& field) {
    const bool is_thing = field.path.starts_with("/cloths/") || field.path.starts_with("/colliders/");
    return !is_thing || !field.is_written || field.cause != InertField::scene;
  });
  return fields;
}

std::vector<std::string> inert_sentences(const std::vector<InertField>& fields) {
  std::vector<std::string> sentences;
  for (size_t begin = 0, end; begin < fields.size(); begin = end) {
    Names paths;
    for (end = begin; end < fields.size() && fields[end].reason == fields[begin].reason; ++end)
      paths.push_back(fields[end].path);
    sentences.push_back(fmt::format("nothing reads {}: {}", fmt::join(paths, ", "), fields[begin].reason));
  }
  return sentences;
}

}  // namespace muslin
