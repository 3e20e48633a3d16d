in vec3 place, out_normal, albedo, front_sky, back_sky;
in vec2 weave, image_place;
in float heat_fraction;
out vec4 colour;

void main() {
  vec3 v = normalize(eye - place);
  vec3 n = normalize(out_normal) * (gl_FrontFacing ? 1.0 : -1.0);
  vec3 sky = gl_FrontFacing ? front_sky : back_sky;

  float lamp = dot(n, key_direction);
  float seen = key_visible(place, lamp > 0.0 ? n : -n);
  float through = 0.16 * max(-lamp, 0.0);  // thin cloth glows when lit from behind
  vec3 light = sky + key_colour * seen * (max(lamp, 0.0) + through);
  if (paint == kHeat) {
    colour = vec4(heat_display(heat_fraction, light), 1.0);
    return;
  }

  vec3 base = painted(albedo, weave, image_place, gl_FrontFacing);
  float rim = pow(1.0 - abs(dot(n, v)), 3.0);  // fibres that stand up from the cloth catch light
  vec3 sheen = 0.16 * rim * (sky + key_colour * seen * (0.25 + 0.75 * max(lamp, 0.0))) * mix(vec3(0.6), base, 0.4);
  colour = vec4(display(base * light + sheen), 1.0);
}
