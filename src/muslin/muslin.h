#pragma once
// Everything a user of the library includes.
#include "muslin/audit/start.h"
#include "muslin/audit/verdict.h"
#include "muslin/compare/compare.h"
#include "muslin/compare/compare_json.h"
#include "muslin/compare/compare_page.h"
#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/io/frame_writer.h"
#include "muslin/io/mesh_reader.h"
#include "muslin/io/run_folder.h"
#include "muslin/io/scene_json.h"
#include "muslin/model/fabrics.h"
#include "muslin/model/parse_enum.h"
#include "muslin/model/rest_watch.h"
#include "muslin/repair/untangle.h"
#include "muslin/simulation.h"
#include "muslin/version.h"

/// Simulation of cloth. A Scene (read_scene, or made in code) says what there is, a Simulation makes its
/// frames, a FrameReport tells of each. All numbers are in SI units, y is up; matrices of points are 3×n, a
/// column a vertex.
namespace muslin {}
