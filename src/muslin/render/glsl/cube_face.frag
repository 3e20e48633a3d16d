// One face of the studio as a cube map.
uniform int face;  // in the order of GL_TEXTURE_CUBE_MAP_POSITIVE_X …
out vec4 colour;
void main() {
  vec2 p = 2.0 * gl_FragCoord.xy / picture_size - 1.0;
  vec3 d[6] = vec3[6](vec3(1.0, -p.y, -p.x), vec3(-1.0, -p.y, p.x), vec3(p.x, 1.0, p.y), vec3(p.x, -1.0, -p.y),
                      vec3(p.x, -p.y, 1.0), vec3(-p.x, -p.y, -1.0));
  colour = vec4(display(studio(normalize(d[face]))), 1.0);
}
