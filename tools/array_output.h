// Writes the results of a run to standard output or to files, piece by piece, without a second copy of an array.
#pragma once

#include <cstdio>
#include <string>

#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// Arrays with more elements are described instead of printed.
inline constexpr std::int64_t kElementsPrinted = 100'000;

// Prints HLO text and a line break. Unless `in_full`, an array with more than kElementsPrinted elements or empty rows
// is printed as "{...}", followed by its shape, least and greatest element, mean and number of distinct values.
void PrintOutput(const Literal& output, bool in_full, std::FILE* file);

// Prints {"outputs": [a value for each device], "seconds": ...} and a line break.
void PrintOutputsAsJson(const PerDevice<Literal>& outputs, double seconds, std::FILE* file);

// Writes an array that .npy can hold to NAME.npy, any other to NAME.json, and each element of a tuple to its own file.
Status WriteOutput(const Literal& output, const std::string& name);

}  // namespace assay
