// How a program ends that has met an error.
#pragma once

#include "interpreter/types/result.h"

namespace assay {

// 1: the devices of a program wait for each other. 2: the request or an input is wrong. 3: the backend cannot be
// started or dies. 4: there is too little memory or time.
int ExitCode(const Error& error);

}  // namespace assay
