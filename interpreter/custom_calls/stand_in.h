// What a library call stands for, computed by the bodies of the ops that it stands for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// An instruction outside of any module, whose operands are parameters of these shapes. Its op must not ask the
// evaluator for anything.
class StandIn {
 public:
  // `written` is what the text of such an instruction would say of the result: nothing, a shape, or for ops that infer
  // all but the element type a scalar of it.
  StandIn(const Op& op, const std::vector<Shape>& operands, std::vector<Attribute> attributes, Shape written = {});

  const HloInstruction& instruction() const { return *instruction_; }
  // Checks the instruction by the rules of its op and gives it its shape. An error is one of `call`, and names its
  // target.
  Status Infer(const HloInstruction& call);
  Literal Evaluate(std::vector<Literal> operands) const;
  // The same with results of another element type.
  Literal EvaluateAs(PrimitiveType type, std::vector<Literal> operands) const;

 private:
  std::vector<std::unique_ptr<HloInstruction>> parameters_;
  std::unique_ptr<HloInstruction> instruction_;
};

// The error of a call whose operands, result or configuration do not fit its target: it names the target.
Error BadCall(const HloInstruction& call, std::string_view message);
// The error of a call that cannot be evaluated, and why.
Error NotEvaluated(const HloInstruction& call, std::string_view why);

// The value of one instruction. Attributes and shapes are known to be legal.
Literal Apply(const Op& op, std::vector<Literal> operands, std::vector<Attribute> attributes = {}, Shape written = {});
// An element-wise op; scalar operands are repeated.
Literal Elementwise(const Op& op, std::vector<Literal> operands, std::vector<Attribute> attributes = {});
Literal Plus(const Literal& a, const Literal& b);
Literal Minus(const Literal& a, const Literal& b);
Literal Times(const Literal& a, const Literal& b);

Literal Converted(const Literal& array, PrimitiveType type);
// One number, as f64 or c128.
Literal Number(double value);
Literal Number(PrimitiveType type, double real, double imaginary);
// The array along these dimensions of the shape, repeated along the others; its own element type.
Literal Broadcast(const Literal& array, const Int64List& dimensions, const Shape& shape);
// The last `rank` of `of` dimensions.
Int64List LastDimensions(std::int64_t rank, std::int64_t of);
// The greatest element of each row, a row being the last dimension.
Literal RowMaxima(const Literal& array);
// The sum of each row, exact and rounded once to the element type.
Literal RowSums(const Literal& array);

}  // namespace assay
