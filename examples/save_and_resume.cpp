// A run that is saved and goes on later, perhaps in another process, with the same bits. The file holds what
// changes in a run; the scene is yours to keep, and a file of another scene is refused.
#include <muslin/muslin.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>

muslin::Scene napkin_over_ball() {
  muslin::Cloth cloth;
  cloth.grid = muslin::Grid{.points = {17, 17}, .size = {0.4, 0.4}, .origin = {-0.2, 0.11, -0.2}};
  muslin::Collider ball;
  ball.radius = 0.1;  // [m], about the origin
  muslin::Scene scene;
  scene.cloths = {cloth};
  scene.colliders = {ball};
  return scene;
}

std::uint64_t run_until(muslin::Simulation& simulation, int frame) {
  std::uint64_t hash = 0;
  while (simulation.frame() < frame) hash = simulation.step().hash;
  return hash;
}

int main(int argc, char** argv) {
  const char* const path = argc > 1 ? argv[1] : "napkin.state";
  const muslin::Scene scene = napkin_over_ball();

  muslin::Simulation whole(scene);
  run_until(whole, 10);
  whole.pull(0, {-0.3, 0.3, -0.3});  // what hands do is saved, too
  run_until(whole, 15);
  whole.save(path);  // the file is complete or absent, never half
  std::printf("in one go  frame 30  %016" PRIx64 "\n", run_until(whole, 30));

  muslin::Simulation later(scene);
  later.load(path);  // positions, velocities, time, hands: all that the next frame depends on
  std::printf("goes on at frame %d\n", later.frame());
  std::printf("resumed    frame 30  %016" PRIx64 "\n", run_until(later, 30));

  muslin::Scene other = scene;
  other.gravity *= 0.5;
  muslin::Simulation elsewhere(other);
  try {
    elsewhere.load(path);
    std::printf("taken for another scene\n");
  } catch (const muslin::Error& error) {  // and `elsewhere` is as it was
    std::printf("refused: %s\n", error.what());
  }
}
