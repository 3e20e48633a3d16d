#include "muslin/render/text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "muslin/render/font_file.h"
#include "muslin/render/shaders.h"

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb_truetype.h>

namespace muslin {
namespace {

constexpr int kSheetWidth = 1024;  // [pixels]

/// The characters of UTF-8 text; bytes that are none become U+FFFD.
std::vector<int> characters(std::string_view text) {
  std::vector<int> codes;
  for (size_t i = 0; i < text.size();) {
    const auto byte = [&](size_t k) {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0;
    };
    const int first = byte(0);
    const int length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
    int code = length == 1 ? first : first & (0x7f >> length);
    bool whole = length > 0;
    for (int k = 1; k < length; ++k) {
      whole = whole && (byte(k) & 0xc0) == 0x80;
      code = code << 6 | (byte(k) & 0x3f);
    }
    codes.push_back(whole ? code : 0xfffd);
    i += whole ? length : 1;
  }
  return codes;
}

/// What a sheet holds.
std::vector<int> alphabet() {
  std::vector<int> codes;
  const auto range = [&](int first, int last) {
    for (int code = first; code <= last; ++code) codes.push_back(code);
  };
  range(0x20, 0x7e);
  range(0xa0, 0x17f);
  range(0x391, 0x3c9);
  for (const int code : {0x2013, 0x2014, 0x2018, 0x2019, 0x201c, 0x201d, 0x2026, 0x2190, 0x2192, 0x2212,
                         0x221a, 0x221e, 0x2248, 0x2264, 0x2265, 0xfffd})
    codes.push_back(code);
  return codes;
}

}  // namespace

struct Font::Sheet {
  struct Glyph {
    Eigen::Vector2f upper_left, lower_right;  // in the sheet, 0 to 1
    Eigen::Vector2f first_pixel, last_pixel;  // from the pen
    double advance;                           // [pixels]
  };
  double pixels;
  std::map<int, Glyph> glyphs;
  GlName texture{GlName::Kind::texture};

  const Glyph& glyph(int code) const {
    const auto found = glyphs.find(code);
    return found != glyphs.end() ? found->second : glyphs.at(0xfffd);
  }
};

namespace {

/// Grey letters, packed row by row.
struct Packing {
  std::vector<unsigned char> pixels;
  int height = 0, x = 1, y = 1, row = 0;

  /// Room for a letter; returns its upper left corner.
  std::pair<int, int> place(int w, int h) {
    if (x + w + 1 > kSheetWidth) {
      x = 1;
      y += row + 1;
      row = 0;
    }
    row = std::max(row, h);
    height = std::max(height, y + h + 1);
    pixels.resize(static_cast<size_t>(height) * kSheetWidth, 0);
    const std::pair<int, int> corner{x, y};
    x += w + 1;
    return corner;
  }
};

}  // namespace

Font::Font(double pixels) : sheet_(std::make_unique<Sheet>()) {
  sheet_->pixels = pixels;
  stbtt_fontinfo info;
  stbtt_InitFont(&info, kFontFile, 0);
  const float scale = stbtt_ScaleForMappingEmToPixels(&info, static_cast<float>(pixels));
  Packing packing;
  for (const int code : alphabet()) {
    int left = 0, top = 0, right = 0, bottom = 0, advance = 0, bearing = 0;
    stbtt_GetCodepointBitmapBox(&info, code, scale, scale, &left, &top, &right, &bottom);
    stbtt_GetCodepointHMetrics(&info, code, &advance, &bearing);
    const int w = right - left, h = bottom - top;
    const auto [x, y] = packing.place(w, h);
    if (w > 0 && h > 0)
      stbtt_MakeCodepointBitmap(&info, packing.pixels.data() + y * kSheetWidth + x, w, h, kSheetWidth, scale,
                                scale, code);
    sheet_->glyphs[code] = {Eigen::Vector2f(x, y), Eigen::Vector2f(x + w, y + h), Eigen::Vector2f(left, top),
                            Eigen::Vector2f(right, bottom),
                            static_cast<double>(scale * static_cast<float>(advance))};
  }
  const Eigen::Array2f size(kSheetWidth, packing.height);
  for (auto& [code, glyph] : sheet_->glyphs) {
    glyph.upper_left = glyph.upper_left.array() / size;
    glyph.lower_right = glyph.lower_right.array() / size;
  }
  glBindTexture(GL_TEXTURE_2D, sheet_->texture);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, kSheetWidth, packing.height, 0, GL_RED, GL_UNSIGNED_BYTE,
               packing.pixels.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

Font::~Font() = default;

double Font::pixels() const { return sheet_->pixels; }

double Font::width(std::string_view text) const {
  double sum = 0;
  for (const int code : characters(text)) sum += sheet_->glyph(code).advance;
  return sum;
}

void Sketch::triangle(const Vec2& a, const Vec2& b, const Vec2& c, const Ink& ink) {
  for (const Vec2& corner : {a, b, c})
    corners_.push_back({corner.cast<float>(), Eigen::Vector2f::Constant(-1), ink});
}

void Sketch::box(const Vec2& upper_left, const Vec2& lower_right, const Ink& lower, const Ink& upper) {
  const Eigen::Vector2f a = upper_left.cast<float>(), b = lower_right.cast<float>();
  const Eigen::Vector2f plain = Eigen::Vector2f::Constant(-1);
  const Corner corners[] = {
      {a, plain, upper}, {{b.x(), a.y()}, plain, upper}, {{a.x(), b.y()}, plain, lower}, {b, plain, lower}};
  for (const int k : {0, 2, 1, 1, 2, 3}) corners_.push_back(corners[k]);
}

void Sketch::rounded_box(const Vec2& upper_left, const Vec2& lower_right, double radius, const Ink& ink) {
  constexpr int kSteps = 8;  // a quarter
  std::vector<Vec2> rim;
  const Vec2 inner_low = upper_left + Vec2::Constant(radius),
             inner_high = lower_right - Vec2::Constant(radius);
  for (int quarter = 0; quarter < 4; ++quarter) {
    const Vec2 center(quarter == 0 || quarter == 3 ? inner_high.x() : inner_low.x(),
                      quarter < 2 ? inner_high.y() : inner_low.y());
    for (int i = 0; i <= kSteps; ++i) {
      const double angle = (quarter + static_cast<double>(i) / kSteps) * M_PI / 2;
      rim.push_back(center + radius * Vec2(std::cos(angle), std::sin(angle)));
    }
  }
  for (size_t i = 1; i + 1 < rim.size(); ++i) triangle(rim[0], rim[i], rim[i + 1], ink);
}

void Sketch::text(const Font& font, const Vec2& place, std::string_view words, Align align, const Ink& ink) {
  const double width = font.width(words);
  double pen = std::round(place.x() - (align == Align::left ? 0 : align == Align::right ? width : width / 2));
  const double line = std::round(place.y());
  for (const int code : characters(words)) {
    const Font::Sheet::Glyph& glyph = font.sheet_->glyph(code);
    const Eigen::Vector2f from(static_cast<float>(std::round(pen)), static_cast<float>(line));
    const Eigen::Vector2f a = from + glyph.first_pixel, b = from + glyph.last_pixel;
    const Eigen::Vector2f s = glyph.upper_left, t = glyph.lower_right;
    const Corner corners[] = {{a, s, ink},
                              {{b.x(), a.y()}, {t.x(), s.y()}, ink},
                              {{a.x(), b.y()}, {s.x(), t.y()}, ink},
                              {b, t, ink}};
    for (const int k : {0, 2, 1, 1, 2, 3}) corners_.push_back(corners[k]);
    pen += glyph.advance;
  }
}

Overlay::Overlay() : program_(shaders::overlay()) {}

Overlay::~Overlay() = default;

const Font& Overlay::font(double pixels) {
  for (const auto& font : fonts_)
    if (font->pixels() == pixels) return *font;
  return *fonts_.emplace_back(std::make_unique<Font>(pixels));
}

void Overlay::draw(const Sketch& sketch, const Font& font, int width, int height) const {
  if (sketch.corners_.empty()) return;
  using Corner = Sketch::Corner;
  glBindVertexArray(array_);
  glBindBuffer(GL_ARRAY_BUFFER, corners_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(sketch.corners_.size() * sizeof(Corner)),
               sketch.corners_.data(), GL_STREAM_DRAW);
  const auto input = [](GLuint place, GLint components, size_t offset) {
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, components, GL_FLOAT, GL_FALSE, sizeof(Corner),
                          reinterpret_cast<const void*>(offset));
  };
  input(0, 2, offsetof(Corner, pixel));
  input(1, 2, offsetof(Corner, glyph));
  input(2, 4, offsetof(Corner, ink));

  program_.use();
  program_.set("picture_size", Vec2(width, height));
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, font.sheet_->texture);
  program_.set("letters", 0);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDisable(GL_DEPTH_TEST);
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(sketch.corners_.size()));
  glEnable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
}

}  // namespace muslin
