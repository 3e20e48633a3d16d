layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec3 reflectance;
layout(location = 4) in vec2 texture_uv;
layout(location = 5) in float heat;  // of the heat map's range
layout(location = 6) in vec3 front_light;
layout(location = 7) in vec3 back_light;
uniform mat4 clip;
out vec3 place, out_normal, albedo, front_sky, back_sky;
out vec2 weave, image_place;
out float heat_fraction;

void main() {
  place = position;
  out_normal = normal;
  albedo = reflectance;
  weave = uv;
  image_place = texture_uv;
  heat_fraction = heat;
  front_sky = front_light;
  back_sky = back_light;
  gl_Position = clip * vec4(position, 1.0);
}
