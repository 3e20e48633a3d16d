in vec2 across;
uniform vec4 line_colour;
uniform float line_width;
out vec4 colour;

void main() {
  float r = length(across), pixel = 2.0 / line_width;
  float inside = 1.0 - smoothstep(1.0 - pixel, 1.0, r);
  if (inside <= 0.0) discard;
  float core = 1.0 - smoothstep(0.68 - pixel, 0.68, r);
  colour = vec4(mix(vec3(1.0), line_colour.rgb, core), inside);
}
