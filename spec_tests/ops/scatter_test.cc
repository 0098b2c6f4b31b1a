// scatter (XLA, Operation Semantics: Scatter).
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/index_formula.h"
#include "spec_tests/ops/scalar_functions.h"
#include "spec_tests/property.h"

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

template <class T>
Literal Scatter(const Literal& operand, const Literal& indices, const Literal& updates, const ScatterNumbers& numbers,
                T (*combine)(T, T), const Op* single_op = nullptr) {
  Graph g;
  HloComputation& combiner = g.Binary(single_op == nullptr ? op_subtract : *single_op, operand.element_type());
  FakeEvaluation evaluation;
  evaluation.Define(combiner, combine, single_op);
  return Evaluate(AddScatter(g, {operand.shape(), indices.shape(), updates.shape()}, numbers, combiner),
                  {operand, indices, updates}, evaluation);
}

// A combiner whose root is its parameter 1.
Literal Overwrite(const Literal& operand, const Literal& indices, const Literal& updates,
                  const ScatterNumbers& numbers) {
  Graph g;
  HloComputation& combiner = g.Binary(op_add, operand.element_type());
  combiner.root = combiner.instructions[1].get();
  FakeEvaluation evaluation;
  evaluation.Define(combiner, [type = operand.element_type()](const auto& in, const auto& out, std::int64_t n) {
    std::memcpy(out[0], in[1], n * StorageBytes(type));
  });
  return Evaluate(AddScatter(g, {operand.shape(), indices.shape(), updates.shape()}, numbers, combiner),
                  {operand, indices, updates}, evaluation);
}

// The combiner is neither commutative nor associative.
std::int32_t TwiceMinus(std::int32_t current, std::int32_t update) { return 2 * current - update; }

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

// Evaluates another reading of a scatter of whole numbers, by its record.
std::vector<double> Reading(EvaluateFunction reading, const Literal& operand, const Literal& indices,
                            const Literal& updates, const ScatterNumbers& numbers,
                            std::int32_t (*combine)(std::int32_t, std::int32_t)) {
  Graph g;
  HloComputation& combiner = g.Binary(op_subtract, S32);
  FakeEvaluation evaluation;
  evaluation.Define(combiner, combine);
  HloInstruction& scatter = AddScatter(g, {operand.shape(), indices.shape(), updates.shape()}, numbers, combiner);
  scatter.shape = operand.shape();
  std::vector<Literal> operands = {operand, indices, updates};
  return Numbers(reading(scatter, operands, evaluation));
}

TEST_CASE("scatter: the opposite order reverses the updates of each element") {
  const EvaluateFunction backwards = AcceptanceOf(op_scatter).gap.in_opposite_order;
  // ((2 * 1 - 30) * 2 - 20) * 2 - 10
  CHECK(Reading(backwards, Array(S32, {2}, {7, 1}), Array(S32, {3}, {1, 1, 1}), Array(S32, {3}, {10, 20, 30}),
                kSingleElements, TwiceMinus) == std::vector<double>{7, -162});
  // Windows of two elements, [1, 10] at 0 and [100, 1000] at 1, in columns: element 1 adds 100 before 10.
  CHECK(Reading(backwards, Array(S32, {4}, {0, 0, 0, 0}), Array(S32, {2}, {0, 1}),
                Array(S32, {2, 2}, {1, 100, 10, 1000}), {{0}, {}, {0}, {}, {}, 1},
                TwiceMinus) == std::vector<double>{-1, -210, -1000, 0});
  // Each row of the indices is a batch, and its updates change only its row of the operand.
  CHECK(Reading(backwards, Array(S32, {2, 2}, {0, 0, 0, 0}), Array(S32, {2, 2}, {0, 0, 1, 1}),
                Array(S32, {2, 2}, {1, 2, 3, 4}), {{}, {1}, {1}, {0}, {0}, 2},
                TwiceMinus) == std::vector<double>{-5, 0, 0, -11});
}

TEST_CASE("scatter: a window may be applied in part") {
  const EvaluateFunction in_part = AcceptanceOf(op_scatter).gap.other_readings(HloInstruction())[0];
  const ScatterNumbers windows = {{1}, {}, {0}, {}, {}, 1};
  const Literal updates = Array(S32, {4, 3}, {1, 2, 3, 10, 20, 30, 100, 200, 300, 1000, 2000, 3000});
  CHECK(Reading(in_part, Array(S32, {6}, {0, 0, 0, 0, 0, 0}), Array(S32, {4}, {-1, 0, 4, 6}), updates, windows,
                AddIntegers) == std::vector<double>{12, 23, 30, 0, 100, 200});
  // An element whose index does not fit 64 bits is out of bounds.
  Literal last(ShapeUtil::MakeShape(U64, {4}));
  for (std::uint64_t& index : last.mutable_values<std::uint64_t>()) index = ~std::uint64_t{0};
  CHECK(Reading(in_part, Array(S32, {3}, {5, 6, 7}), last, updates, windows, AddIntegers) ==
        std::vector<double>{5, 6, 7});
  // Rows of the updates are windows of columns of the operand, one for each batch.
  CHECK(Reading(in_part, Array(S32, {2, 2}, {0, 0, 0, 0}), Array(S32, {2}, {1, -1}), Array(S32, {2, 2}, {1, 2, 3, 4}),
                {{1}, {}, {1}, {0}, {0}, 1}, AddIntegers) == std::vector<double>{0, 1, 4, 0});
}

TEST_CASE("scatter: the sum of floats is exact and rounded once") {
  const Literal operand = Array(F32, {2}, {0x1p30, 5});
  const Literal indices = Array(S32, {4}, {0, 0, 0, 1});
  // 2^30 + 1 + 1 - 2^30: rounding at each step would lose both ones.
  CHECK(Numbers(Scatter(operand, indices, Array(F32, {4}, {1, 1, -0x1p30, 0.5}), kSingleElements, AddFloats,
                        &op_add)) == std::vector<double>{2, 5.5});
  // A million times 2^-20 onto 2^24 - 1: 2^24 - 1 + 1000000/2^20 rounds to 2^24.
  const std::int64_t count = 1000000;
  const Literal many = Array(F32, {count}, std::vector<double>(count, 0x1p-20));
  const Literal result = Scatter(Array(F32, {2}, {16777215, 0}), Array(S32, {count}, std::vector<double>(count, 0)),
                                 many, kSingleElements, AddFloats, &op_add);
  CHECK(Numbers(result) == std::vector<double>{16777216, 0});
}

// The operand index of an update index by the formal definition, and whether its window is in bounds.
struct Target {
  Index index;
  bool is_inside = true;
  std::int64_t batch_number = 0;
};
Target TargetOf(const Index& update, const ScatterNumbers& n, const Dimensions& operand, const Dimensions& updates,
                const Literal& indices) {
  const auto has = [](const Int64List& list, std::int64_t d) { return std::ranges::find(list, d) != list.end(); };
  Index g;
  Dimensions g_sizes;
  for (std::size_t d = 0; d < update.size(); ++d) {
    if (has(n.update_window_dims, d)) continue;
    g.push_back(update[d]);
    g_sizes.push_back(updates[d]);
  }
  Index start(operand.size(), 0), window(operand.size(), 0), window_size(operand.size(), 1);
  for (std::size_t k = 0; k < n.scatter_dims_to_operand_dims.size(); ++k) {
    Index at = g;
    if (n.index_vector_dim < indices.shape().rank()) at.insert(at.begin() + n.index_vector_dim, k);
    start[n.scatter_dims_to_operand_dims[k]] = indices.IntegerAt(NumberOf(at, indices.shape().dimensions()));
  }
  for (std::size_t k = 0; k < n.input_batching_dims.size(); ++k) {
    const std::int64_t d = n.scatter_indices_batching_dims[k];
    start[n.input_batching_dims[k]] = g[d - (d > n.index_vector_dim ? 1 : 0)];
  }
  std::size_t next = 0;
  for (std::size_t d = 0; d < operand.size(); ++d) {
    if (has(n.inserted_window_dims, d) || has(n.input_batching_dims, d)) continue;
    window[d] = update[n.update_window_dims[next]];
    window_size[d] = updates[n.update_window_dims[next++]];
  }
  Target target{.index = Index(operand.size())};
  for (std::size_t d = 0; d < operand.size(); ++d) {
    target.index[d] = start[d] + window[d];
    target.is_inside &= start[d] >= 0 && start[d] + window_size[d] <= operand[d];
  }
  target.batch_number = NumberOf(g, g_sizes);
  return target;
}

TEST_CASE("scatter: every update by its formula, in the order of the indices") {
  Holds([] {
    ScatterNumbers n;
    Dimensions operand = AnyDimensions(InRange(1, 4), 1, 4);
    const Dimensions batch = AnyDimensions(InRange(0, 3), 1, 4);
    n.index_vector_dim = InRange(0, batch.size() + 1);
    Int64List unused_batch = AnyPermutation(batch.size());
    Int64List mappable;
    Dimensions window_sizes;
    for (std::int64_t d = 0; d < static_cast<std::int64_t>(operand.size()); ++d) {
      const int role = InRange(0, 3);
      if (role == 0 && !unused_batch.empty()) {
        const std::int64_t b = unused_batch.back();
        unused_batch.pop_back();
        n.input_batching_dims.push_back(d);
        n.scatter_indices_batching_dims.push_back(b + (b >= n.index_vector_dim ? 1 : 0));
        operand[d] = batch[b];
      } else {
        mappable.push_back(d);
        if (role == 1) {
          n.inserted_window_dims.push_back(d);
        } else {
          window_sizes.push_back(InRange(0, operand[d] + 1));
        }
      }
    }
    for (std::int64_t i : AnyPermutation(mappable.size())) {
      if (Flip()) n.scatter_dims_to_operand_dims.push_back(mappable[i]);
    }
    n.update_window_dims = AnyPermutation(window_sizes.size() + batch.size());
    n.update_window_dims.resize(window_sizes.size());
    std::ranges::sort(n.update_window_dims);
    Dimensions update_sizes = batch;
    for (std::size_t k = 0; k < window_sizes.size(); ++k) {
      update_sizes.insert(update_sizes.begin() + n.update_window_dims[k], window_sizes[k]);
    }
    Dimensions indices_sizes = batch;
    indices_sizes.insert(indices_sizes.begin() + n.index_vector_dim, n.scatter_dims_to_operand_dims.size());
    Literal indices(ShapeUtil::MakeShape(S8, indices_sizes));
    for (std::int8_t& index : indices.mutable_values<std::int8_t>()) index = InRange(-1, 5);

    const auto array = [](const Dimensions& sizes) {
      Literal literal(ShapeUtil::MakeShape(S32, sizes));
      for (std::int32_t& x : literal.mutable_values<std::int32_t>()) x = InRange(-9, 10);
      return literal;
    };
    const Literal before = array(operand), updates = array(update_sizes);
    Literal combined = before, overwritten = before;
    std::vector<std::pair<std::int64_t, std::int64_t>> order;  // batch number, update number
    for (std::int64_t u = 0; u < updates.element_count(); ++u) {
      order.emplace_back(TargetOf(IndexOf(u, update_sizes), n, operand, update_sizes, indices).batch_number, u);
    }
    std::ranges::sort(order);
    for (const auto& [batch_number, u] : order) {
      const Target target = TargetOf(IndexOf(u, update_sizes), n, operand, update_sizes, indices);
      if (!target.is_inside) continue;
      const std::int64_t at = NumberOf(target.index, operand);
      std::int32_t& x = combined.mutable_values<std::int32_t>()[at];
      x = TwiceMinus(x, updates.values<std::int32_t>()[u]);
      overwritten.mutable_values<std::int32_t>()[at] = updates.values<std::int32_t>()[u];
    }
    ENSURE(Scatter(before, indices, updates, n, TwiceMinus).BitwiseEqual(combined));
    ENSURE(Overwrite(before, indices, updates, n).BitwiseEqual(overwritten));
  });
}

TEST_CASE("scatter: a million updates, of distinct and of shared elements") {
  const std::int64_t count = 1000000;
  std::vector<double> numbers(count), ones(count, 1);
  for (std::int64_t i = 0; i < count; ++i) numbers[i] = static_cast<double>(i * 7 % count);
  const Literal indices = Array(S32, {count}, numbers), updates = Array(S32, {count}, numbers);
  const Literal zeros(ShapeUtil::MakeShape(S32, {count}));
  // Element i receives i.
  const Literal distinct = Scatter(zeros, indices, updates, kSingleElements, AddIntegers);
  bool is_identity = true;
  for (std::int64_t i = 0; i < count; ++i) is_identity &= distinct.IntegerAt(i) == i;
  CHECK(is_identity);
  for (double& number : numbers) number = static_cast<std::int64_t>(number) % 1000;
  const Literal histogram = Scatter(Literal(ShapeUtil::MakeShape(S32, {1000})), Array(S32, {count}, numbers),
                                    Array(S32, {count}, ones), kSingleElements, AddIntegers);
  CHECK(Numbers(histogram) == std::vector<double>(1000, 1000));
}

}  // namespace
}  // namespace assay::testing
