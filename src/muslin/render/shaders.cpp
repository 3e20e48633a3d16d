#include "muslin/render/shaders.h"

namespace muslin::shaders {
namespace {

std::string with_common(const char* part);

// What every shader may use. Light is linear until `display`.
const char* const kCommon = R"glsl(
uniform vec2 picture_size;   // pixels
uniform vec3 eye;            // m
uniform vec3 key_direction;  // towards the lamp
uniform mat4 key_clip;
uniform sampler2DArrayShadow key_map;
uniform float key_offset;    // m along the normal, against a surface shadowing itself

const vec3 key_colour = vec3(1.00, 0.93, 0.83) * 2.7;
const vec3 zenith_colour = vec3(0.95, 0.98, 1.03) * 0.95;
const vec3 bounce_colour = vec3(1.00, 0.94, 0.87) * 0.55;

/// Radiance of the sky, or of the bright floor below the horizon, from direction d.
vec3 sky_radiance(vec3 d) { return mix(bounce_colour, zenith_colour, smoothstep(-0.35, 0.55, d.y)); }

/// The paper roll behind everything.
vec3 backdrop_radiance(vec2 pixel) {
  vec2 p = pixel / picture_size;
  vec3 c = mix(vec3(1.30, 1.23, 1.13), vec3(0.80, 0.79, 0.77), smoothstep(0.15, 1.15, p.y));
  vec2 q = (p - vec2(0.5, 0.45)) * vec2(1.0, 0.85);
  return c * (1.06 - 0.42 * dot(q, q));
}

/// Share of the lamp that is seen at a place whose side towards the lamp is `normal`.
float key_visible(vec3 place, vec3 normal) {
  vec4 clip = key_clip * vec4(place + key_offset * normal, 1.0);
  vec3 p = clip.xyz * 0.5 + 0.5;
  vec3 n = normalize(mat3(key_clip) * normal);
  vec2 slope = -n.xy / min(n.z, -0.2);  // depth along the surface, so that samples stay on it
  float sum = 0.0;
  const int taps = 16;
  for (int i = 0; i < taps; ++i) {  // a sunflower disc
    float r = 0.0048 * sqrt((float(i) + 0.5) / float(taps)), a = 2.39996 * float(i);
    vec2 step = r * vec2(cos(a), sin(a));
    sum += texture(key_map, vec4(p.xy + step, 0.0, p.z + dot(slope, step)));
  }
  return sum / float(taps);
}

/// Filmic curve [Narkowicz 2015, fitted to ACES], then sRGB.
vec3 display(vec3 c) {
  c *= 0.80;
  c = clamp(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
  return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}
)glsl";

const char* const kDepthVertex = R"glsl(
layout(location = 0) in vec3 position;
uniform mat4 clip;
void main() { gl_Position = clip * vec4(position, 1.0); }
)glsl";

const char* const kDepthFragment = "void main() {}\n";

const char* const kBackdropVertex = R"glsl(
void main() { gl_Position = vec4(4.0 * float(gl_VertexID % 2) - 1.0, 4.0 * float(gl_VertexID / 2) - 1.0, 1.0, 1.0); }
)glsl";

const char* const kBackdropFragment = R"glsl(
out vec4 colour;
void main() { colour = vec4(display(backdrop_radiance(gl_FragCoord.xy)), 1.0); }
)glsl";

const char* const kLitVertex = R"glsl(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec3 reflectance;
uniform mat4 clip;
uniform mat3 sky_axes[SKY];  // rows: right, up and towards the sky, over the radius of the stage
uniform vec3 sky_center;     // of the stage
uniform sampler2DArrayShadow sky_maps;
uniform float sky_offset;  // m
out vec3 place, out_normal, albedo, front_sky, back_sky;
out vec3 open_sky;  // what front_sky is on a level plane that sees the whole sky
out vec2 weave;

void main() {
  place = position;
  out_normal = normal;
  albedo = reflectance;
  weave = uv;
  front_sky = back_sky = open_sky = vec3(0.0);
  for (int i = 0; i < SKY; ++i) {
    vec3 d = normalize(transpose(sky_axes[i])[2]);
    float facing = dot(normal, d);
    vec3 from = position + sky_offset * (sign(facing) * normal + 0.5 * d);
    vec3 p = 0.5 + vec3(0.5, 0.5, -0.5) * (sky_axes[i] * (from - sky_center));
    vec3 light = sky_radiance(d) * abs(facing) * texture(sky_maps, vec4(p.xy, float(i), p.z));
    open_sky += sky_radiance(d) * max(d.y, 0.0);
    if (facing > 0.0) front_sky += light; else back_sky += light;
  }
  front_sky *= 4.0 / float(SKY);  // so that a sky of radiance 1 lights an open surface by 1
  back_sky *= 4.0 / float(SKY);
  open_sky *= 4.0 / float(SKY);
  gl_Position = clip * vec4(position, 1.0);
}
)glsl";

// A plane is the backdrop seen through its own shading: level and unshadowed it cannot be told from it.
const char* const kPlaneFragment = R"glsl(
in vec3 place, out_normal, front_sky, open_sky;
in vec2 weave;
out vec4 colour;
void main() {
  float lamp = max(dot(out_normal, key_direction), 0.0);
  vec3 light = front_sky + key_colour * lamp * key_visible(place, out_normal);
  vec3 open_light = open_sky + key_colour * key_direction.y;
  vec3 shade = mix(vec3(1.0), light / open_light, 1.0 - smoothstep(0.55, 1.0, weave.x));
  colour = vec4(display(backdrop_radiance(gl_FragCoord.xy) * shade), 1.0);
}
)glsl";

const char* const kSolidFragment = R"glsl(
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
)glsl";

const char* const kClothFragment = R"glsl(
in vec3 place, out_normal, albedo, front_sky, back_sky;
in vec2 weave;
uniform vec2 weave_scale;  // checks a unit of uv
out vec4 colour;

/// A square wave between -1 and 1, averaged over a pixel of width w.
float wave(float x, float w) {
  float s = abs(fract(x) - 0.5) * 4.0 - 1.0;  // triangle wave
  float sharp = clamp(s / max(4.0 * w, 0.08), -1.0, 1.0);
  return sharp * (1.0 - smoothstep(0.25, 0.6, w));
}

/// Checks that show stretch and shear, and threads inside where the picture is fine enough.
float pattern(vec2 p) {
  vec2 w = fwidth(p);
  float checks = wave(0.5 * p.x, 0.5 * w.x) * wave(0.5 * p.y, 0.5 * w.y);
  const float threads = 8.0;
  float warp = cos(6.28318 * threads * p.x), weft = cos(6.28318 * threads * p.y);
  vec2 fine = 1.0 - smoothstep(0.15, 0.30, threads * w);
  return 1.0 + 0.035 * checks + 0.05 * (warp * fine.x + weft * fine.y);
}

void main() {
  vec3 v = normalize(eye - place);
  vec3 n = normalize(out_normal) * (gl_FrontFacing ? 1.0 : -1.0);
  vec3 base = albedo * pattern(weave * weave_scale) * (gl_FrontFacing ? vec3(1.0) : vec3(0.80, 0.84, 0.86));
  vec3 sky = gl_FrontFacing ? front_sky : back_sky;

  float lamp = dot(n, key_direction);
  float seen = key_visible(place, lamp > 0.0 ? n : -n);
  float through = 0.16 * max(-lamp, 0.0);  // thin cloth glows when lit from behind
  vec3 light = sky + key_colour * seen * (max(lamp, 0.0) + through);

  float rim = pow(1.0 - abs(dot(n, v)), 3.0);  // fibres that stand up from the cloth catch light
  vec3 sheen = 0.16 * rim * (sky + key_colour * seen * (0.25 + 0.75 * max(lamp, 0.0))) * mix(vec3(0.6), base, 0.4);
  colour = vec4(display(base * light + sheen), 1.0);
}
)glsl";

std::string with_common(const char* part) {
  return "#version 330 core\n#define SKY " + std::to_string(kSkyDirections) + "\n" + kCommon + part;
}

}  // namespace

std::string depth_vertex() { return with_common(kDepthVertex); }
std::string depth_fragment() { return with_common(kDepthFragment); }
std::string backdrop_vertex() { return with_common(kBackdropVertex); }
std::string backdrop_fragment() { return with_common(kBackdropFragment); }
std::string lit_vertex() { return with_common(kLitVertex); }
std::string plane_fragment() { return with_common(kPlaneFragment); }
std::string solid_fragment() { return with_common(kSolidFragment); }
std::string cloth_fragment() { return with_common(kClothFragment); }

}  // namespace muslin::shaders
