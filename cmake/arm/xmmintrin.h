// Eigen asks for it with SSE2, which has all of it.
#pragma once
#include "emmintrin.h"
