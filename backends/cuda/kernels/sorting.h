// A stable merge sort on the device. It orders the places of each row by a comparator that is part of the text.
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
  // Writes the comparison and returns a pred or a bool: true if place `a` of a row precedes place `b`. All arguments
  // are names.
  std::function<std::string(const std::string& row, const std::string& a, const std::string& b, Body& body,
                            ElementEmitter& emitter)>
      before;
};

// Returns the bytes of the two scratch arrays, with `place_bytes` for each place.
std::vector<std::int64_t> RowSortBytes(std::int64_t rows, std::int64_t row_size, std::int64_t place_bytes);

// Adds the launches. `scratch` lists all scratch arrays of the program. Arrays `first` and `first + 1` have the index
// type and alternate as the order of the rows. Returns the one that holds the final order.
std::size_t AddRowSort(const RowSort& sort, const HloComputation& fused, const std::vector<std::string>& scratch,
                       std::size_t first, KernelProgram& program);

}  // namespace assay::cuda
