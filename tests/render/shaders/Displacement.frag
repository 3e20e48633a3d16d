#version 330
uniform vec4 u_color;
uniform vec3 u_light_pos;
uniform vec3 u_light_intensity;
uniform sampler2D u_texture_2;
uniform vec2 u_texture_2_size;
uniform float u_normal_scaling;
uniform float u_height_scaling;
in vec4 v_position;
in vec4 v_normal;
in vec4 v_tangent;
in vec2 v_uv;
out vec4 out_color;

float h(vec2 uv) { return texture(u_texture_2, uv).r; }

void main() {
  vec3 n = normalize(v_normal.xyz), t = normalize(v_tangent.xyz), b = cross(n, t);
  float scale = 0.5 * u_height_scaling * u_normal_scaling;
  float du = (h(v_uv + vec2(1.0 / u_texture_2_size.x, 0.0)) - h(v_uv)) * scale;
  float dv = (h(v_uv + vec2(0.0, 1.0 / u_texture_2_size.y)) - h(v_uv)) * scale;
  vec3 tilted = normalize(mat3(t, b, n) * vec3(-du, -dv, 1.0));
  vec3 to_light = u_light_pos - v_position.xyz;
  vec3 arriving = u_light_intensity / dot(to_light, to_light);
  out_color = vec4(u_color.rgb * (0.2 + arriving * max(dot(tilted, normalize(to_light)), 0.0)), 1.0);
}
