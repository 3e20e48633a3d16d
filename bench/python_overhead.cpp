// Steps a scene and prints the processor time that took [s], for bench/python_overhead.py.
// usage: bench_python_overhead SCENE STEPS read|step
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "muslin/muslin.h"

int main(int count, char** words) {
  if (count != 4) return 2;
  muslin::set_threads(1);
  muslin::Simulation simulation(muslin::read_scene(words[1]));
  const bool reads = std::string(words[3]) == "read";
  double sum = 0;
  const std::clock_t start = std::clock();
  for (int step = 0; step < std::atoi(words[2]); ++step) {
    simulation.step();
    if (reads) sum += simulation.positions()(1, 0);
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%.6f %.17g %016llx\n", seconds, sum,
              static_cast<unsigned long long>(hash(simulation.state())));
}
