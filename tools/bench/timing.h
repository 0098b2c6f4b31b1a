#pragma once

#include <functional>

namespace assay {

// Returns the mean seconds of `runs` runs.
double SecondsOf(const std::function<void()>& work, int runs = 1);

}  // namespace assay
