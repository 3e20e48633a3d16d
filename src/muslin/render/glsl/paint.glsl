// What cloth is painted with.
const int kWeave = 0, kChecks = 1, kImage = 2, kHeat = 3;
uniform int paint;
uniform vec2 weave_scale;  // fine checks a unit of uv
uniform sampler2D image;
uniform sampler2D heat_colours;  // of fractions 0 to 1, in sRGB

/// A square wave between -1 and 1, averaged over a pixel of width w.
float wave(float x, float w) {
  float s = abs(fract(x) - 0.5) * 4.0 - 1.0;  // triangle wave
  float sharp = clamp(s / max(4.0 * w, 0.08), -1.0, 1.0);
  return sharp * (1.0 - smoothstep(0.25, 0.6, w));
}

float checks(vec2 p) {
  vec2 w = fwidth(p);
  return wave(0.5 * p.x, 0.5 * w.x) * wave(0.5 * p.y, 0.5 * w.y);
}

/// Checks that show stretch and shear, and threads inside where the picture is fine enough.
float weave_pattern(vec2 p) {
  vec2 w = fwidth(p);
  const float threads = 8.0;
  float warp = cos(6.28318 * threads * p.x), weft = cos(6.28318 * threads * p.y);
  vec2 fine = 1.0 - smoothstep(0.15, 0.30, threads * w);
  return 1.0 + 0.035 * checks(p) + 0.05 * (warp * fine.x + weft * fine.y);
}

/// Reflectance of the side that is seen.
vec3 painted(vec3 dye, vec2 weave, vec2 image_place, bool front) {
  vec2 p = weave * weave_scale;
  vec3 side = front ? vec3(1.0) : vec3(0.80, 0.84, 0.86);
  if (paint == kImage) return texture(image, vec2(image_place.x, 1.0 - image_place.y)).rgb * side;
  if (paint == kChecks) return mix(dye, vec3(0.76, 0.72, 0.66), 0.5 + 0.5 * checks(0.5 * p + 0.5)) * side;
  return dye * weave_pattern(p) * side;
}

/// The colour map, dimmed a little where less light falls: shape can be read, and so can the colour.
vec3 heat_display(float fraction, vec3 light) {
  if (isnan(fraction)) return vec3(0.55);
  const float n = 256.0;
  vec3 c = texture(heat_colours, vec2(clamp(fraction, 0.0, 1.0) * (n - 1.0) / n + 0.5 / n, 0.5)).rgb;
  float brightness = dot(light, vec3(0.2126, 0.7152, 0.0722));
  return c * mix(0.62, 1.0, smoothstep(0.0, 2.4, brightness));
}
