// One lamp, a shiny surface [Blinn 1977].
in vec3 place, out_normal, albedo, front_sky, back_sky;
in vec2 weave, image_place;
in float heat_fraction;
out vec4 colour;

void main() {
  vec3 v = normalize(eye - place);
  vec3 smooth_normal = normalize(out_normal);
  vec3 tilted_normal = tilted(smooth_normal, place, image_place);
  float side = gl_FrontFacing ? 1.0 : -1.0;
  vec3 n = side * (bumpy ? tilted_normal : smooth_normal);
  vec3 base = painted(albedo, weave, image_place, gl_FrontFacing);

  float lamp = max(dot(n, key_direction), 0.0);
  float seen = dot(side * smooth_normal, key_direction) > 0.0 ? key_visible(place, side * smooth_normal) : 0.0;
  vec3 light = 0.30 * zenith_colour + 1.1 * key_colour * lamp * seen;
  float gloss = 0.22 * pow(max(dot(n, normalize(v + key_direction)), 0.0), 40.0) * seen;
  if (paint == kHeat)
    colour = vec4(heat_display(heat_fraction, light), 1.0);
  else
    colour = vec4(display(base * light + gloss * key_colour), 1.0);
}
