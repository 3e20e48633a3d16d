uniform vec4 line_colour;  // sRGB, and how much it covers
out vec4 colour;
void main() { colour = line_colour; }
