// The part of an op's record that parser, printer and builder read: the text form of the op.
#pragma once

#include "interpreter/hlo/attributes.h"
#include "interpreter/types/result.h"

namespace assay {

struct HloInstruction;

struct OpSyntax {
  AttributeSpecs attributes = {};  // in print order
  // The text may omit the result shape.
  bool shape_is_inferable = true;
  // The instruction may have the annotation result_accuracy.
  bool accepts_result_accuracy = false;
  // Called after an instruction is parsed: normalizes different spellings and fills in attributes that the text
  // implies. An error is a parse error.
  Status (*normalize)(HloInstruction&) = nullptr;
};

}  // namespace assay
