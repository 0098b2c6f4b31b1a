// The common include of files that define built-in custom-call targets: the record's type and the declarations of all
// families.
#pragma once

#include <span>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/custom_call_target.h"

namespace assay {

// The targets of one file, related by what they do.
using TargetFamily = std::span<const CustomCallTarget>;

#define ASSAY_TARGETS(name) extern const TargetFamily targets_##name;
#include "interpreter/custom_calls/target_list.inc"
#undef ASSAY_TARGETS

}  // namespace assay
