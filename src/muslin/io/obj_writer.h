#pragma once
#include <memory>

#include "muslin/io/frame_writer.h"

namespace muslin {

std::unique_ptr<FrameWriter> make_obj_writer();

}  // namespace muslin
