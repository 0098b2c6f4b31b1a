// A stable sort with bulk comparisons.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace assay {

// Sets answers[i] to whether element left[i] precedes element right[i]. Called from several threads at once.
using ComesBefore = std::function<void(std::span<const std::int64_t> left, std::span<const std::int64_t> right,
                                       std::span<std::uint8_t> answers)>;

// Sorts the elements r * row_size, ..., (r + 1) * row_size - 1 of each row r by a stable merge sort. Many merges
// advance together, so that each call of `comes_before` compares many pairs. For any answers, the result is that of
// merging runs of 1, 2, 4, ... elements in pairs, each from end to end.
std::vector<std::int64_t> StableOrder(std::int64_t rows, std::int64_t row_size, const ComesBefore& comes_before);

}  // namespace assay
