#include "words.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "muslin/audit/start.h"
#include "muslin/model/fabrics.h"
#include "muslin/model/motion.h"
#include "muslin/solver/inert.h"
#include "muslin/solver/methods.h"
#include "report.h"

namespace muslin::web {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostNamed = 1000;  // of a list

// Names of files need not be UTF-8.
std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <class List, class Entry>
Json array_of(const List& list, const Entry& entry) {
  Json array = Json::array();
  for (const auto& item : list) {
    if (array.size() == kMostNamed) break;
    array.push_back(entry(item));
  }
  return array;
}

template <class Fields>
Json values_of(const Fields& fields) {
  Json values = Json::object();
  const auto visit = [&](std::string_view name, const auto& member, const FieldInfo&) {
    if constexpr (requires { member.value(); }) {
      if (member) values[std::string(name)] = *member;
    }
  };
  Fields::fields(fields, visit);
  return values;
}

}  // namespace

std::string methods_json() {
  return dump(array_of(methods(), [](const Method& m) {
    return Json{
        {"name", m.name},
        {"label", m.label},
        {"summary", m.summary},
        {"family", family_of_method(m.name)},
        {"stroke", {{"light", m.stroke.on_light}, {"dark", m.stroke.on_dark}, {"dash", m.stroke.dash}}}};
  }));
}

std::string fabrics_json() {
  return dump(array_of(fabrics(), [](const FabricPreset& f) {
    return Json{{"name", f.fabric.preset}, {"source", f.source}, {"values", values_of(f.fabric)}};
  }));
}

std::string report_json() {
  return dump(array_of(report_entries(), [](const ReportEntry& e) {
    return Json{{"name", e.name}, {"unit", e.unit}, {"doc", e.doc}};
  }));
}

std::string fields_json() {
  return dump(array_of(field_entries(), [](const FieldEntry& e) {
    return Json{{"name", e.name}, {"unit", e.unit}, {"doc", e.doc}, {"needs_exact", e.needs_exact}};
  }));
}

std::string check_json(const Run& run) {
  const Simulation& simulation = run.simulation();
  const Model& model = simulation.model();
  const auto troubles =
      find_start_troubles(model, model.start, keeps_out(simulation.scene().solver), kMostNamed);
  const Json start = array_of(troubles, [&](const StartTrouble& t) {
    const Json triangles = array_of(t.triangles, [&](int k) { return model.triangle_numbers.to_user(k); });
    return Json{{"what", t.what}, {"count", t.count}, {"named", t.named}, {"triangles", triangles}};
  });
  const Json inert = array_of(inert_fields(run.written()), [](const InertField& f) {
    return Json{{"path", f.path},
                {"reason", f.reason},
                {"cause", f.cause == InertField::scene ? "scene" : "solver"},
                {"written", f.is_written}};
  });
  return dump(
      {{"warnings", run.warnings()}, {"limits", simulation.limits()}, {"start", start}, {"inert", inert}});
}

std::string cloths_json(const Model& model) {
  Json cloths = array_of(model.written, [](const WrittenMesh& cloth) {
    return Json{{"name", cloth.name},
                {"first_vertex", cloth.first_vertex},
                {"vertices", cloth.vertex_count},
                {"first_triangle", cloth.first_triangle},
                {"triangles", cloth.triangle_count},
                {"grid", nullptr}};
  });
  for (const GridPatch& grid : model.grids) {
    const int first = model.vertex_numbers.to_user(grid.first_vertex);
    for (Json& cloth : cloths)
      if (cloth["first_vertex"] == first) cloth["grid"] = {grid.nu, grid.nv};
  }
  return dump(cloths);
}

std::string colliders_json(const Model& model) {
  return dump(array_of(model.colliders, [](const Collider& c) {
    return Json{{"name", c.name},
                {"shape", name_of(c.shape)},
                {"enabled", c.enabled},
                {"moves", moves(c)},
                {"deforms", c.frames.has_value()}};
  }));
}

std::string verdict_json(const Model& model, const Verdict& verdict) {
  const auto vertex = [&](int v) { return model.vertex_numbers.to_user(v); };
  const auto triangle = [&](int t) { return user_triangle_of(model, t).number; };
  const Json meeting = array_of(verdict.meeting, [&](const std::pair<int, int>& pair) {
    return Json{triangle(pair.first), triangle(pair.second)};
  });
  return dump(
      {{"clean", verdict.clean()},
       {"intersecting_pairs", verdict.meeting.size()},
       {"intersecting", meeting},
       {"inside", array_of(verdict.inside, [&](const InsideVertex& i) { return vertex(i.vertex); })},
       {"cut", array_of(verdict.cut, [&](const CutTriangle& c) { return triangle(c.triangle); })},
       {"crossings", verdict.crossings.size()},
       {"through", array_of(verdict.through, [&](const ThroughVertex& t) { return vertex(t.vertex); })},
       {"gap", verdict.gap ? Json(verdict.gap->distance) : Json(nullptr)}});
}

}  // namespace muslin::web
