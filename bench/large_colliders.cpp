// A table of sheets on balls, capsules, cylinders, boxes and planes from a metre to a thousand kilometres:
// which are held, and which refused. Ends in 1 if one falls through.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "torture/large_colliders.h"

using namespace muslin;
using torture::Held;

int main(int argc, char** argv) {
  CLI::App app("sheets on large colliders: held, refused, or fallen through");
  std::string family = "quasi_newton";
  int frames = 40;
  app.add_option("--solver", family, "family of solvers");
  app.add_option("--frames", frames, "of a sixtieth of a second");
  CLI11_PARSE(app, argc, argv);

  int fell = 0, refused = 0, held = 0;
  fmt::print("{:9} {:>8} {:>8} {:>5}  {:8} {:>10} {:>5} {:>5}\n", "shape", "R [m]", "gap [m]", "tilt", "",
             "least [mm]", "its", "stops");
  for (const Shape shape : {Shape::sphere, Shape::capsule, Shape::cylinder, Shape::box, Shape::plane})
    for (const double radius : {1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7})
      for (const double gap : {1e-4, 1e-3, 1e-2, 0.1, 1.0})
        for (const double tilt : {0.0, 60.0, 90.0}) {
          if (radius > 1e6 && shape != Shape::plane) continue;
          const Held result =
              torture::run_and_judge(torture::on_large({shape, radius, gap, tilt}, family), frames);
          const char* const how = result.how == Held::held      ? "held"
                                  : result.how == Held::refused ? "refused"
                                                                : "FELL";
          ++(result.how == Held::held ? held : result.how == Held::refused ? refused : fell);
          fmt::print("{:9} {:8.6g} {:8.6g} {:5.3g}  {:8} ", name_of(shape), radius, gap, tilt, how);
          if (result.how == Held::refused)
            fmt::print("{}\n", result.why);
          else
            fmt::print("{:10.4g} {:5.1f} {:5}\n", 1000 * result.least, result.iterations, result.unconverged);
        }
  fmt::print("{} held, {} refused, {} fell\n", held, refused, fell);
  return fell > 0;
}
