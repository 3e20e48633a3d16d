#include "muslin/version.h"

std::string_view muslin::version() { return MUSLIN_VERSION; }
