// What every shader may use. Light is linear until `display`.
uniform vec2 picture_size;   // pixels
uniform vec3 eye;            // m
uniform vec3 key_direction;  // towards the lamp

const vec3 key_colour = vec3(1.00, 0.93, 0.83) * 2.7;
const vec3 zenith_colour = vec3(0.95, 0.98, 1.03) * 0.95;
const vec3 bounce_colour = vec3(1.00, 0.94, 0.87) * 0.55;

/// Radiance of the sky, or of the bright floor below the horizon, from direction d.
vec3 sky_radiance(vec3 d) { return mix(bounce_colour, zenith_colour, smoothstep(-0.35, 0.55, d.y)); }

uniform vec3 paper_below, paper_above;  // radiance of the paper roll behind everything

vec3 backdrop_radiance(vec2 pixel) {
  vec2 p = pixel / picture_size;
  vec3 c = mix(paper_below, paper_above, smoothstep(0.15, 1.15, p.y));
  vec2 q = (p - vec2(0.5, 0.45)) * vec2(1.0, 0.85);
  return c * (1.06 - 0.42 * dot(q, q));
}

vec3 to_srgb(vec3 c) {
  return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

/// Filmic curve [Narkowicz 2015, fitted to ACES], then sRGB.
vec3 display(vec3 c) {
  c *= 0.80;
  return to_srgb(clamp(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0));
}
