#pragma once

namespace muslin {

/// DejaVuSans.ttf, compiled in.
extern const unsigned char kFontFile[];

}  // namespace muslin
