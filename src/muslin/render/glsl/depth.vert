layout(location = 0) in vec3 position;
uniform mat4 clip;
void main() { gl_Position = clip * vec4(position, 1.0); }
