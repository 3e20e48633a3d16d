#include "muslin/energy/dihedral.h"

namespace muslin {

template struct DihedralBending<double>;

}  // namespace muslin
