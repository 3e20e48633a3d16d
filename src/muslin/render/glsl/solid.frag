in vec3 place, out_normal, albedo, front_sky;
out vec4 colour;
void main() {
  vec3 n = normalize(out_normal), v = normalize(eye - place);
  float lamp = max(dot(n, key_direction), 0.0);
  vec3 light = front_sky + key_colour * lamp * key_visible(place, n);
  vec3 halfway = normalize(v + key_direction);
  float gloss = 0.10 * pow(max(dot(n, halfway), 0.0), 24.0) * lamp;
  colour = vec4(display(albedo * light + gloss * key_colour), 1.0);
}
