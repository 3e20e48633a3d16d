#include "muslin/io/gltf_rig.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "muslin/core/maths.h"
#include "muslin/core/text.h"
#include "muslin/io/scan.h"

namespace muslin {

namespace {

constexpr std::size_t kMostJoints = 10'000;
constexpr double kMostPlaces = 6e7;  // of all vertices in all shapes: 1.4 GB

// A fraction of the shorter turn between two unit quaternions [Shoemake 1985].
Eigen::Vector4d turned_between(const Eigen::Vector4d& a, Eigen::Vector4d b, double fraction) {
  constexpr double kOneTurn = 1 - 0x1p-40;  // a cosine from which on the chord is the arc
  double cosine = a.dot(b);
  if (cosine < 0) {  // b and −b are one rotation
    cosine = -cosine;
    b = -b;
  }
  if (cosine >= kOneTurn) return (a + fraction * (b - a)).normalized();
  const double angle = maths::acos(cosine), sine = maths::sin(angle);
  return (maths::sin((1 - fraction) * angle) / sine * a + maths::sin(fraction * angle) / sine * b)
      .normalized();
}

Eigen::Quaterniond turn_of(const Eigen::Vector4d& xyzw) { return Eigen::Quaterniond(xyzw); }

}  // namespace

int number_of_item(const GltfItem& item) { return std::stoi(item.path.substr(item.path.rfind('/') + 1)); }

// --- nodes -----------------------------------------------------------------------------------------

GltfRig::GltfRig(const GltfFile& file) : file_(file) {
  const std::vector<GltfItem> nodes = file.elements(file.root(), "nodes");
  for (const GltfItem& node : nodes) nodes_.push_back(read_node(node));
  find_parents(nodes);
}

GltfRig::Node GltfRig::read_node(const GltfItem& item) const {
  Node node;
  if (const auto matrix = file_.find(item, "matrix")) {
    const std::vector<double> columns = file_.numbers(*matrix, 16);
    Eigen::Affine3d& transform = node.matrix.emplace(Eigen::Affine3d::Identity());
    transform.matrix() = Eigen::Map<const Eigen::Matrix4d>(columns.data());
    if (transform.matrix().row(3) != Eigen::RowVector4d(0, 0, 0, 1))
      file_.fail(*matrix, "must have 0 0 0 1 as its last row");
    return node;
  }
  if (const auto place = file_.find(item, "translation"))
    node.translation = Eigen::Map<const Vec3>(file_.numbers(*place, 3).data());
  if (const auto rotation = file_.find(item, "rotation")) {
    node.rotation = Eigen::Map<const Eigen::Vector4d>(file_.numbers(*rotation, 4).data());
    if (!(node.rotation.norm() > 0)) file_.fail(*rotation, "must not be zero");
    node.rotation.normalize();
  }
  if (const auto scale = file_.find(item, "scale"))
    node.scale = Eigen::Map<const Vec3>(file_.numbers(*scale, 3).data());
  return node;
}

// Each node is the child of one other at most, and of none that it is above.
void GltfRig::find_parents(const std::vector<GltfItem>& nodes) {
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (const GltfItem& number : file_.elements(nodes[n], "children")) {
      const int child = number_of_item(file_.element("nodes", number));
      if (nodes_[child].parent >= 0) file_.fail(nodes[child], "must be the child of one node, got a second");
      nodes_[child].parent = static_cast<int>(n);
    }
  std::vector<std::vector<int>> children(nodes_.size());
  for (int n = 0; n < std::ssize(nodes_); ++n)
    nodes_[n].parent < 0 ? order_.push_back(n) : children[nodes_[n].parent].push_back(n);
  for (std::size_t k = 0; k < order_.size(); ++k)
    order_.insert(order_.end(), children[order_[k]].begin(), children[order_[k]].end());
  if (order_.size() == nodes_.size()) return;
  std::vector<char> is_reached(nodes_.size());
  for (const int n : order_) is_reached[n] = 1;
  const auto lost = std::find(is_reached.begin(), is_reached.end(), 0) - is_reached.begin();
  file_.fail(nodes[lost], "must not be below itself, as one of a ring of nodes");
}

Eigen::Affine3d GltfRig::transform_of(const GltfItem& node) const {
  return pose_at(nullptr, 0).global[number_of_item(node)];
}

// --- skins -----------------------------------------------------------------------------------------

std::size_t GltfRig::add_skin(const GltfItem& item) {
  Skin skin;
  skin.item = item;
  const std::vector<GltfItem> joints = file_.elements(item, "joints");
  if (joints.empty()) file_.fail(item, "must have joints");
  if (joints.size() > kMostJoints)
    file_.fail(item, "must have at most {} joints, got {}", kMostJoints, joints.size());
  for (const GltfItem& joint : joints) skin.joints.push_back(number_of_item(file_.element("nodes", joint)));
  skin.inverse_bind.assign(joints.size(), Eigen::Affine3d::Identity());
  if (const auto from = file_.find(item, "inverseBindMatrices")) {
    const GltfItem accessor = file_.element("accessors", *from);
    const std::vector<double> numbers = file_.accessor(accessor, "MAT4");
    if (numbers.size() < 16 * joints.size())
      file_.fail(accessor, "must have a matrix for each of {} joints, got {}", joints.size(),
                 numbers.size() / 16);
    for (std::size_t j = 0; j < joints.size(); ++j)
      skin.inverse_bind[j] = Eigen::Map<const Eigen::Matrix4d>(&numbers[16 * j]).topRows<3>();
  }
  skins_.push_back(std::move(skin));
  return skins_.size() - 1;
}

// --- animations ------------------------------------------------------------------------------------

GltfRig::Animation GltfRig::read_animation(const std::optional<std::string>& name) const {
  const std::vector<GltfItem> all = file_.elements(file_.root(), "animations");
  if (all.empty()) file_.fail(file_.root(), "must have an animation, as the frames of a collider, got none");
  auto chosen = all.begin();
  if (name) {
    chosen = std::find_if(all.begin(), all.end(),
                          [&](const GltfItem& item) { return file_.text(item, "name") == *name; });
    std::vector<std::string> names;
    for (const GltfItem& item : all) names.push_back(quote(file_.text(item, "name")));
    if (chosen == all.end())
      file_.fail(file_.root(), "must have the animation {}, got {}", quote(*name), fmt::join(names, ", "));
  }
  Animation animation;
  for (const GltfItem& item : file_.elements(*chosen, "channels")) {
    const std::optional<GltfItem> target = file_.find(item, "target");
    if (!target || !file_.find(*target, "node")) continue;  // of an extension
    animation.channels.push_back(read_channel(*chosen, item));
    animation.length = std::max(animation.length, animation.channels.back().times.back());
  }
  if (animation.channels.empty()) file_.fail(*chosen, "must have a channel that moves a node, got none");
  return animation;
}

GltfRig::Channel GltfRig::read_channel(const GltfItem& animation, const GltfItem& item) const {
  constexpr std::array<std::string_view, 4> kPaths{"translation", "rotation", "scale", "weights"};
  constexpr std::array<std::string_view, 3> kInterpolations{"STEP", "LINEAR", "CUBICSPLINE"};
  const GltfItem target = *file_.find(item, "target");
  Channel channel;
  channel.node = number_of_item(file_.element("nodes", *file_.find(target, "node")));
  const std::string path = file_.text(target, "path");
  const auto place = std::find(kPaths.begin(), kPaths.end(), path);
  if (place == kPaths.end())
    file_.fail(target, "its path must be {}, got {}", fmt::join(kPaths, ", "), quote(path));
  channel.path = static_cast<Path>(place - kPaths.begin());

  const std::vector<GltfItem> samplers = file_.elements(animation, "samplers");
  const std::optional<GltfItem> number = file_.find(item, "sampler");
  if (!number || file_.whole(*number) >= samplers.size())
    file_.fail(item, "must name one of the {} samplers of its animation", samplers.size());
  const GltfItem& sampler = samplers[file_.whole(*number)];
  const std::string words = file_.text(sampler, "interpolation");
  const auto how =
      std::find(kInterpolations.begin(), kInterpolations.end(), words.empty() ? "LINEAR" : words);
  if (how == kInterpolations.end())
    file_.fail(sampler, "its interpolation must be {}, got {}", fmt::join(kInterpolations, ", "),
               quote(words));
  channel.interpolation = static_cast<Interpolation>(how - kInterpolations.begin());

  const auto read = [&](std::string_view key, std::string_view type) {
    const std::optional<GltfItem> from = file_.find(sampler, key);
    if (!from) file_.fail(sampler, "must have an {}", key);
    return file_.accessor(file_.element("accessors", *from), type);
  };
  channel.times = read("input", "SCALAR");
  channel.values = read("output", channel.path == Path::rotation  ? "VEC4"
                                  : channel.path == Path::weights ? "SCALAR"
                                                                  : "VEC3");
  if (channel.times.empty()) file_.fail(sampler, "must have a keyframe");
  for (std::size_t k = 1; k < channel.times.size(); ++k)
    if (!(channel.times[k] > channel.times[k - 1]))
      file_.fail(sampler, "times must grow, got {} s after {} s", channel.times[k], channel.times[k - 1]);
  const std::size_t each = channel.interpolation == Interpolation::cubic ? 3 : 1;
  const std::size_t keys = channel.times.size() * each;
  channel.width = channel.path == Path::rotation ? 4 : 3;
  if (channel.path == Path::weights) channel.width = channel.values.size() / keys;
  if (channel.width == 0 || channel.values.size() != keys * channel.width)
    file_.fail(sampler, "must have {} values, {} a keyframe, got {} numbers", keys, each,
               channel.values.size());
  return channel;
}

std::vector<double> GltfRig::value_at(const Channel& channel, double time) {
  using Vector = Eigen::Map<const Eigen::VectorXd>;
  const auto width = static_cast<Eigen::Index>(channel.width);
  const std::size_t each = channel.interpolation == Interpolation::cubic ? 3 : 1;
  const auto part = [&](std::size_t key, std::size_t which) {  // of cubic: slope in, value, slope out
    return Vector(&channel.values[(key * each + which) * channel.width], width);
  };
  const std::size_t middle = each / 2, last = channel.times.size() - 1;
  const auto after = std::upper_bound(channel.times.begin(), channel.times.end(), time);
  const auto next = static_cast<std::size_t>(after - channel.times.begin());
  Eigen::VectorXd value;
  if (next == 0 || next > last || channel.interpolation == Interpolation::step) {
    value = part(next == 0 ? 0 : next - 1, middle);
  } else {
    const double length = channel.times[next] - channel.times[next - 1];
    const double t = (time - channel.times[next - 1]) / length;
    const auto from = part(next - 1, middle), to = part(next, middle);
    if (channel.interpolation == Interpolation::cubic) {
      const double t2 = t * t, t3 = t2 * t;
      value = (2 * t3 - 3 * t2 + 1) * from + length * (t3 - 2 * t2 + t) * part(next - 1, 2) +
              (3 * t2 - 2 * t3) * to + length * (t3 - t2) * part(next, 0);
    } else if (channel.path == Path::rotation) {
      value = turned_between(Eigen::Vector4d(from).normalized(), Eigen::Vector4d(to).normalized(), t);
    } else {
      value = (1 - t) * from + t * to;
    }
  }
  return {value.begin(), value.end()};
}

GltfRig::Pose GltfRig::pose_at(const Animation* animation, double time) const {
  std::vector<Node> nodes = nodes_;
  Pose pose;
  pose.weights.resize(nodes.size());
  for (std::size_t c = 0; animation && c < animation->channels.size(); ++c) {
    const Channel& channel = animation->channels[c];
    const std::vector<double> value = value_at(channel, time);
    Node& node = nodes[channel.node];
    if (channel.path != Path::weights) node.matrix.reset();  // such nodes have none [3.11]
    if (channel.path == Path::translation) node.translation = Eigen::Map<const Vec3>(value.data());
    if (channel.path == Path::scale) node.scale = Eigen::Map<const Vec3>(value.data());
    if (channel.path == Path::weights) pose.weights[channel.node] = value;
    if (channel.path != Path::rotation) continue;
    node.rotation = Eigen::Map<const Eigen::Vector4d>(value.data());
    if (!(node.rotation.norm() > 0))
      file_.fail(file_.root(), "a rotation of node {} is zero at {:.6g} s", channel.node, time);
    node.rotation.normalize();
  }
  pose.global.resize(nodes.size());
  for (const int n : order_) {
    const Node& node = nodes[n];
    Eigen::Affine3d local = Eigen::Affine3d::Identity();
    if (node.matrix)
      local = *node.matrix;
    else
      local.translate(node.translation).rotate(turn_of(node.rotation)).scale(node.scale);
    const Eigen::Affine3d above = node.parent < 0 ? Eigen::Affine3d::Identity() : pose.global[node.parent];
    pose.global[n] = above * local;
  }
  return pose;
}

// --- shapes ----------------------------------------------------------------------------------------

Points GltfRig::places_of(const GltfPart& part, const Pose& pose, double time) const {
  const int node = number_of_item(part.node);
  Points places = part.base;
  const std::vector<double>& animated = pose.weights[node];
  if (!animated.empty() && animated.size() != part.targets.size())
    file_.fail(part.node, "its mesh has {} morph targets, and an animation weights for {}",
               part.targets.size(), animated.size());
  const std::vector<double>& weights = animated.empty() ? part.weights : animated;
  for (std::size_t k = 0; k < part.targets.size() && k < weights.size(); ++k)
    if (weights[k] != 0) places += weights[k] * part.targets[k];

  if (part.influences == 0) {
    for (auto place : places.colwise()) place = pose.global[node] * Vec3(place);
    return places;
  }
  const Skin& skin = skins_[part.skin];
  std::vector<Eigen::Affine3d> moved(skin.joints.size());
  for (std::size_t j = 0; j < moved.size(); ++j) {
    moved[j] = pose.global[skin.joints[j]] * skin.inverse_bind[j];
    if (!(moved[j].linear().determinant() > 0))
      file_.fail(
          skin.item,
          "joint {} (node {}) turns its mesh inside out or flattens it at {:.6g} s: a scale is negative "
          "or zero; apply it before the export",
          j, skin.joints[j], time);
  }
  for (Eigen::Index v = 0; v < places.cols(); ++v) {
    const Vec3 from = places.col(v);
    Vec3 to = Vec3::Zero();
    for (int k = 0; k < part.influences; ++k) {
      const auto at = static_cast<std::size_t>(part.influences * v + k);
      if (part.shares[at] != 0) to += part.shares[at] * (moved[part.joints[at]] * from);
    }
    places.col(v) = to;
  }
  return places;
}

std::vector<Points> GltfRig::shapes(const std::vector<GltfPart>& parts,
                                    const std::optional<std::string>& animation, double interval) const {
  const Animation moving = read_animation(animation);
  constexpr double kRounding = 1e-6;  // of an interval
  const double intervals = std::ceil(moving.length / interval - kRounding);
  Eigen::Index count = 0;
  for (const GltfPart& part : parts) count += part.base.cols();
  if (!((intervals + 1) * static_cast<double>(count) <= kMostPlaces))
    file_.fail(file_.root(),
               "an animation of {:.6g} s, taken every {:.3g} s, is {:.0f} shapes of {} vertices, and "
               "at most {:.0g} places are read: shorten it, or take fewer frames a second",
               moving.length, interval, intervals + 1, count, kMostPlaces);
  const Pose rest = pose_at(nullptr, 0);
  std::vector<Points> shapes;
  for (int k = 0; k <= static_cast<int>(intervals); ++k) {
    const double time = std::min(k * interval, moving.length);
    const Pose pose = pose_at(&moving, time);
    Points& all = shapes.emplace_back(3, count);
    Eigen::Index first = 0;
    for (const GltfPart& part : parts) {
      const int node = number_of_item(part.node);
      if (part.influences == 0 &&
          pose.global[node].linear().determinant() * rest.global[node].linear().determinant() <= 0)
        file_.fail(part.node, "turns its mesh inside out or flattens it at {:.6g} s: its scale changes sign",
                   time);
      all.middleCols(first, part.base.cols()) = places_of(part, pose, time);
      first += part.base.cols();
    }
  }
  return shapes;
}

}  // namespace muslin
