#version 330
// From a vertex of the cloth to what fragment shaders read. Copy it to change it; without one beside a fragment
// shader, Muslin takes this one.
uniform mat4 u_model;
uniform mat4 u_view_projection;
in vec4 in_position;
in vec4 in_normal;
in vec2 in_uv;
in vec4 in_tangent;
out vec4 v_position;
out vec4 v_normal;
out vec2 v_uv;
out vec4 v_tangent;

void main() {
  v_position = u_model * in_position;
  v_normal = normalize(u_model * in_normal);
  v_tangent = normalize(u_model * in_tangent);
  v_uv = in_uv;
  gl_Position = u_view_projection * v_position;
}
