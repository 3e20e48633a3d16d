#version 330
// Velvet: its pile throws light back where the surface turns away from the eye, and a woven pattern shows in it.
uniform vec4 u_color;
uniform vec3 u_cam_pos;
uniform vec3 u_light_pos;
uniform vec3 u_light_intensity;
uniform sampler2D u_texture_2;  // a weave, unless texture_2.png is here
in vec4 v_position;
in vec4 v_normal;
in vec2 v_uv;
out vec4 out_color;

void main() {
  vec3 to_light = u_light_pos - v_position.xyz;
  vec3 arriving = u_light_intensity / dot(to_light, to_light);
  vec3 l = normalize(to_light), v = normalize(u_cam_pos - v_position.xyz), n = normalize(v_normal.xyz);
  if (dot(n, v) < 0.0) n = -n;  // cloth has two sides
  float weave = 0.55 + 0.9 * texture(u_texture_2, 12.0 * v_uv).r;
  float pile = pow(1.0 - dot(n, v), 3.0);
  float lit = 0.5 + 0.5 * dot(n, l);
  vec3 dye = u_color.rgb * vec3(1.05, 0.22, 0.32) * weave;
  out_color = vec4(dye * (0.2 + 0.9 * arriving * lit) + vec3(1.0, 0.7, 0.75) * pile * arriving * lit, 1.0);
}
