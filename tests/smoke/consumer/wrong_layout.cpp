// As a file that is compiled past the target muslin::muslin, or that sets the alignment for another library.
#undef EIGEN_MAX_ALIGN_BYTES
#include <Eigen/Core>

#include "muslin/core/types.h"
