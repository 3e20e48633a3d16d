#version 330
uniform sampler2D u_texture_1;
in vec2 v_uv;
out vec4 out_color;
void main() { out_color = texture(u_texture_1, v_uv); }
