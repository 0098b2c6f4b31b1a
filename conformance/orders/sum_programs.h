// Programs whose result is a sum, for finding its order.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "interpreter/hlo/module.h"
#include "interpreter/types/primitive_type.h"
#include "interpreter/types/result.h"

namespace assay {

struct SumProgram {
  std::string_view name;     // "dot"
  std::string_view meaning;  // "a row times a column"
  std::string_view text;     // of its module: %T is the element type, %N the number of terms, %M one less
};

// Returns all programs.
std::span<const SumProgram> SumPrograms();

// Returns the module of a program that adds `terms` terms. Fails with kUsage if there is no such program, and with
// kIllegal if its op does not support the type.
Result<std::unique_ptr<HloModule>> MakeSumModule(const std::string& program, PrimitiveType type, std::int64_t terms);

}  // namespace assay
