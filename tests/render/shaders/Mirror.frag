#version 330
uniform vec3 u_cam_pos;
uniform samplerCube u_texture_cubemap;
in vec4 v_position;
in vec4 v_normal;
out vec4 out_color;

void main() {
  vec3 from_eye = normalize(v_position.xyz - u_cam_pos);
  out_color = texture(u_texture_cubemap, reflect(from_eye, normalize(v_normal.xyz)));
}
