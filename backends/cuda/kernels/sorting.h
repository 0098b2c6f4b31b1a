// A stable merge sort on the device: the order of each row's places by a comparator that is part of the text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "backends/cuda/kernels/emitter.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/program.h"

namespace assay::cuda {

struct RowSort {
  std::int64_t rows = 0;
  std::int64_t row_size = 0;
  // Writes what says whether place `a` of a row comes before place `b`, all three names; a pred or a bool.
  std::function<std::string(const std::string& row, const std::string& a, const std::string& b, Body& body,
                            ElementEmitter& emitter)>
      before;
};

// The bytes of its two scratch arrays, of places that have so many bytes each.
std::vector<std::int64_t> RowSortBytes(std::int64_t rows, std::int64_t row_size, std::int64_t place_bytes);

// Adds the launches. `scratch` are all scratch arrays of the program, of which `first` and the next are of the index
// type and hold rows of places in turns. Returns which of them holds the order in the end.
std::size_t AddRowSort(const RowSort& sort, const HloComputation& fused, const std::vector<std::string>& scratch,
                       std::size_t first, KernelProgram& program);

}  // namespace assay::cuda
