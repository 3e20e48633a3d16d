#pragma once

namespace muslin {

/// DejaVuSans.ttf, compiled in.
extern const unsigned char kFontFile[];
extern const int kFontFileSize;  ///< [bytes]

}  // namespace muslin
