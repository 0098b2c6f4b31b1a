// The equivalent of a library call in HLO, computed by the bodies of HLO's ops.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/hlo/op.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// An instruction outside of any module, whose operands are parameters of these shapes.
class StandIn {
 public:
  // `written` is the result shape in the text of such an instruction: empty, a shape, or for ops that infer all but the
  // element type a scalar of it.
  StandIn(const Op& op, const std::vector<Shape>& operands, std::vector<Attribute> attributes, Shape written = {});

  const HloInstruction& instruction() const { return *instruction_; }
  // Checks the instruction by the rules of its op and sets its shape. An error is one of `call`, and names its target.
  Status Infer(const HloInstruction& call);
  // An op that calls a computation needs an evaluation.
  Literal Evaluate(std::vector<Literal> operands, Evaluation* evaluation = nullptr) const;
  // Evaluates with results of another element type.
  Literal EvaluateAs(PrimitiveType type, std::vector<Literal> operands) const;

 private:
  std::vector<std::unique_ptr<HloInstruction>> parameters_;
  std::unique_ptr<HloInstruction> instruction_;
};

// Returns the error of a call whose operands, result or configuration do not fit its target. The error names the
// target.
template <class... T>
Error BadCall(const HloInstruction& call, fmt::format_string<T...> format, T&&... values) {
  return Illegal(call, "{}: {}", call.String("custom_call_target"), fmt::format(format, std::forward<T>(values)...));
}
// Fails unless the call has so many operands.
Status CheckCount(const HloInstruction& call, std::size_t expected);
// Returns the error of a call that cannot be evaluated, with the reason.
template <class... T>
Error NotEvaluated(const HloInstruction& call, fmt::format_string<T...> format, T&&... values) {
  Error error = BadCall(call, format, std::forward<T>(values)...);
  error.code = ErrorCode::kUnsupported;
  return error;
}

// Returns the value of one instruction. Attributes and shapes must be legal.
Literal Apply(const Op& op, std::vector<Literal> operands, std::vector<Attribute> attributes = {}, Shape written = {});
// Evaluates an element-wise op; scalar operands are broadcast.
Literal Elementwise(const Op& op, std::vector<Literal> operands, std::vector<Attribute> attributes = {});
Literal Plus(const Literal& a, const Literal& b);
Literal Minus(const Literal& a, const Literal& b);
Literal Times(const Literal& a, const Literal& b);

Literal Converted(const Literal& array, PrimitiveType type);
// Returns the elements of an array of f64.
std::vector<double> DoublesOf(const Literal& array);
// Returns one number, as f64 or c128.
Literal Number(double value);
Literal Number(PrimitiveType type, double real, double imaginary);
// Broadcasts the array to the shape: `dimensions` are the result's dimensions of the array. Keeps the array's element
// type.
Literal Broadcast(const Literal& array, const Int64List& dimensions, const Shape& shape);
// Returns the last `rank` of `of` dimensions.
Int64List LastDimensions(std::int64_t rank, std::int64_t of);
// Returns the greatest element of each row; a row is the last dimension.
Literal RowMaxima(const Literal& array);
// Returns the sum of each row, exact and rounded once to the element type.
Literal RowSums(const Literal& array);

}  // namespace assay
