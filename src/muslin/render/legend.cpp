#include "muslin/render/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "muslin/render/colour_map.h"
#include "muslin/render/lines.h"

namespace muslin {
namespace {

const Ink kDark{0.13f, 0.13f, 0.15f, 1}, kSoft{0.36f, 0.36f, 0.38f, 1}, kPaper{1, 1, 1, 0.55f},
    kCard{1, 1, 1, 0.85f};

constexpr double kAboveBar = 2.6, kBelowBar = 1;  // of the legend's box, in letters

/// Of letters that stand on the background itself.
Ink plain_ink(const View& view, const Ink& on_paper) {
  const std::optional<Colour>& background = view.stage.background;
  if (!background) return on_paper;
  const auto [red, green, blue] = linear(*background);
  constexpr float kDusk = 0.2f;  // luminance below which light letters are read better
  return 0.2126f * red + 0.7152f * green + 0.0722f * blue < kDusk ? Ink{0.94f, 0.94f, 0.93f, 1} : on_paper;
}

Ink opaque(const Eigen::Vector3f& colour) { return {colour[0], colour[1], colour[2], 1}; }

void draw_legend(const View& view, const Font& font, Sketch& sketch) {
  const HeatMap& heat = view.stage.heat;
  const double em = font.pixels();
  const auto [upper_left, lower_right] =
      legend_bar(view.width, view.height, view.covered_top, view.covered_bottom, view.screen_scale);
  const double height = lower_right.y() - upper_left.y();

  const std::string title = heat.unit.empty() ? heat.title : fmt::format("{} [{}]", heat.title, heat.unit);
  const double right = view.width - em;
  const double left = std::min(upper_left.x() - em, right - font.width(title) - em);
  sketch.rounded_box({left, upper_left.y() - kAboveBar * em},
                     {right + 0.4 * em, lower_right.y() + kBelowBar * em}, 0.5 * em,
                     view.stage.background ? kCard : kPaper);
  sketch.text(font, {right - 0.3 * em, upper_left.y() - 1.1 * em}, title, Align::right, kDark);

  constexpr int kSteps = 64;
  for (int i = 0; i < kSteps; ++i) {
    const double a = static_cast<double>(i) / kSteps, b = (i + 1.0) / kSteps;
    sketch.box({upper_left.x(), lower_right.y() - b * height},
               {lower_right.x(), lower_right.y() - a * height}, opaque(heat_colour(a)),
               opaque(heat_colour(b)));
  }
  for (const Tick& tick : round_ticks(heat.low, heat.high)) {
    const double y = lower_right.y() - (tick.value - heat.low) / (heat.high - heat.low) * height;
    sketch.box({lower_right.x() + 0.1 * em, y - 0.5}, {lower_right.x() + 0.45 * em, y + 0.5}, kSoft);
    sketch.text(font, {lower_right.x() + 0.7 * em, y + 0.36 * em}, tick.words, Align::left, kDark);
  }
}

void draw_key(const View& view, const Font& font, Sketch& sketch) {
  const double em = font.pixels();
  double y = view.height * (1 - view.covered_bottom) - 1.4 * em;
  for (const SpringClass kind : {SpringClass::bend, SpringClass::shear, SpringClass::structural}) {
    if (!shows(view.look, kind)) continue;
    const char* name = kind == SpringClass::bend    ? "bend"
                       : kind == SpringClass::shear ? "shear"
                                                    : "structural";
    sketch.rounded_box({1.2 * em, y - 0.45 * em}, {2.8 * em, y - 0.2 * em}, 0.12 * em,
                       opaque(spring_colour(kind)));
    sketch.text(font, {3.2 * em, y}, name, Align::left, plain_ink(view, kDark));
    y -= 1.5 * em;
  }
}

void draw_caption(const View& view, const Font& font, Sketch& sketch) {
  const double em = font.pixels();
  double y = 1.2 * em + 0.75 * em;
  for (size_t begin = 0; begin <= view.caption.size(); y += 1.45 * em) {
    const size_t end = std::min(view.caption.find('\n', begin), view.caption.size());
    sketch.text(font, {1.2 * em, y}, view.caption.substr(begin, end - begin), Align::left,
                plain_ink(view, begin == 0 ? kDark : kSoft));
    begin = end + 1;
  }
}

}  // namespace

double letter_size(int height, double screen_scale) {
  const double least = std::round(11 * screen_scale);
  return std::clamp(std::round(height / 46.0), least, std::max(least, 64.0));
}

LegendBar legend_bar(int width, int height, double covered_top, double covered_bottom, double screen_scale) {
  const double em = letter_size(height, screen_scale), gap = 0.5 * em;
  const double highest = covered_top * height + gap + kAboveBar * em,
               lowest = (1 - covered_bottom) * height - gap - kBelowBar * em;
  const double tall = std::round(std::clamp(lowest - highest, 3 * em, 0.36 * height));
  const double top = std::round(std::clamp((height - tall) / 2, highest, std::max(highest, lowest - tall)));
  const double left = std::round(width - 5.6 * em);
  return {{left, top}, {left + std::round(0.9 * em), top + tall}};
}

double legend_strip(const Look& look, int width, int height) {
  if (look.heat == Heat::none || !look.legend) return 0;
  const double em = letter_size(height);
  return std::min(0.5, (width - legend_bar(width, height).upper_left.x() + em) / width);
}

std::vector<Tick> round_ticks(double low, double high) {
  if (!(high > low) || !std::isfinite(high - low)) return {};
  const double power = std::pow(10, std::floor(std::log10(high - low)) - 1);
  for (const double factor : {1.0, 2.0, 2.5, 5.0, 10.0, 20.0, 25.0, 50.0}) {
    const double step = factor * power, slack = 1e-9 * (high - low);
    const auto first = static_cast<long long>(std::ceil((low - slack) / step));
    const auto last = static_cast<long long>(std::floor((high + slack) / step));
    if (last - first + 1 > 5) continue;
    const int decimals =
        std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)) + (factor == 2.5 || factor == 25));
    std::vector<Tick> ticks;
    for (long long k = first; k <= last; ++k) {
      const double value = static_cast<double>(k) * step;
      ticks.push_back({value, std::max(std::abs(low), std::abs(high)) < 1e-3 ||
                                      std::max(std::abs(low), std::abs(high)) >= 1e5
                                  ? fmt::format("{:.3g}", value)
                                  : fmt::format("{:.{}f}", value, decimals)});
    }
    return ticks;
  }
  return {};
}

Sketch annotate(const View& view, const Font& font) {
  Sketch sketch;
  const bool heat = view.look.heat != Heat::none && view.stage.heat.values.size() > 0;
  if (heat && view.look.legend) draw_legend(view, font, sketch);
  draw_key(view, font, sketch);
  if (!view.caption.empty()) draw_caption(view, font, sketch);
  return sketch;
}

}  // namespace muslin
