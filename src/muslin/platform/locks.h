#pragma once
#include <string>

// A lock on a whole open file, of this opening of it: the system gives it up with the last descriptor,
// however the process ends.

namespace muslin::platform {

/// `no_locks`: the file system has none, as some of networks, and in user space. `failed` leaves errno.
enum class Lock { taken, held, no_locks, failed };

/// Opens the file of a lock, and makes it where it is absent; never through a symbolic link. -1 leaves errno.
int open_lock(const std::string& path, bool& is_new);
/// Takes it without waiting; `held` by another opening.
Lock take_lock(int file);
/// Whether another opening has it, without turning anybody away who takes it meanwhile: `taken` if nobody
/// has. `failed` if the file cannot be opened.
Lock find_lock(const std::string& path);
/// Whether the open file still has that name: its last holder removes it.
bool has_name(int file, const std::string& path);
/// Whether the open file has another name beside the one that it was opened by (a hard link): what it names
/// may be somebody's.
bool has_other_names(int file);
/// Removes the file and gives the lock up.
void remove_lock(int file, const std::string& path);

}  // namespace muslin::platform
