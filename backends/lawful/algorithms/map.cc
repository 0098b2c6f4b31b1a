#include "backends/lawful/algorithms/map.h"

#include <cstring>
#include <utility>
#include <vector>

#include "interpreter/hlo/op.h"

namespace assay {
namespace {

Literal EvaluateMap(const HloInstruction& map, std::span<Literal> operands, Evaluation& evaluation) {
  const HloComputation& to_apply = map.Computation("to_apply");
  Literal result(map.shape);
  for (std::int64_t i = 0; i < result.element_count(); ++i) {
    std::vector<Literal> arguments;
    for (const Literal& operand : operands) {
      Literal& argument = arguments.emplace_back(ShapeUtil::MakeScalarShape(operand.element_type()));
      const std::int64_t at = operand.shape().IsScalar() ? 0 : i;
      std::memcpy(argument.mutable_data(), operand.data() + at * argument.byte_size(), argument.byte_size());
    }
    const Literal element = evaluation.Call(to_apply, std::move(arguments));
    std::memcpy(result.mutable_data() + i * element.byte_size(), element.data(), element.byte_size());
  }
  return result;
}

const Op map_by_calls = {.name = "map", .meaning = "A map by calls.", .evaluation = {.evaluate = EvaluateMap}};

}  // namespace

OpOverrides MapByCalls() { return {{FindOp(map_by_calls.name), &map_by_calls}}; }

}  // namespace assay
