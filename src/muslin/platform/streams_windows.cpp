#include <fcntl.h>
#include <io.h>

#include <initializer_list>

#include "muslin/platform/streams.h"
#include "muslin/platform/windows.h"

namespace muslin::platform {

void guard_streams() {
  for (const int stream : {1, 2})
    if (::_get_osfhandle(stream) >= 0) ::_setmode(stream, _O_BINARY);
  SetConsoleOutputCP(CP_UTF8);
}

bool is_terminal(int stream) {
  DWORD mode = 0;
  return GetConsoleMode(reinterpret_cast<HANDLE>(::_get_osfhandle(stream)), &mode);  // NUL is none
}

int terminal_width(int stream) {
  CONSOLE_SCREEN_BUFFER_INFO size{};
  return GetConsoleScreenBufferInfo(reinterpret_cast<HANDLE>(::_get_osfhandle(stream)), &size)
             ? size.srWindow.Right - size.srWindow.Left + 1
             : 0;
}

}  // namespace muslin::platform
