#include "panel_tabs.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "field_widgets.h"
#include "method_keys.h"
#include "muslin/model/elements.h"
#include "muslin/model/fabrics.h"
#include "muslin/solver/methods.h"

using namespace muslin;

bool has_springs(const Scene& scene) {
  return std::any_of(scene.cloths.begin(), scene.cloths.end(), [](const Cloth& cloth) {
    return cloth.springs || membrane_of(cloth) == Membrane::springs;
  });
}

namespace {

void heading(const char* text) {
  ImGui::Spacing();
  ImGui::TextDisabled("%s", text);
  ImGui::Separator();
}

void draw_methods(Session& session) {
  const std::string current = method_of(session.scene().solver);
  row::begin("method", {"who moves the cloth; it goes on from where it is"});
  if (ImGui::BeginCombo("##value", std::string(find_method(current).label).c_str(),
                        ImGuiComboFlags_HeightLarge)) {
    for (size_t m = 0; m < methods().size(); ++m) {
      const Method& method = methods()[m];
      if (ImGui::Selectable(fmt::format("{}  ({})", method.label, key_of_method(m)).c_str(),
                            method.name == current))
        session.choose_method(std::string(method.name));
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", std::string(method.summary).c_str());
    }
    ImGui::EndCombo();
  }
  row::end(false);
}

// --- the world -------------------------------------------------------------------------------------

/// Check boxes, two in a row.
class Switches {
 public:
  bool draw(const std::string& name, bool on, const char* tip) {
    if (count_++ % 2 == 1) ImGui::SameLine(ImGui::GetWindowContentRegionMax().x * 0.5f);
    const bool pressed = ImGui::Checkbox(name.c_str(), &on);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", tip);
    return pressed;
  }

 private:
  int count_ = 0;
};

void draw_switches(Session& session) {
  Scene& scene = session.scene();
  Switches switches;
  if (switches.draw("gravity", session.has_gravity(), "G")) session.switch_gravity();
  if (switches.draw("wind", session.has_wind(), "V")) session.switch_wind();
  if (switches.draw("self-collision", scene.self_collision.enabled, "C")) session.switch_self_collision();
  bool changed = false;
  for (size_t c = 0; c < scene.colliders.size(); ++c) {
    Collider& collider = scene.colliders[c];
    const std::string name = fmt::format("{}##collider{}", collider.name, c);
    if (!switches.draw(name, collider.enabled, "whether cloth meets it")) continue;
    collider.enabled = !collider.enabled;
    changed = true;
  }
  if (scene.cloths.empty()) return;
  const Acting acting = scene.cloths.front().acting;
  const auto class_of_springs = [&](const char* name, bool Acting::*which, const char* tip) {
    if (!switches.draw(name, acting.*which, tip)) return;
    for (Cloth& cloth : scene.cloths) cloth.acting.*which = !(acting.*which);
    changed = true;
  };
  const bool springs = has_springs(scene);
  class_of_springs(springs ? "structural" : "warp and weft", &Acting::structural,
                   "structural springs; warp and weft of triangles");
  class_of_springs(springs ? "shear" : "shearing", &Acting::shear, "shear springs; shear of triangles");
  class_of_springs(springs ? "bend" : "bending", &Acting::bend, "bend springs; bending of triangles");
  if (changed) session.apply();
}

bool draw_preset(Fabric& fabric) {
  row::begin("preset", {"fabric with measured numbers; choosing one replaces all below"});
  bool changed = false;
  if (ImGui::BeginCombo("##value", row::plain(fabric.preset).c_str(), ImGuiComboFlags_HeightLarge)) {
    for (const FabricPreset& preset : fabrics()) {
      const bool is_this = preset.fabric.preset == fabric.preset;
      if (ImGui::Selectable(row::plain(preset.fabric.preset).c_str(), is_this)) {
        fabric = Fabric();
        fabric.preset = preset.fabric.preset;
        changed = true;
      }
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", preset.source.c_str());
    }
    ImGui::EndCombo();
  }
  row::end(false);
  return changed;
}

/// The numbers that act, whether the scene or the preset says them; what is changed is then the scene's.
bool draw_numbers(Fabric& fabric, const Fabric& original, FieldWidgets& widgets) {
  const Fabric acting = resolved(fabric), standard = resolved(original);
  muslin::detail::Addresses acts, standards;
  Fabric::fields(acting, acts);
  Fabric::fields(standard, standards);
  bool changed = false;
  size_t i = 0;
  const auto draw = [&]<class T>(std::string_view name, T& member, const FieldInfo& info) {
    const void *number = acts.found[i], *its_standard = standards.found[i];
    ++i;
    if constexpr (requires { member.has_value(); }) {
      double value = **static_cast<const T*>(number);
      if (!widgets.field(name, value, **static_cast<const T*>(its_standard), info)) return;
      member = value;
      changed = true;
    }
  };
  Fabric::fields(fabric, draw);
  return changed;
}

bool draw_cloth(Cloth& cloth, const Cloth& original, const std::vector<InertField>& inert,
                const std::string& path) {
  bool changed = false;
  if (row::begin_group("fabric", "what the cloth is made of", true)) {
    changed |= draw_preset(cloth.fabric);
    FieldWidgets widgets;
    changed |= draw_numbers(cloth.fabric, original.fabric, widgets.grey(inert, path + "/fabric"));
    row::end_group();
  }
  const bool has_own_numbers = cloth.springs || cloth.vertex_mass;  // which act in place of the fabric's
  if (row::begin_group("shape and elements", "what the cloth begins as; a change begins it anew",
                       has_own_numbers)) {
    changed |= FieldWidgets({"name", "fabric", "acting", "pins"}).grey(inert, path).draw(cloth, original);
    row::end_group();
  }
  if (row::begin_group("pins", "held vertices, and how they move; L draws round them", false)) {
    changed |= FieldWidgets().field("pins", cloth.pins, original.pins, {"vertices held together"});
    row::end_group();
  }
  return changed;
}

}  // namespace

void draw_world(Session& session) {
  if (session.methods().empty()) draw_methods(session);
  draw_switches(session);
  Scene& scene = session.scene();
  const Scene& original = session.original();
  const std::vector<InertField> inert = inert_fields(scene);
  bool changed = false;

  for (size_t c = 0; c < scene.cloths.size(); ++c) {
    heading(scene.cloths.size() > 1 ? scene.cloths[c].name.c_str() : "Cloth");
    ImGui::PushID(static_cast<int>(c));
    const Cloth& standard = c < original.cloths.size() ? original.cloths[c] : scene.cloths[c];
    changed |= draw_cloth(scene.cloths[c], standard, inert, fmt::format("/cloths/{}", c));
    ImGui::PopID();
  }
  heading("Air, weight and time");
  FieldWidgets rows({"name", "frames", "cloths", "colliders", "self_collision", "solver"});
  rows.grey(inert, "");
  changed |= rows.draw(scene, original);
  heading("Contact");
  changed |=
      rows.field("self_collision", scene.self_collision, original.self_collision, {"cloth against itself"});
  changed |=
      rows.field("colliders", scene.colliders, original.colliders, {"a solid that cloth cannot enter"});
  if (changed) session.apply();
}

// --- the solver ------------------------------------------------------------------------------------

namespace {

/// Draws the settings of the family that runs.
struct FamilySettings {
  std::string_view family;
  const std::vector<InertField>& inert;
  const SolverSettings& original;
  bool changed = false;
  size_t position = 0;
  muslin::detail::Addresses originals = {};

  template <class T>
  void operator()(std::string_view name, T& member, const FieldInfo&) {
    const void* original_member = originals.found[position++];
    if constexpr (Described<T>) {
      if (name == family)
        changed |= FieldWidgets()
                       .grey(inert, fmt::format("/solver/{}", name))
                       .draw(member, *static_cast<const T*>(original_member));
    }
  }
};

void draw_summary(Session& session) {
  ImGui::PushTextWrapPos(0);
  ImGui::TextDisabled("%s.", std::string(find_method(method_of(session.scene().solver)).summary).c_str());
  ImGui::PopTextWrapPos();
}

void draw_comparison(Session& session, Desk& desk) {
  desk.side_by_side.resize(methods().size());
  ImGui::PushTextWrapPos(0);
  ImGui::TextDisabled(
      "Two to four methods on this scene in step, from the beginning, coloured by how far each is "
      "from the exact solution of every step.");
  ImGui::PopTextWrapPos();
  Switches switches;
  std::vector<std::string> chosen;
  for (size_t m = 0; m < methods().size(); ++m) {
    const Method& method = methods()[m];
    const std::string name = fmt::format("{}##compare", method.label);
    if (switches.draw(name, desk.side_by_side[m], std::string(method.summary).c_str()))
      desk.side_by_side[m] = !desk.side_by_side[m];
    if (desk.side_by_side[m]) chosen.emplace_back(method.name);
  }
  const bool possible = chosen.size() >= 2 && chosen.size() <= 4;
  ImGui::BeginDisabled(!possible);
  if (ImGui::Button("Side by side")) session.compare(chosen);
  ImGui::EndDisabled();
  if (session.methods().empty()) return;
  ImGui::SameLine();
  if (ImGui::Button("One again")) session.compare({});
}

}  // namespace

void draw_solver(Session& session, Desk& desk) {
  if (session.methods().empty()) {
    draw_methods(session);
    draw_summary(session);
    heading("Settings");
    SolverSettings& settings = session.scene().solver;
    const std::vector<InertField> inert = inert_fields(session.scene());
    FamilySettings family{settings.family, inert, session.original().solver};
    SolverSettings::fields(session.original().solver, family.originals);
    SolverSettings::fields(settings, family);
    if (family.changed) session.apply();
  }
  heading("Compare");
  draw_comparison(session, desk);
}

void draw_look(Desk& desk, const Scene& scene) {
  ImGui::Checkbox("camera follows the cloth", &desk.follow);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("it moves no more than keeps the cloth in the picture  (T)");
  ImGui::Spacing();
  const std::vector<std::string_view> springs{"structural", "shear", "bend"};  // as lines
  FieldWidgets(has_springs(scene) ? std::vector<std::string_view>() : springs).draw(desk.look, Look{});
}
