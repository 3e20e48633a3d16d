#pragma once

/// The viewer's own dress for Dear ImGui: dark, quiet, round; DejaVu Sans at `scale` times its size.
void dress(double scale);

namespace colours {
struct Colour {
  float red, green, blue, alpha;
};
inline constexpr Colour kAccent{0.36f, 0.66f, 0.86f, 1}, kWarning{0.95f, 0.70f, 0.28f, 1},
    kTrouble{0.93f, 0.42f, 0.40f, 1}, kQuiet{0.58f, 0.61f, 0.66f, 1}, kGood{0.45f, 0.78f, 0.55f, 1};
}  // namespace colours
