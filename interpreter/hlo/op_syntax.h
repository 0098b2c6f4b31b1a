// The part of an op's record that parser, printer and builder read: how the op is written.
#pragma once

#include "interpreter/hlo/attributes.h"
#include "interpreter/types/result.h"

namespace assay {

struct HloInstruction;

struct OpSyntax {
  AttributeSpecs attributes = {};  // in print order
  // The text may leave the result shape out.
  bool shape_is_inferable = true;
  // The instruction may have the annotation result_accuracy.
  bool accepts_result_accuracy = false;
  // Called once an instruction has been read: brings different spellings of the same thing into one form, and fills in
  // attributes that the text implies. An error is one of the text.
  Status (*normalize)(HloInstruction&) = nullptr;
};

}  // namespace assay
