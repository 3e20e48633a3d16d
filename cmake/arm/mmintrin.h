// Eigen asks for it with SSE2, and needs nothing of it.
