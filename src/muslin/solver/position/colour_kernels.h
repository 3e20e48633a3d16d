#pragma once
#include <cstdint>

// The inner loops of coloured constraint groups, compiled once for every width of vectors. A lane is an
// element of its own, so that all widths have the same bits; plain pointers alone, as in kernels.h.

namespace muslin {

inline constexpr int kColourLanes = 8;  ///< elements of a group, which share no vertex: the widest vector

/// Groups of elements of one colour. Slot k of lane l of group g is the vertex at place +
/// vertices[(g·slots + k)·kColourLanes + l]; number k of the same lane is numbers[(g·count + k)·kColourLanes
/// + l], in the order of the kernel's numbers below.
struct ColourJob {
  float* place;        ///< [m] x y z 0 of every vertex, relative to a place near it
  const float* start;  ///< the same at the start of the step; read by damped kernels
  const std::int32_t* vertices;
  const float* numbers;
  int groups;
};

/// With w the inverse mass, α̃ the compliance over h² and, for damped elements, s the fraction of the rest
/// state that is the state at the start (damping_shift):
struct SpringNumber {
  enum { rest, first, second, shift, count };  ///< L; w/(w₀ + w₁ + α̃) of both ends; s
};
/// Of a triangle with the gradient operators u, v and the area A: u₁ u₂ v₁ v₂; U = Σ w u², W = Σ w u v,
/// V = Σ w v²; 1/(U + α̃/A) of warp and weft, α̃/A of the shear; w of the three vertices; s
struct TriangleNumber {
  enum { u1, u2, v1, v2, uu, uv, vv, warp, weft, shear, w0, w1, w2, shift, count };
};
/// Of a flat plate: the columns 1 … 5 of its root R, without those of repeated vertices, which are added to
/// their first; w of the six vertices; α̃; s
struct PlateNumber {
  enum { columns, w = columns + 15, compliance = w + 6, shift, count };
};

/// Of a plate of any rest shape: Q as 00 01 02 11 12 22; three angles at rest; w of the six vertices, 0 for
/// repeated ones; 1 or 0 whether tip 4 repeats tip 3, tip 5 tip 3, tip 5 tip 4; α̃; s
struct HingeNumber {
  enum { form, rest = form + 6, w = rest + 3, repeats = w + 6, compliance = repeats + 3, shift, count };
};

using ColourKernel = void (*)(const ColourJob& job);

/// kColourLanes lines of springs, one a lane, each from vertex to vertex; shorter ones stay at their last
/// vertex. Vertex k of lane l is at place + vertices[k·kColourLanes + l]. First comes w of the first vertex,
/// then spring for spring the numbers of MeshLineNumber, kColourLanes of each.
struct MeshLineJob {
  float* place;
  const float* start;  ///< as in ColourJob
  const std::int32_t* vertices;
  const float* numbers;
  int springs;  ///< of the longest line
};
/// Rest length; α̃; w of the vertex at its end; s
struct MeshLineNumber {
  enum { rest, compliance, end, shift, count };
};
using MeshLineKernel = void (*)(const MeshLineJob& job, float* scratch);

/// What elements are: rows of ColourKernels::of.
enum class ColourKind { springs, triangles, plates, hinges };
inline constexpr int kColourKinds = 4;

struct ColourKernels {
  const char* name;                  ///< "avx2"
  ColourKernel of[kColourKinds][2];  ///< of a kind, without damping and with it
  MeshLineKernel lines[2];           ///< of a mesh, likewise
};

/// Those in use: the widest of core/simd.h.
const ColourKernels& chosen_colour_kernels();

// One file each; null where it was not compiled for such processors. With AVX-512 those for AVX2 run:
// sixteen lanes cost more to fill with places from all over the mesh than they save.
const ColourKernels* plain_colour_kernels();
const ColourKernels* avx2_colour_kernels();

}  // namespace muslin
