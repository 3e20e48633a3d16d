// What a mirror sees: a floor, a pale wall, a darker ceiling, a window where the lamp is, and a strip of light.

/// 1 inside a rectangle about `middle` of half the size `reach`, soft at its edges.
float pane(vec3 d, vec3 middle, vec2 reach) {
  vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), middle)), up = cross(middle, right);
  if (dot(d, middle) <= 0.0) return 0.0;
  vec2 p = abs(vec2(dot(d, right), dot(d, up))) / dot(d, middle);
  vec2 inside = 1.0 - smoothstep(reach - 0.04, reach + 0.04, p);
  return inside.x * inside.y;
}

vec3 studio(vec3 d) {
  vec3 wall = vec3(1.02, 0.99, 0.94);
  vec3 above = mix(wall, vec3(0.16, 0.20, 0.28), smoothstep(0.0, 0.9, d.y));
  vec3 below = mix(0.62 * wall, vec3(0.20, 0.17, 0.15), smoothstep(0.0, 0.9, -d.y));
  vec3 c = mix(below, above, smoothstep(-0.02, 0.02, d.y));
  c += vec3(4.6, 4.4, 4.1) * pane(d, key_direction, vec2(0.38, 0.30));
  return c + vec3(1.5, 1.7, 2.0) * pane(d, normalize(vec3(0.9, 0.25, 0.35)), vec2(0.10, 0.65));
}
