// Where the time of a picture goes: a cloth over a ball, unless told otherwise of 128 × 128 vertices at 640 ×
// 480, paused (the camera moves, the cloth does not) and live (the cloth moves), for every shading; and once
// for every quality. The last column is processor time of all threads, for machines that do other work, too.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>

#include "muslin/render/offscreen.h"
#include "muslin/render/renderer.h"

namespace bench {
namespace {

using namespace muslin;

constexpr int kFrames = 20;
int points = 128;    // along a side
int samples = 4;     // a pixel, as in the viewer
std::string wanted;  // part of the names of rows

/// A sheet in waves over a ball; `time` moves the waves.
Stage stage_at(double time) {
  Stage stage;
  stage.positions.resize(3, points * points);
  for (int j = 0; j < points; ++j)
    for (int i = 0; i < points; ++i) {
      const double u = i / (points - 1.0), v = j / (points - 1.0), r = std::hypot(u - 0.5, v - 0.5);
      const double wave = 0.04 * std::sin(12 * std::atan2(v - 0.5, u - 0.5) + time) * r;
      stage.positions.col(j * points + i) = Vec3(u - 0.5, 0.31 - 1.2 * r * r + wave, v - 0.5);
      stage.uv.push_back({u, v});
    }
  for (int j = 0; j + 1 < points; ++j)
    for (int i = 0; i + 1 < points; ++i) {
      const int a = j * points + i;
      stage.triangles.push_back({a, a + points + 1, a + 1});
      stage.triangles.push_back({a, a + points, a + points + 1});
    }
  Collider ball;
  ball.shape = Shape::sphere;
  ball.radius = 0.3;
  stage.colliders.push_back({ball, {}});
  stage.ground = -0.35;
  return stage;
}

/// Mean milliseconds of every phase, the resolving of samples and reading of pixels included.
std::map<std::string, double> measure(Renderer& renderer, View view, bool live) {
  using Clock = std::chrono::steady_clock;
  std::map<std::string, double> sums;
  Clock::time_point last;
  const auto lap = [&](const std::string& phase) {
    glFinish();
    const Clock::time_point now = Clock::now();
    sums[phase] += std::chrono::duration<double, std::milli>(now - last).count() / kFrames;
    last = now;
  };
  view.stage = stage_at(0);
  draw_image(renderer, view, samples);  // warm
  renderer.watch(lap);
  const Camera camera = view.camera;
  const std::clock_t begin = std::clock();
  for (int frame = 0; frame < kFrames; ++frame) {
    if (live) view.stage = stage_at(0.1 * (frame + 1));
    if (!live) view.camera.eye = camera.eye + Vec3(0.01 * frame, 0, 0);
    last = Clock::now();
    draw_image(renderer, view, samples);
    lap("resolve, read");
  }
  renderer.watch({});
  sums["processor"] = 1000.0 * double(std::clock() - begin) / CLOCKS_PER_SEC / kFrames;
  return sums;
}

void measure_row(const std::string& name, Renderer& renderer, const View& view, bool live) {
  if (name.find(wanted) == std::string::npos) return;
  const std::map<std::string, double> ms = measure(renderer, view, live);
  static const char* const kPhases[] = {"upload",   "depth maps", "sky light", "surfaces",
                                        "backdrop", "lines",      "words",     "resolve, read"};
  double sum = 0;
  fmt::print("{:28}", name);
  for (const char* phase : kPhases) {
    const auto found = ms.find(phase);
    const double value = found == ms.end() ? 0 : found->second;
    sum += value;
    fmt::print(" {:>13.2f}", value);
  }
  fmt::print(" {:>8.2f} {:>9.2f}\n", sum, ms.at("processor"));
}

}  // namespace
}  // namespace bench

/// usage: bench_render [WIDTH HEIGHT POINTS SAMPLES ROW]: of the picture, vertices along a side of the cloth,
/// samples a pixel, and a part of the names of the rows that are wanted
int main(int count, char** arguments) {
  using namespace bench;
  const auto argument = [&](int i, int otherwise) { return count > i ? std::atoi(arguments[i]) : otherwise; };
  points = argument(3, 128);
  samples = argument(4, 4);
  if (count > 5) wanted = arguments[5];
  const OffscreenContext context;
  Renderer renderer;
  View view;
  view.width = argument(1, 640);
  view.height = argument(2, 480);
  view.camera = frame_all(bounds(stage_at(0)), double(view.width) / view.height);
  fmt::print("{}\nmilliseconds; {} x {} vertices, {} x {} pixels, {} samples\n{:28}",
             reinterpret_cast<const char*>(glGetString(GL_RENDERER)), points, points, view.width, view.height,
             samples, "");
  for (const char* phase :
       {"upload", "depth maps", "sky light", "surfaces", "backdrop", "lines", "words", "resolve, read"})
    fmt::print(" {:>13}", phase);
  fmt::print(" {:>8} {:>9}\n", "sum", "processor");

  const char* const qualities[] = {"draft", "good", "best"};
  for (const Quality quality : {Quality::draft, Quality::good, Quality::best})
    for (const bool live : {false, true}) {
      view.quality = quality;
      measure_row(fmt::format("{}, {}", qualities[static_cast<int>(quality)], live ? "live" : "paused"),
                  renderer, view, live);
    }
  view.quality = Quality::draft;
  for (const Shading shading :
       {Shading::phong, Shading::normals, Shading::mirror, Shading::bump, Shading::displacement})
    for (const bool live : {false, true}) {
      view.look.shading = shading;
      measure_row(fmt::format("draft {}, {}", name_of(shading), live ? "live" : "paused"), renderer, view,
                  live);
    }
  view.look = {};
  view.look.wireframe = true;
  measure_row("draft wireframe, paused", renderer, view, false);
}
