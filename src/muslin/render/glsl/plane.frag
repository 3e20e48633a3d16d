// A plane is the backdrop seen through its own shading: level and unshadowed it cannot be told from it. One with a colour
// of its own fades into the backdrop.
in vec3 place, out_normal, albedo, front_sky;
in vec2 weave;
uniform vec3 open_sky;  // what front_sky is on a level plane that sees the whole sky
out vec4 colour;
void main() {
  float lamp = max(dot(out_normal, key_direction), 0.0);
  vec3 light = front_sky + key_colour * lamp * key_visible(place, out_normal);
  vec3 open_light = open_sky + key_colour * key_direction.y;
  vec3 shade = mix(vec3(1.0), light / open_light, 1.0 - smoothstep(0.55, 1.0, weave.x));
  vec3 seen = backdrop_radiance(gl_FragCoord.xy) * shade;
  if (albedo.x >= 0.0) seen = mix(albedo * light, seen, smoothstep(0.55, 1.0, weave.x));
  colour = vec4(display(seen), 1.0);
}
