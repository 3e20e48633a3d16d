in vec3 place, out_normal;
out vec4 colour;

void main() {
  vec3 v = normalize(eye - place);
  vec3 n = normalize(out_normal) * (gl_FrontFacing ? 1.0 : -1.0);
  colour = vec4(display(0.92 * studio(reflect(-v, n))), 1.0);
}
