#include "drape_picture.h"

#include "muslin/core/check.h"
#ifdef MUSLIN_HAS_RENDER
#include "muslin/model/model.h"
#include "muslin/model/state.h"
#include "muslin/render/offscreen.h"
#include "muslin/render/renderer.h"
#include "muslin/render/view.h"
#include "picture_sink.h"
#endif

using namespace muslin;

#ifndef MUSLIN_HAS_RENDER
void expect_picture(const std::string& path, bool) {
  throw Error(ErrorKind::invalid, path + ": this program was built without pictures (MUSLIN_RENDER)");
}
void draw_drape(const Scene&, const std::string&, bool) {}
#else
void expect_picture(const std::string& path, bool force) {
  if (!path.ends_with(".png"))
    throw Error(ErrorKind::invalid, path + ": --picture expects a file that ends in .png");
  make_picture(path, 0, force);
}

void draw_drape(const Scene& scene, const std::string& path, bool force) {
  const auto sink = make_picture(path, 0, force);
  const Model model = build_model(scene);
  const OffscreenContext context;
  Renderer renderer;
  View view{make_stage(model, initial_state(model)), {}};
  view.stage.marked.clear();
  view.camera.eye = {0.28, 0.26, 0.36};
  view.camera.target = {0, -0.025, 0};
  sink->add(0, draw_image(renderer, view));
  sink->finish();
}
#endif
