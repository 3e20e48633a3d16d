#pragma once
#include "muslin/render/gl.h"

namespace muslin {

/// The colour of a class of springs, in sRGB; far apart for every kind of sight.
Eigen::Vector3f spring_colour(SpringClass kind);

/// Edges, springs and marked vertices, drawn over the cloth.
class Lines {
 public:
  /// Between the vertices of `cloth`, which must outlive it.
  explicit Lines(const DrawBuffer& cloth);
  /// Who is tied to whom.
  void upload(const Stage& stage);
  /// Over what is in the framebuffer. Leaves blending off.
  void draw(const View& view, const Eigen::Matrix4d& clip) const;

 private:
  Program line_, dot_;
  LineBuffer edges_, structural_, shear_, bend_, marked_;
};

}  // namespace muslin
