// Helpers of the legality rules of many ops.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// Returns the error of an instruction that breaks a rule of its op: "reduce: " and the message, at its location.
Error IllegalInstruction(const HloInstruction& instruction, std::string message);

template <class... Args>
Error Illegal(const HloInstruction& instruction, fmt::format_string<Args...> format, Args&&... args) {
  return IllegalInstruction(instruction, fmt::format(format, std::forward<Args>(args)...));
}

// Checks that every dimension number of the list is in [0, rank) and occurs once. `what` names the list in the message.
Status CheckDimensionNumbers(const HloInstruction& instruction, std::string_view what,
                             std::span<const std::int64_t> dimension_numbers, std::int64_t rank);
// Checks that operand i is an array, of one of the types.
Status CheckArrayOperand(const HloInstruction& instruction, std::int64_t i);
Status CheckArrayOperand(const HloInstruction& instruction, std::int64_t i, TypeSet types, std::string_view type_names);

}  // namespace assay
