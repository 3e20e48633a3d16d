#version 330
uniform vec4 u_color;
uniform vec3 u_cam_pos;
uniform vec3 u_light_pos;
uniform vec3 u_light_intensity;
in vec4 v_position;
in vec4 v_normal;
out vec4 out_color;

void main() {
  vec3 to_light = u_light_pos - v_position.xyz;
  vec3 arriving = u_light_intensity / dot(to_light, to_light);
  vec3 l = normalize(to_light), v = normalize(u_cam_pos - v_position.xyz), n = normalize(v_normal.xyz);
  if (dot(n, v) < 0.0) n = -n;
  float gloss = pow(max(dot(n, normalize(l + v)), 0.0), 60.0);
  out_color = vec4(u_color.rgb * (0.25 + arriving * max(dot(n, l), 0.0)) + 0.3 * gloss * arriving, 1.0);
}
