#pragma once
#include <string>
#include <string_view>

#include "muslin/io/fingerprint.h"
#include "muslin/model/saved_run.h"

namespace muslin {

/// A saved run as a file's content, and the fingerprint of the run that it belongs to.
///
/// All numbers are little-endian; i32, i64, u64 integers and f64 IEEE 754 doubles. "points" are a u64 count
/// and three f64 a point, "flag" is one byte, 0 or 1.
///
///     8 bytes  "MUSLIN\r\n"
///     u64      version of the format, 3
///     u64      bytes of the whole file
///     3 × 32   fingerprint: shapes, numbers, solver (io/fingerprint.h)
///     i64      frame;  i64, f64  frame and time [s] since which frames have their length
///     flag     edited; flag  touched
///     f64      time [s];  i64  substeps taken
///     points   positions;  points  velocities
///     i64      halvings;  flag  starts with Newton;  points  positions;  points  velocities: the history
///     points   blocked
///     u64      number of slips, then for each: i64 kind, 4 i64 vertices, 3 f64 part
///     points   start
///     u64      number of held vertices, then for each: i64 vertex, 3 f64 place
///     u64      number of vertices let go, then for each: i64 vertex
///     flag     whether a hand pulls; if so: i64 vertex, 3 f64 place, f64 stiffness, f64 damping, f64 reach,
///              u64 number of grips, then for each: i64 vertex, 3 f64 offset, f64 fraction of the spring
///     points   offsets of colliders that are wanted;  points  those that are
///     points   forces by hand
///     32 bytes SHA-256 of all before
std::string encode_saved_run(const SavedRun& run, const Fingerprint& fingerprint);

/// A saved run and the run that it belongs to.
struct StateFile {
  SavedRun run;
  Fingerprint fingerprint;
};

/// What is in a file of that name. Throws Error(invalid), naming the byte, for what is no such file or of
/// another version, cut short or damaged.
StateFile decode_saved_run(std::string_view bytes, const std::string& name);

}  // namespace muslin
