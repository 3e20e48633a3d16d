out vec4 colour;
void main() { colour = vec4(display(backdrop_radiance(gl_FragCoord.xy)), 1.0); }
