#include "words.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

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

// An object written field by field, by one function a type: initialiser lists of JSON are longer code.
class Object {
 public:
  Object& with(std::string_view name, std::string_view value) { return put(name, value); }
  Object& with(std::string_view name, const std::string& value) { return put(name, std::string_view(value)); }
  Object& with(std::string_view name, const char* value) { return put(name, std::string_view(value)); }
  template <class Value>
  Object& with(std::string_view name, const Value& value) {
    return put(name, value);
  }
  const Json& json() const { return json_; }

 private:
  template <class Value>
  [[gnu::noinline]] Object& put(std::string_view name, const Value& value) {
    json_[std::string(name)] = value;
    return *this;
  }

  Json json_ = Json::object();
};

const Json& json_of(const Object& object) { return object.json(); }
template <class Value>
Json json_of(const Value& value) {
  return value;
}

template <class List, class Entry>
Json array_of(const List& list, const Entry& entry) {
  Json array = Json::array();
  for (const auto& item : list) {
    if (array.size() == kMostNamed) break;
    array.push_back(json_of(entry(item)));
  }
  return array;
}

template <class Fields>
Json values_of(const Fields& fields) {
  Object values;
  const auto visit = [&](std::string_view name, const auto& member, const FieldInfo&) {
    if constexpr (requires { member.value(); }) {
      if (member) values.with(name, *member);
    }
  };
  Fields::fields(fields, visit);
  return values.json();
}

}  // namespace

std::string methods_json() {
  return dump(array_of(methods(), [](const Method& m) {
    return Object()
        .with("name", m.name)
        .with("label", m.label)
        .with("summary", m.summary)
        .with("family", family_of_method(m.name))
        .with("stroke", Object()
                            .with("light", m.stroke.on_light)
                            .with("dark", m.stroke.on_dark)
                            .with("dash", m.stroke.dash)
                            .json());
  }));
}

std::string fabrics_json() {
  return dump(array_of(fabrics(), [](const FabricPreset& f) {
    return Object()
        .with("name", f.fabric.preset)
        .with("source", f.source)
        .with("values", values_of(f.fabric));
  }));
}

std::string report_json() {
  return dump(array_of(report_entries(), [](const ReportEntry& e) {
    return Object().with("name", e.name).with("unit", e.unit).with("doc", e.doc);
  }));
}

std::string fields_json() {
  return dump(array_of(field_entries(), [](const FieldEntry& e) {
    return Object()
        .with("name", e.name)
        .with("unit", e.unit)
        .with("doc", e.doc)
        .with("needs_exact", e.needs_exact);
  }));
}

std::string check_json(const Run& run) {
  const Simulation& simulation = run.simulation();
  const Model& model = simulation.model();
  const auto troubles =
      find_start_troubles(model, model.start, keeps_out(simulation.scene().solver), kMostNamed);
  const Json start = array_of(troubles, [&](const StartTrouble& t) {
    const Json triangles = array_of(t.triangles, [&](int k) { return model.triangle_numbers.to_user(k); });
    return Object()
        .with("what", t.what)
        .with("count", t.count)
        .with("named", t.named)
        .with("triangles", triangles);
  });
  const Json inert = array_of(inert_fields(run.written()), [](const InertField& f) {
    return Object()
        .with("path", f.path)
        .with("reason", f.reason)
        .with("cause", f.cause == InertField::scene ? "scene" : "solver")
        .with("written", f.is_written);
  });
  return dump(Object()
                  .with("warnings", run.warnings())
                  .with("limits", simulation.limits())
                  .with("start", start)
                  .with("inert", inert)
                  .json());
}

std::string cloths_json(const Model& model) {
  Json cloths = array_of(model.written, [](const WrittenMesh& cloth) {
    return Object()
        .with("name", cloth.name)
        .with("first_vertex", cloth.first_vertex)
        .with("vertices", cloth.vertex_count)
        .with("first_triangle", cloth.first_triangle)
        .with("triangles", cloth.triangle_count)
        .with("grid", Json());
  });
  for (const GridPatch& grid : model.grids) {
    const int first = model.vertex_numbers.to_user(grid.first_vertex);
    for (Json& cloth : cloths)
      if (cloth["first_vertex"] == first) cloth["grid"] = std::array{grid.nu, grid.nv};
  }
  return dump(cloths);
}

std::string colliders_json(const Model& model) {
  return dump(array_of(model.colliders, [](const Collider& c) {
    return Object()
        .with("name", c.name)
        .with("shape", name_of(c.shape))
        .with("enabled", c.enabled)
        .with("moves", moves(c))
        .with("deforms", c.frames.has_value());
  }));
}

std::string verdict_json(const Model& model, const Verdict& verdict) {
  const auto vertex = [&](int v) { return model.vertex_numbers.to_user(v); };
  const auto triangle = [&](int t) { return user_triangle_of(model, t).number; };
  const Json meeting = array_of(verdict.meeting, [&](const std::pair<int, int>& pair) {
    return std::array{triangle(pair.first), triangle(pair.second)};
  });
  return dump(
      Object()
          .with("clean", verdict.clean())
          .with("intersecting_pairs", verdict.meeting.size())
          .with("intersecting", meeting)
          .with("inside", array_of(verdict.inside, [&](const InsideVertex& i) { return vertex(i.vertex); }))
          .with("cut", array_of(verdict.cut, [&](const CutTriangle& c) { return triangle(c.triangle); }))
          .with("crossings", verdict.crossings.size())
          .with("through",
                array_of(verdict.through, [&](const ThroughVertex& t) { return vertex(t.vertex); }))
          .with("gap", verdict.gap ? Json(verdict.gap->distance) : Json())
          .json());
}

}  // namespace muslin::web
