#pragma once
// Everything a user of the library includes.
#include "muslin/audit/start.h"
#include "muslin/audit/verdict.h"
#include "muslin/compare/compare.h"
#include "muslin/compare/compare_page.h"
#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/io/frame_writer.h"
#include "muslin/io/mesh_reader.h"
#include "muslin/io/scene_json.h"
#include "muslin/model/fabrics.h"
#include "muslin/simulation.h"
#include "muslin/version.h"
