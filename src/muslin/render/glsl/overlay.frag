in vec2 sheet;
in vec4 ink_colour;
uniform sampler2D letters;
out vec4 colour;
void main() {
  float cover = sheet.x < 0.0 ? 1.0 : texture(letters, sheet).r;
  colour = vec4(ink_colour.rgb, ink_colour.a * cover);
}
