#pragma once
#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <vector>

#include "muslin/io/gltf_file.h"

namespace muslin {

/// A mesh as a node of a glTF file shows it: its vertices before anything moves them. Internal to io.
struct GltfPart {
  GltfItem node;
  Points base{3, 0};            ///< 3×n [m], in the mesh's frame
  std::vector<Points> targets;  ///< what morph targets add, 3×n each [m]
  std::vector<double> weights;  ///< of the targets, where no animation says otherwise
  int influences = 0;           ///< joints a vertex; 0: no skeleton moves it
  std::vector<int> joints;      ///< so many a vertex, numbers in the skin
  std::vector<double> shares;   ///< likewise: how much of it a joint moves, of each vertex 1 in all
  std::size_t skin = 0;         ///< in the rig
};

/// What moves the meshes of a glTF file: nodes, skins and animations [glTF 2.0, 3.5, 3.7.3, 3.11]. Vertices
/// follow their joints by linear blending: x = Σ w_j T_j B_j X. Everything throws Error(invalid) with file
/// and path where the file is not as the specification has it. Internal to io.
class GltfRig {
 public:
  /// The file must outlive it.
  explicit GltfRig(const GltfFile& file);

  /// Where a node is at rest, in the scene.
  Eigen::Affine3d transform_of(const GltfItem& node) const;

  /// Reads a skin; its number in the rig.
  std::size_t add_skin(const GltfItem& skin);
  int joint_count(std::size_t skin) const { return static_cast<int>(skins_[skin].joints.size()); }

  /// The vertices of a part at rest [m], 3×n.
  Points at_rest(const GltfPart& part) const { return places_of(part, pose_at(nullptr, 0), 0); }

  /// The shapes that an animation (without a name the first) gives to parts, one behind another: 3×n [m],
  /// every `interval` [s] of its time from 0 until it ends.
  std::vector<Points> shapes(const std::vector<GltfPart>& parts, const std::optional<std::string>& animation,
                             double interval) const;

 private:
  enum class Path { translation, rotation, scale, weights };
  enum class Interpolation { step, linear, cubic };
  /// How a node is placed in its parent.
  struct Node {
    int parent = -1;
    std::optional<Eigen::Affine3d> matrix;
    Vec3 translation = Vec3::Zero();
    Eigen::Vector4d rotation{0, 0, 0, 1};  ///< x y z w, unit
    Vec3 scale = Vec3::Ones();
  };
  struct Skin {
    std::vector<int> joints;  ///< nodes
    std::vector<Eigen::Affine3d> inverse_bind;
    GltfItem item;
  };
  struct Channel {
    int node;
    Path path;
    Interpolation interpolation;
    std::vector<double> times, values;
    std::size_t width;  ///< numbers of a value
  };
  struct Animation {
    std::vector<Channel> channels;
    double length = 0;  ///< [s]
  };
  /// All nodes at some time.
  struct Pose {
    std::vector<Eigen::Affine3d> global;
    std::vector<std::vector<double>> weights;  ///< of morph targets, one a node; empty: as the part has them
  };

  Node read_node(const GltfItem& item) const;
  void find_parents(const std::vector<GltfItem>& nodes);
  Animation read_animation(const std::optional<std::string>& name) const;
  Channel read_channel(const GltfItem& animation, const GltfItem& item) const;
  Pose pose_at(const Animation* animation, double time) const;
  Points places_of(const GltfPart& part, const Pose& pose, double time) const;
  static std::vector<double> value_at(const Channel& channel, double time);

  const GltfFile& file_;
  std::vector<Node> nodes_;
  std::vector<int> order_;  ///< of nodes, parents first
  std::vector<Skin> skins_;
};

/// The number of an element of a list at the root, "/nodes/3" is 3.
int number_of_item(const GltfItem& item);

}  // namespace muslin
