layout(location = 0) in vec2 pixel;  // from the upper left
layout(location = 1) in vec2 glyph;  // in the sheet of letters; negative: plain colour
layout(location = 2) in vec4 ink;
out vec2 sheet;
out vec4 ink_colour;
void main() {
  sheet = glyph;
  ink_colour = ink;
  gl_Position = vec4(vec2(2.0, -2.0) * pixel / picture_size + vec2(-1.0, 1.0), 0.0, 1.0);
}
