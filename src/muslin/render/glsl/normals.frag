in vec3 out_normal;
out vec4 colour;
void main() { colour = vec4(normalize(out_normal) * 0.5 + 0.5, 1.0); }
