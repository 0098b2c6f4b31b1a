// Approximate selections of the first elements in the order of a comparator, a TPU's: ApproxTopK as JAX writes it, and
// PartialReduce, which XLA makes of it (xla/hlo/builder/lib/approx_topk.cc). A TPU divides a dimension into parts and
// keeps the first element of each, so the result may lack elements. Here it is the exact one.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/call_config.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/ffi_attributes.h"
#include "interpreter/custom_calls/library_results.h"
#include "interpreter/custom_calls/post_ops.h"
#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/kernels/common/order_keys.h"
#include "interpreter/ops/common/plain_comparator.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/bounded_array.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

struct Choice {
  std::int64_t dimension = 0;
  bool is_sorted = false;  // by the comparator
};

Result<Choice> ChoiceOf(const HloInstruction& call) {
  Choice choice;
  if (call.String("custom_call_target") == "PartialReduce") {
    ASSAY_TRY(const CallConfig config, CallConfig::Of(call, ""));
    ASSAY_CHECK_OK(config.Require("reduction_dim"));
    ASSAY_TRY(choice.dimension, config.Integer("reduction_dim"));
    return choice;
  }
  ASSAY_TRY(choice.dimension, FfiInteger(call, "reduction_dim"));
  ASSAY_TRY(choice.is_sorted, FfiBool(call, "aggregate_to_topk"));
  return choice;
}

std::size_t ArrayCount(const HloInstruction& call) { return call.operands.size() / 2; }
const Shape& ResultShape(const HloInstruction& call, std::size_t i) {
  return call.shape.IsTuple() ? call.shape.tuple_shapes(i) : call.shape;
}

StandIn SortOf(const HloInstruction& call, std::int64_t dimension) {
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < ArrayCount(call); ++i) shapes.push_back(call.operand(i).shape);
  return StandIn(op_sort, shapes,
                 {{"dimensions", Int64List{dimension}}, {"to_apply", call.Computations("called_computations")[0]}},
                 shapes.size() == 1 ? shapes[0] : ShapeUtil::MakeTupleShape(shapes));
}

// The operands are arrays and as many initial values; each result has some elements of its array's dimension.
Status CheckChoice(const HloInstruction& call) {
  ASSAY_TRY(const Choice choice, ChoiceOf(call));
  const std::size_t count = ArrayCount(call), results = call.shape.IsTuple() ? call.shape.tuple_shapes().size() : 1;
  if (count == 0 || call.operands.size() != 2 * results || call.Computations("called_computations").size() != 1) {
    return BadCall(call, "it must have an array and an initial value for each result, and a comparator");
  }
  const Shape& first = call.operand(0).shape;
  const bool is_dimension = first.IsArray() && choice.dimension >= 0 && choice.dimension < first.rank();
  if (!is_dimension) return BadCall(call, "reduction_dim must be a dimension of {}", first.ToStringWithoutLayout());
  if (Result<Shape> sorted = op_sort.legality.infer(SortOf(call, choice.dimension).instruction()); !sorted) {
    return BadCall(call, "as {}", sorted.error().message);
  }
  const Shape& chosen = ResultShape(call, 0);
  const std::int64_t size = chosen.IsArray() && chosen.rank() == first.rank() ? chosen.dimensions(choice.dimension) : 0;
  std::vector<Shape> expected;
  for (std::size_t i = 0; i < count; ++i) {
    const Shape& array = expected.emplace_back(call.operand(i).shape);
    const Shape initial = ShapeUtil::MakeScalarShape(array.element_type());
    if (!ShapeUtil::Compatible(call.operand(count + i).shape, initial)) {
      return BadCall(call, "operand {} must be {}", count + i, initial.ToStringWithoutLayout());
    }
    expected.back().set_dimensions(choice.dimension, std::min(size, array.dimensions(choice.dimension)));
  }
  return CheckResults(call, expected);
}

Literal EvaluateChoice(const HloInstruction& call, std::span<Literal> operands, Evaluation& evaluation) {
  const std::size_t count = ArrayCount(call);
  const auto arrays = operands.first(count);
  const Literal sorted = SortOf(call, ChoiceOf(call)->dimension).Evaluate({arrays.begin(), arrays.end()}, &evaluation);
  std::vector<Literal> results;
  for (std::size_t i = 0; i < count; ++i) {
    results.push_back(LeadingElements(ResultAt(sorted, i), ResultShape(call, i)));
  }
  return WithScratch(call.shape, std::move(results));
}

// --- acceptance ---

// Returns the bytes of the elements of a line along a dimension; those of several arrays together.
std::vector<std::string> LineOf(const std::vector<const Literal*>& arrays, std::int64_t dimension, std::int64_t line) {
  const Dimensions& dimensions = arrays[0]->shape().dimensions();
  const std::int64_t stride = RowMajorStrides(dimensions)[dimension], size = dimensions[dimension];
  const std::int64_t first = line / stride * stride * size + line % stride;
  std::vector<std::string> elements(size);
  for (const Literal* array : arrays) {
    const std::int64_t bytes = StorageBytes(array->element_type());
    for (std::int64_t i = 0; i < size; ++i) {
      elements[i].append(reinterpret_cast<const char*>(array->data()) + (first + i * stride) * bytes, bytes);
    }
  }
  return elements;
}

// Checks the order of the results by the operand that the comparator compares, unless it compares otherwise.
void JudgeOrder(const HloInstruction& call, const Choice& choice, const Literal& want, const Literal& got,
                Properties& properties) {
  const auto plain = PlainComparatorOf(*call.Computations("called_computations")[0]);
  if (!plain) return;
  const auto keys_of = [&](const Literal& result) {
    const Literal& compared = ResultAt(result, plain->parameter / 2);
    return plain->total_order ? KeysOfTotalOrder(compared) : KeysOfValues(compared);
  };
  auto wanted = keys_of(want), found = keys_of(got);
  if (!wanted || !found || wanted->empty()) return;
  if (plain->descending) {
    for (auto* keys : {&*wanted, &*found}) std::ranges::transform(*keys, keys->begin(), std::bit_not());
  }
  const Dimensions& dimensions = ResultAt(got, 0).shape().dimensions();
  const std::int64_t stride = RowMajorStrides(dimensions)[choice.dimension], size = dimensions[choice.dimension];
  for (std::int64_t line = 0; line < std::ssize(*found) / size; ++line) {
    const std::int64_t first = line / stride * stride * size + line % stride;
    std::vector<std::uint64_t> keys;
    for (std::int64_t i = 0; i < size; ++i) keys.push_back((*found)[first + i * stride]);
    properties.Holds("the first element in the order is chosen", std::ranges::min(keys) == (*wanted)[first]);
    if (choice.is_sorted) properties.Holds("the elements are in order", std::ranges::is_sorted(keys));
  }
}

// The recall is an expectation, not a bound: a result may lack any element but the first in the order, which is also
// the first of its part.
PropertyReport JudgeChoice(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                           const Literal& got) {
  const Choice choice = *ChoiceOf(call);
  const std::size_t count = ArrayCount(call);
  std::vector<const Literal*> arrays, chosen;
  std::string initial;
  for (std::size_t i = 0; i < count; ++i) {
    arrays.push_back(&operands[i]);
    chosen.push_back(&ResultAt(got, i));
    const Literal& value = operands[count + i];
    initial.append(reinterpret_cast<const char*>(value.data()), StorageBytes(value.element_type()));
  }
  Properties properties;
  const std::int64_t size = chosen[0]->shape().dimensions(choice.dimension);
  const std::int64_t lines = size == 0 ? 0 : chosen[0]->element_count() / size;
  for (std::int64_t line = 0; line < lines; ++line) {
    std::vector<std::string> all = LineOf(arrays, choice.dimension, line),
                             some = LineOf(chosen, choice.dimension, line);
    all.insert(all.end(), size, initial);
    std::ranges::sort(all);
    std::ranges::sort(some);
    properties.Holds("each element is one of the operand's, or the initial value", std::ranges::includes(all, some));
  }
  JudgeOrder(call, choice, want, got, properties);
  return std::move(properties).Take();
}

const CustomCallTarget kApproxTopkTargets[] = {{
    .names = {"ApproxTopK", "PartialReduce"},
    .meaning = "The first elements in the order of a comparator, of which a result may lack some; here all of them.",
    .check = CheckChoice,
    .evaluate = EvaluateChoice,
    .properties = JudgeChoice,
}};

}  // namespace

const TargetFamily targets_approx_topk = kApproxTopkTargets;

}  // namespace assay
