// Many scenes on all cores. One small cloth keeps few threads busy, many cloths all of them: so each
// Simulation takes one thread, and every core has a Simulation. The bits of a run never depend on what else
// runs: the frames of the batch are those of the same scenes one after another.
#include <muslin/muslin.h>

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

constexpr int kScenes = 8, kFrames = 20;

/// A square on two corners, in wind from weak to strong.
muslin::Scene scene_of(int number) {
  muslin::Cloth cloth;
  cloth.grid = muslin::Grid{.points = {17, 17}, .size = {0.5, 0.5}};
  cloth.fabric.preset = "silk";
  muslin::Pin corners;
  corners.grid = {{0, 0}, {-1, 0}};
  cloth.pins = {corners};
  muslin::Scene scene;
  scene.cloths = {cloth};
  scene.wind.air_density = 1.2;                // [kg/m³]
  scene.wind.velocity = {0, 0, 0.5 * number};  // [m/s]
  return scene;
}

/// The hash of the last frame: equal states have equal hashes.
std::uint64_t run(int number) {
  muslin::Simulation simulation(scene_of(number));
  simulation.set_threads(1);
  while (simulation.frame() < kFrames - 1) simulation.step();
  return simulation.step().hash;
}

int main() {
  std::vector<std::uint64_t> batch(kScenes), one_by_one(kScenes);

  std::atomic<int> next = 0;  // who is done takes the next scene, so that long and short ones mix well
  const auto work = [&] {
    for (int number = next++; number < kScenes; number = next++) batch[number] = run(number);
  };
  std::vector<std::thread> workers(std::max(1u, std::thread::hardware_concurrency()));
  for (std::thread& worker : workers) worker = std::thread(work);
  for (std::thread& worker : workers) worker.join();

  for (int number = 0; number < kScenes; ++number) one_by_one[number] = run(number);
  for (int number = 0; number < kScenes; ++number)
    std::printf("scene %d  batch %016" PRIx64 "  alone %016" PRIx64 "\n", number, batch[number],
                one_by_one[number]);
  return batch == one_by_one ? 0 : 1;
}
