// A wrapper of any backend that adds a time limit, a check of its claims, and errors in place of exceptions.
#pragma once

#include <memory>

#include "backends/backend.h"

namespace assay {

// Returns the same backend with three guarantees. A module outside of its description does not reach it. Each call has
// a limit of `seconds`, which evaluations by the reference observe (a peer has its own deadline). No call throws.
std::unique_ptr<Backend> TimedBackend(std::unique_ptr<Backend> backend, double seconds);

}  // namespace assay
