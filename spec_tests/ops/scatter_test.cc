// scatter (XLA, Operation Semantics: Scatter).
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

struct ScatterNumbers {
  Int64List update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims, input_batching_dims,
      scatter_indices_batching_dims;
  std::int64_t index_vector_dim = 0;
};

HloInstruction& AddScatter(Graph& g, const std::vector<Shape>& operands, const ScatterNumbers& numbers,
                           HloComputation& combiner) {
  std::vector<HloInstruction*> parameters;
  for (const Shape& shape : operands) parameters.push_back(&g.Parameter(shape));
  return g.Add(op_scatter, parameters,
               {{"update_window_dims", numbers.update_window_dims},
                {"inserted_window_dims", numbers.inserted_window_dims},
                {"scatter_dims_to_operand_dims", numbers.scatter_dims_to_operand_dims},
                {"input_batching_dims", numbers.input_batching_dims},
                {"scatter_indices_batching_dims", numbers.scatter_indices_batching_dims},
                {"index_vector_dim", numbers.index_vector_dim},
                {"to_apply", &combiner}});
}

const ScatterNumbers kSingleElements = {{}, {0}, {0}, {}, {}, 1};

// The combiner is neither commutative nor associative.
std::int32_t TwiceMinus(std::int32_t current, std::int32_t update) { return 2 * current - update; }
std::int32_t AddIntegers(std::int32_t current, std::int32_t update) { return current + update; }

TEST_CASE("scatter: elements that are not updated keep their digits, whatever the type of the computation") {
  Graph g;
  HloComputation& combiner = g.Binary(op_add, BF16);
  FakeEvaluation evaluation;
  evaluation.Define(
      combiner, [](const auto&, const auto&, std::int64_t) { FAIL("sums of floats are exact"); }, &op_add);
  const Literal operand = Array(F32, {3}, {1 + 0x1p-20, 2 + 0x1p-20, 3 + 0x1p-20});
  const Literal indices = Array(S32, {1}, {1}), updates = Array(F32, {1}, {1 + 0x1p-20});
  HloInstruction& scatter =
      AddScatter(g, {operand.shape(), indices.shape(), updates.shape()}, kSingleElements, combiner);
  CHECK(Numbers(Evaluate(scatter, {operand, indices, updates}, evaluation)) ==
        std::vector<double>{1 + 0x1p-20, 3, 3 + 0x1p-20});
}

using ReadingOf = EvaluateFunction (*)(const HloInstruction&);
EvaluateFunction InOppositeOrder(const HloInstruction&) { return AcceptanceOf(op_scatter).gap.in_opposite_order; }
EvaluateFunction InPart(const HloInstruction& scatter) {
  const auto readings = AcceptanceOf(op_scatter).gap.other_readings(scatter);
  return readings.empty() ? nullptr : readings[0];
}

// Evaluates another reading of a scatter of whole numbers, by its record. Empty if it has none.
std::vector<double> Reading(ReadingOf reading, const Literal& operand, const Literal& indices, const Literal& updates,
                            const ScatterNumbers& numbers, std::int32_t (*combine)(std::int32_t, std::int32_t)) {
  Graph g;
  HloComputation& combiner = g.Binary(op_subtract, S32);
  FakeEvaluation evaluation;
  evaluation.Define(combiner, combine);
  HloInstruction& scatter = AddScatter(g, {operand.shape(), indices.shape(), updates.shape()}, numbers, combiner);
  scatter.shape = operand.shape();
  std::vector<Literal> operands = {operand, indices, updates};
  const EvaluateFunction evaluate = reading(scatter);
  return evaluate == nullptr ? std::vector<double>() : Numbers(evaluate(scatter, operands, evaluation));
}

TEST_CASE("scatter: the opposite order reverses the updates of each element") {
  // ((2 * 1 - 30) * 2 - 20) * 2 - 10
  CHECK(Reading(InOppositeOrder, Array(S32, {2}, {7, 1}), Array(S32, {3}, {1, 1, 1}), Array(S32, {3}, {10, 20, 30}),
                kSingleElements, TwiceMinus) == std::vector<double>{7, -162});
  // Windows of two elements, [1, 10] at 0 and [100, 1000] at 1, in columns: element 1 adds 100 before 10.
  CHECK(Reading(InOppositeOrder, Array(S32, {4}, {0, 0, 0, 0}), Array(S32, {2}, {0, 1}),
                Array(S32, {2, 2}, {1, 100, 10, 1000}), {{0}, {}, {0}, {}, {}, 1},
                TwiceMinus) == std::vector<double>{-1, -210, -1000, 0});
  // Each row of the indices is a batch, and its updates change only its row of the operand.
  CHECK(Reading(InOppositeOrder, Array(S32, {2, 2}, {0, 0, 0, 0}), Array(S32, {2, 2}, {0, 0, 1, 1}),
                Array(S32, {2, 2}, {1, 2, 3, 4}), {{}, {1}, {1}, {0}, {0}, 2},
                TwiceMinus) == std::vector<double>{-5, 0, 0, -11});
}

TEST_CASE("scatter: a window may be applied in part") {
  const ScatterNumbers windows = {{1}, {}, {0}, {}, {}, 1};
  const Literal updates = Array(S32, {4, 3}, {1, 2, 3, 10, 20, 30, 100, 200, 300, 1000, 2000, 3000});
  CHECK(Reading(InPart, Array(S32, {6}, {0, 0, 0, 0, 0, 0}), Array(S32, {4}, {-1, 0, 4, 6}), updates, windows,
                AddIntegers) == std::vector<double>{12, 23, 30, 0, 100, 200});
  // An element whose index does not fit 64 bits is out of bounds.
  Literal last(ShapeUtil::MakeShape(U64, {4}));
  for (std::uint64_t& index : last.mutable_values<std::uint64_t>()) index = ~std::uint64_t{0};
  CHECK(Reading(InPart, Array(S32, {3}, {5, 6, 7}), last, updates, windows, AddIntegers) ==
        std::vector<double>{5, 6, 7});
  // Rows of the updates are windows of columns of the operand, one for each batch.
  CHECK(Reading(InPart, Array(S32, {2, 2}, {0, 0, 0, 0}), Array(S32, {2}, {1, -1}), Array(S32, {2, 2}, {1, 2, 3, 4}),
                {{1}, {}, {1}, {0}, {0}, 1}, AddIntegers) == std::vector<double>{0, 1, 4, 0});
  // A single element, or whole rows at row indices, are inside or outside.
  CHECK(Reading(InPart, Array(S32, {2}, {7, 1}), Array(S32, {1}, {2}), Array(S32, {1}, {10}), kSingleElements,
                AddIntegers)
            .empty());
  CHECK(Reading(InPart, Array(S32, {2, 2}, {0, 0, 0, 0}), Array(S32, {1}, {2}), Array(S32, {1, 2}, {1, 2}),
                {{1}, {0}, {0}, {}, {}, 1}, AddIntegers)
            .empty());
}

}  // namespace
}  // namespace assay::testing
