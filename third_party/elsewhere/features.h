// musl's tables ask for it, and need nothing of it; Windows and macOS have none.
