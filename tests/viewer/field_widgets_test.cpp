#include <gtest/gtest.h>
#include <imgui.h>

#include "muslin/model/scene.h"
#include "viewer/field_widgets.h"

using namespace muslin;

namespace {

/// Dear ImGui without any window: what it draws goes nowhere.
class FieldWidgetsTest : public testing::Test {
 protected:
  FieldWidgetsTest() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {400, 3000};
    io.DeltaTime = 1.0f / 60;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }
  ~FieldWidgetsTest() override { ImGui::DestroyContext(); }

  /// One picture of a panel with the mouse there; whether anything was changed.
  template <class Struct>
  bool draw(Struct& value, const Struct& standard, ImVec2 mouse, bool pressed) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = mouse;
    io.MouseDown[0] = pressed;
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings);
    const bool changed = FieldWidgets().grey(inert_, "").draw(value, standard);
    ImGui::End();
    ImGui::Render();
    return changed;
  }
  std::vector<InertField> inert_;

  /// Presses and releases there; whether anything was changed.
  template <class Struct>
  bool click(Struct& value, const Struct& standard, ImVec2 mouse) {
    bool changed = draw(value, standard, mouse, false);
    changed |= draw(value, standard, mouse, false);
    changed |= draw(value, standard, mouse, true);
    changed |= draw(value, standard, mouse, false);
    return changed;
  }
};

TEST_F(FieldWidgetsTest, LookingChangesNothing) {
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].grid.emplace();
  scene.colliders.resize(2);
  const Scene before = scene;
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(draw(scene, before, {-100, -100}, false));
  EXPECT_TRUE(same(scene, before));
}

TEST_F(FieldWidgetsTest, TheButtonBackIsThereOnlyWhereAValueIsAnother) {
  const auto clicks_that_change = [&](SelfCollision value, const SelfCollision& standard) {
    int changes = 0;
    for (float y = 5; y < 120; y += 10) {  // down the right edge, where the buttons back are
      changes += click(value, standard, {382, y});
    }
    EXPECT_TRUE(same(value, standard));
    return changes;
  };
  const SelfCollision standard;
  EXPECT_EQ(clicks_that_change(standard, standard), 0);
  SelfCollision other;
  other.relaxation = 0.9;
  EXPECT_EQ(clicks_that_change(other, standard), 1);
  other.enabled = true;
  EXPECT_EQ(clicks_that_change(other, standard), 2);
}

TEST_F(FieldWidgetsTest, ACheckBoxSwitchesItsField) {
  const SelfCollision standard;
  SelfCollision value;
  EXPECT_TRUE(click(value, standard, {180, 18}));  // the first row is `enabled`
  EXPECT_TRUE(value.enabled);
}

TEST_F(FieldWidgetsTest, WhatNothingReadsCannotBeSwitched) {
  const SelfCollision standard;
  SelfCollision value;
  inert_ = {{InertField::scene, "/enabled", "it is a test", false}};
  EXPECT_FALSE(click(value, standard, {180, 18}));
  EXPECT_FALSE(value.enabled);
}

TEST(Fields, SameLooksAtEveryField) {
  Scene a;
  a.cloths.resize(1);
  Scene b = a;
  EXPECT_TRUE(same(a, b));
  b.cloths[0].fabric.bend_weft = 1e-6;
  EXPECT_FALSE(same(a, b));
  b = a;
  b.wind.velocity.x() = 1;
  EXPECT_FALSE(same(a, b));
  b = a;
  b.solver.newton.linear = LinearSolver::cholesky;
  EXPECT_FALSE(same(a, b));
  b = a;
  b.cloths[0].pins.resize(1);
  EXPECT_FALSE(same(a, b));
  a.cloths[0].pins.resize(1);
  EXPECT_TRUE(same(a, b));
  b.cloths[0].pins[0].sides = {Side::v_max};
  EXPECT_FALSE(same(a, b));
}

TEST(Fields, ANewOptionalIsWithinItsRange) {
  for (const Range& range :
       {Range::any(), Range::positive(), Range::not_negative(), Range::between(0, 0.99999),
        Range::between(5, 9), Range::between(1, 100), Range{2, 3, true}})
    EXPECT_TRUE(range.contains(row::first_value(range)));
}

}  // namespace
