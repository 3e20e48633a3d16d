layout(location = 0) in vec3 position;
uniform mat4 clip;
uniform float nearer;  // fraction of the way to the eye, so that lines lie on the cloth
void main() { gl_Position = clip * vec4(mix(position, eye, nearer), 1.0); }
