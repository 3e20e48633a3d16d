// Pictures, without a display.
#include <cstring>

#include "bindings.h"
#include "muslin/render/legend.h"
#include "muslin/render/look_words.h"
#include "muslin/render/materials.h"
#include "muslin/render/offscreen.h"
#include "muslin/render/renderer.h"
#include "muslin/render/upright.h"

using namespace muslin;

namespace {

// --- looks, by their fields ------------------------------------------------------------------------

template <class T>
struct Kind {
  static constexpr const char* name = std::is_enum_v<T> ? "choice" : "text";
};
template <>
struct Kind<bool> {
  static constexpr const char* name = "switch";
};
template <>
struct Kind<std::optional<double>> {
  static constexpr const char* name = "number";
};

template <class T>
py::list names_of(const T&) {
  py::list names;
  if constexpr (std::is_enum_v<T>)
    for (const std::string_view name : EnumNames<T>::names) names.append(std::string(name));
  return names;
}

py::list look_fields() {
  py::list list;
  const auto visit = [&](std::string_view name, const auto& member, const FieldInfo& info) {
    using T = std::decay_t<decltype(member)>;
    list.append(py::dict(py::arg("name") = std::string(name), py::arg("doc") = std::string(info.doc),
                         py::arg("unit") = std::string(info.unit), py::arg("kind") = Kind<T>::name,
                         py::arg("choices") = names_of(member)));
  };
  const Look look;
  Look::fields(look, visit);
  return list;
}

Look look_of(const std::vector<std::string>& words) {
  try {
    return parse_look(words);
  } catch (const Error& error) {
    std::string message = error.what();
    const std::string program = "muslin list looks";
    if (const size_t place = message.find(program); place != std::string::npos)
      message.replace(place, program.size(), "muslin.looks()");
    throw Error(ErrorKind::invalid, "look: " + message);
  }
}

// --- drawing ---------------------------------------------------------------------------------------

using Triple = std::array<double, 3>;
Vec3 vector_of(const Triple& t) { return {t[0], t[1], t[2]}; }

py::array_t<std::uint8_t> pixels_of(const Image& image) {
  static_assert(sizeof(Pixel) == 3);
  py::array_t<std::uint8_t> rows({py::ssize_t{image.height}, py::ssize_t{image.width}, py::ssize_t{3}});
  std::memcpy(rows.mutable_data(), image.pixels.data(), 3 * image.pixels.size());
  return rows;
}

Image image_of(const py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>& pixels) {
  if (pixels.ndim() != 3 || pixels.shape(2) != 3)
    throw Error(ErrorKind::invalid, "picture: expected an array of shape (height, width, 3)");
  Image image{static_cast<int>(pixels.shape(1)), static_cast<int>(pixels.shape(0)), {}};
  image.pixels.resize(static_cast<size_t>(image.width) * image.height);
  if (!image.pixels.empty()) std::memcpy(image.pixels.data(), pixels.data(), 3 * image.pixels.size());
  return image;
}

// What is up in the scene is up in the picture.
Mat3 upright_of(const Simulation& simulation) { return upright(simulation.scene().gravity); }

Stage stage_of(const Simulation& s, const Look& look) {
  Stage stage = make_stage(s.model(), s.controls(), s.state(), look);
  stage.marked.clear();  // dots are for hands
  turn(upright_of(s), stage);
  if (look.ground) stage.ground = bounds(stage).min().y();
  return stage;
}

// As `muslin render` frames a picture.
Camera framed(const Stage& stage, int width, int height, const Look& look) {
  Outlines outlines;
  outlines.add(outline(stage));
  return frame_all(outlines.all(), static_cast<double>(width) / height, legend_strip(look, width, height));
}

py::array_t<std::uint8_t> draw(Stage stage, int width, int height, const Look& look,
                               const std::optional<Camera>& camera) {
  Image image;
  {
    const Unlocked unlocked;
    const OffscreenContext context;
    Renderer renderer;
    View view;
    view.camera = camera.value_or(framed(stage, width, height, look));
    view.stage = std::move(stage);
    view.width = width;
    view.height = height;
    view.look = look;
    image = draw_image(renderer, view);
  }
  return pixels_of(image);
}

py::array_t<std::uint8_t> render(Run& run, int width, int height, const std::vector<std::string>& look_words,
                                 const std::optional<std::pair<Triple, Triple>>& camera) {
  const Look look = look_of(look_words);
  Stage stage;
  std::optional<Camera> placed;
  {
    const Turn turn(run);
    const Simulation& simulation = run.simulation;
    stage = stage_of(simulation, look);
    if (camera)
      placed = turned(upright_of(simulation), {vector_of(camera->first), vector_of(camera->second)});
    put_on(read_paint(simulation.scene(), simulation.model()), simulation.model(), stage);
  }
  return draw(std::move(stage), width, height, look, placed);
}

// The automatic camera of a run as it is.
std::pair<Triple, Triple> camera(Run& run, int width, int height,
                                 const std::vector<std::string>& look_words) {
  const Look look = look_of(look_words);
  const Turn turn(run);
  const Simulation& s = run.simulation;
  const Camera camera = turned(upright_of(s).transpose(), framed(stage_of(s, look), width, height, look));
  const auto triple = [](const Vec3& v) { return Triple{v.x(), v.y(), v.z()}; };
  return {triple(camera.eye), triple(camera.target)};
}

}  // namespace

void bind_pictures(py::module_& module) {
  module.def("look_fields", &look_fields);
  module.def("render", &render, py::arg("simulation"), py::arg("width"), py::arg("height"), py::arg("look"),
             py::arg("camera"));
  module.def("camera", &camera, py::arg("simulation"), py::arg("width"), py::arg("height"), py::arg("look"));
  module.def("encode_png",
             [](const py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>& pixels) {
               return py::bytes(encode_png(image_of(pixels)));
             });
}
