// The lamp and its shadow.
uniform mat4 key_clip;
uniform sampler2DArrayShadow key_map;
uniform float key_offset;  // m along the normal, against a surface shadowing itself
uniform bool key_shadow;
uniform int key_taps;
uniform int key_first_taps;  // where so many agree, the others are taken to agree, too
uniform vec2 key_disc[16];  // places in the map that one place of the stage looks at, the first ones around it

/// Fraction of the lamp that is seen at a place whose side towards the lamp is `normal`.
float key_visible(vec3 place, vec3 normal) {
  if (!key_shadow) return 1.0;
  vec4 clip = key_clip * vec4(place + key_offset * normal, 1.0);
  vec3 p = clip.xyz * 0.5 + 0.5;
  vec3 n = normalize(mat3(key_clip) * normal);
  vec2 slope = -n.xy / min(n.z, -0.2);  // depth along the surface, so that samples stay on it
  vec2 off = abs(clip.xy);
  int taps = max(off.x, off.y) < 1.02 ? key_taps : 0;  // outside of the map, a disc's radius away, all is lit
  float sum = float(key_taps - taps);
  for (int i = 0; i < taps; ++i) {
    sum += texture(key_map, vec4(p.xy + key_disc[i], 0.0, p.z + dot(slope, key_disc[i])));
    if (i + 1 == key_first_taps && (sum == 0.0 || sum == float(key_first_taps)))
      return sum / float(key_first_taps);
  }
  return sum / float(key_taps);
}
