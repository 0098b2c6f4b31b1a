// Programs with dimensions of unknown size, "?": the sizes follow from the arguments of the entry. They are inferred
// while the program is lowered, so that every instruction has a static shape.
#pragma once

#include <string_view>
#include <unordered_map>

#include "interpreter/hlo/module.h"
#include "interpreter/stablehlo/operation.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay::stablehlo {

// The values of small integer arrays that constants, sizes and known arguments determine.
class KnownValues {
 public:
  // Returns null if the value is unknown.
  const Literal* Find(const HloInstruction& instruction) const;
  void Set(const HloInstruction& instruction, Literal value);
  // Adds the value of a legal instruction if it is small and the values of its operands are known.
  void Learn(const HloInstruction& instruction);

 private:
  std::unordered_map<const HloInstruction*, Literal> values_;
};

// Sets the shape of an instruction of the operation to the one that its operands determine. Fails if that breaks a rule
// of the op, or if sizes remain unknown.
Status InferShape(const Operation& operation, HloInstruction& instruction);
// Fails unless the shape has the declared type, apart from dimensions of unknown size. `what` is the text "argument 0".
Status CheckRefines(const Operation& operation, std::string_view what, const Type& declared, const Shape& shape);

}  // namespace assay::stablehlo
