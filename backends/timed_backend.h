// A backend of any kind with a time limit, claims, and errors instead of exceptions.
#pragma once

#include <memory>

#include "backends/backend.h"

namespace assay {

// The same backend, but no module reaches it that its description leaves out, each call has a limit of `seconds`, which
// its evaluations by the reference keep (a peer has a deadline of its own), and no call throws.
std::unique_ptr<Backend> TimedBackend(std::unique_ptr<Backend> backend, double seconds);

}  // namespace assay
