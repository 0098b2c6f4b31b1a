// The exit code for an error.
#pragma once

#include "interpreter/types/result.h"

namespace assay {

// Returns 1 if the devices of a program wait for each other, or a check of the program fails, 2 if the request or an
// input is wrong, 3 if the backend cannot be started or crashes, 4 if memory or time runs out.
int ExitCode(const Error& error);

}  // namespace assay
