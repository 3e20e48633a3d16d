#include "style.h"

#include <imgui.h>

#include "muslin/render/font_file.h"

namespace {

void load_font(double scale) {
  static const ImWchar kGlyphs[] = {0x20,   0xff,   0x2010, 0x2027, 0x2070, 0x209f, 0x2190, 0x21ff, 0x2200,
                                    0x22ff, 0x25a0, 0x25ff, 0x2600, 0x26ff, 0x3b1,  0x3c9,  0};
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  const float size = static_cast<float>(15 * scale);
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;  // so ImGui, which only reads it, makes a copy
  void* file = const_cast<unsigned char*>(muslin::kFontFile);
  atlas.AddFontFromMemoryTTF(file, muslin::kFontFileSize, size, &config, kGlyphs);
}

void choose_colours(ImGuiStyle& style) {
  const auto grey = [](float light, float alpha = 1) {
    return ImVec4(light * 0.94f, light * 0.98f, light * 1.06f, alpha);
  };
  const auto accent = [](float alpha) {
    return ImVec4(colours::kAccent.red, colours::kAccent.green, colours::kAccent.blue, alpha);
  };
  ImVec4* c = style.Colors;
  c[ImGuiCol_Text] = grey(0.90f);
  c[ImGuiCol_TextDisabled] = grey(0.56f);
  c[ImGuiCol_WindowBg] = grey(0.125f);
  c[ImGuiCol_ChildBg] = grey(0.125f, 0);
  c[ImGuiCol_PopupBg] = grey(0.155f, 0.98f);
  c[ImGuiCol_Border] = grey(0.24f, 0.7f);
  c[ImGuiCol_FrameBg] = grey(0.19f);
  c[ImGuiCol_FrameBgHovered] = grey(0.24f);
  c[ImGuiCol_FrameBgActive] = grey(0.28f);
  c[ImGuiCol_Button] = grey(0.22f);
  c[ImGuiCol_ButtonHovered] = grey(0.29f);
  c[ImGuiCol_ButtonActive] = accent(0.75f);
  c[ImGuiCol_Header] = grey(0.19f);
  c[ImGuiCol_HeaderHovered] = grey(0.25f);
  c[ImGuiCol_HeaderActive] = grey(0.30f);
  c[ImGuiCol_Tab] = grey(0.125f);
  c[ImGuiCol_TabHovered] = grey(0.28f);
  c[ImGuiCol_TabActive] = grey(0.24f);
  c[ImGuiCol_CheckMark] = accent(1);
  c[ImGuiCol_SliderGrab] = accent(0.8f);
  c[ImGuiCol_SliderGrabActive] = accent(1);
  c[ImGuiCol_Separator] = grey(0.22f);
  c[ImGuiCol_ScrollbarBg] = grey(0.125f, 0);
  c[ImGuiCol_ScrollbarGrab] = grey(0.26f);
  c[ImGuiCol_ScrollbarGrabHovered] = grey(0.34f);
  c[ImGuiCol_ScrollbarGrabActive] = grey(0.40f);
  c[ImGuiCol_PlotLines] = accent(1);
  c[ImGuiCol_TextSelectedBg] = accent(0.35f);
  c[ImGuiCol_NavHighlight] = accent(0.6f);
}

}  // namespace

void dress(double scale) {
  load_font(scale);
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.WindowRounding = 0;
  style.ChildRounding = style.PopupRounding = 8;
  style.FrameRounding = style.GrabRounding = style.TabRounding = 5;
  style.ScrollbarRounding = 6;
  style.WindowBorderSize = style.TabBorderSize = style.FrameBorderSize = 0;
  style.PopupBorderSize = 1;
  style.WindowPadding = {14, 12};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {6, 4};
  style.IndentSpacing = 12;
  style.ScrollbarSize = 11;
  style.GrabMinSize = 10;
  style.ScaleAllSizes(static_cast<float>(scale));
  choose_colours(style);
}
