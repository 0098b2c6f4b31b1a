// Every file of this folder includes this header. It has the type of a row, the declarations of the rows, and the ops.
#pragma once

#include <span>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/ops/record.h"

namespace assay {

#define ASSAY_ACCEPTANCE(name) extern const OpAcceptance acceptance_##name;
#include "interpreter/acceptance/ops/acceptance_list.inc"
#undef ASSAY_ACCEPTANCE

// Returns the rows of the ops that have no file here.
std::span<const OpAcceptance> AcceptanceRows();

}  // namespace assay
