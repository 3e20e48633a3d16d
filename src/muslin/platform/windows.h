#pragma once
// windows.h without the macros that take names of ours; for *_windows.cpp alone.
#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#undef near
#undef far
#undef small

namespace muslin::platform {

/// Leaves what Windows says of its last call in errno; false.
bool fail_as_windows();

}  // namespace muslin::platform
