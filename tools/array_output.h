// The results of a run on standard output or in files, piece by piece: an array is not held a second time.
#pragma once

#include <cstdio>
#include <string>

#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// From so many elements on an array is described rather than printed.
inline constexpr std::int64_t kElementsPrinted = 100'000;

// As HLO text, and a line break. Unless `in_full`, "{...}" stands for an array of more than kElementsPrinted elements
// or empty rows, with its shape, least and greatest element, mean and number of distinct values behind it.
void PrintOutput(const Literal& output, bool in_full, std::FILE* file);

// {"outputs": [a value for each device], "seconds": ...} and a line break.
void PrintOutputsAsJson(const PerDevice<Literal>& outputs, double seconds, std::FILE* file);

// Arrays that .npy can hold go to NAME.npy, others to NAME.json; a tuple's elements each to a file of their own.
Status WriteOutput(const Literal& output, const std::string& name);

}  // namespace assay
