// gather (XLA, Operation Semantics: Gather).
#include <algorithm>

#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/index_formula.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

struct GatherNumbers {
  Int64List offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims, start_indices_batching_dims;
  std::int64_t index_vector_dim = 0;
  Int64List slice_sizes;
};

HloInstruction& AddGather(Graph& g, const Shape& operand, const Shape& indices, const GatherNumbers& numbers) {
  return g.Add(op_gather, {&g.Parameter(operand), &g.Parameter(indices)},
               {{"offset_dims", numbers.offset_dims},
                {"collapsed_slice_dims", numbers.collapsed_slice_dims},
                {"start_index_map", numbers.start_index_map},
                {"operand_batching_dims", numbers.operand_batching_dims},
                {"start_indices_batching_dims", numbers.start_indices_batching_dims},
                {"index_vector_dim", numbers.index_vector_dim},
                {"slice_sizes", numbers.slice_sizes}});
}

Literal Gather(const Literal& operand, const Literal& indices, const GatherNumbers& numbers) {
  Graph g;
  return Evaluate(AddGather(g, operand.shape(), indices.shape(), numbers), {operand, indices});
}

// Returns an array of 0, 1, 2, ...
Literal Counting(PrimitiveType type, const Dimensions& dimensions) {
  Literal array(ShapeUtil::MakeShape(type, dimensions));
  std::vector<double> numbers(array.element_count());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  return Array(type, dimensions, numbers);
}

TEST_CASE("gather: slices of size [8,6] from [16,11], as in XLA's documentation") {
  const Literal operand = Counting(S32, {16, 11});
  const Literal indices = Array(S64, {5, 2}, {0, 0, 8, 5, 3, 2, 1, 4, 7, 0});
  const Literal result = Gather(operand, indices, {{1, 2}, {}, {0, 1}, {}, {}, 1, {8, 6}});
  CHECK(result.BitwiseEqual(ByFormula(ShapeUtil::MakeShape(S32, {5, 8, 6}), [&](const Index& out) {
    const std::int64_t x = indices.IntegerAt(out[0] * 2), y = indices.IntegerAt(out[0] * 2 + 1);
    return ElementAt(operand, {x + out[1], y + out[2]});
  })));
}

TEST_CASE("gather: an array of gather indices [4,5,2], as in XLA's documentation") {
  const Literal operand = Counting(S32, {16, 11});
  std::vector<double> numbers;
  for (int i = 0; i < 20; ++i) numbers.insert(numbers.end(), {static_cast<double>(i % 9), static_cast<double>(i % 6)});
  const Literal indices = Array(S64, {4, 5, 2}, numbers);
  const Literal result = Gather(operand, indices, {{2, 3}, {}, {0, 1}, {}, {}, 2, {8, 6}});
  CHECK(result.BitwiseEqual(ByFormula(ShapeUtil::MakeShape(S32, {4, 5, 8, 6}), [&](const Index& out) {
    const std::int64_t g = out[0] * 5 + out[1];
    return ElementAt(operand, {g % 9 + out[2], g % 6 + out[3]});
  })));
}

TEST_CASE("gather: tf.gather_nd, whole rows of [16,11], as in XLA's documentation") {
  const Literal operand = Counting(S32, {16, 11});
  const Literal indices = Array(S64, {2, 2, 1}, {15, 0, 7, 7});
  const Literal result = Gather(operand, indices, {{2}, {0}, {0}, {}, {}, 2, {1, 11}});
  CHECK(result.BitwiseEqual(ByFormula(ShapeUtil::MakeShape(S32, {2, 2, 11}), [&](const Index& out) {
    return ElementAt(operand, {indices.IntegerAt(out[0] * 2 + out[1]), out[2]});
  })));
}

TEST_CASE("gather: index_vector_dim equal to the rank stands for a trailing dimension of size 1") {
  const Literal operand = Counting(S32, {6});
  const GatherNumbers implicit = {{}, {0}, {0}, {}, {}, 1, {1}};
  const GatherNumbers written = {{}, {0}, {0}, {}, {}, 1, {1}};
  const Literal expected = Array(S32, {3}, {4, 0, 2});
  CHECK(Gather(operand, Array(S32, {3}, {4, 0, 2}), implicit).BitwiseEqual(expected));
  CHECK(Gather(operand, Array(S32, {3, 1}, {4, 0, 2}), written).BitwiseEqual(expected));
  CHECK(Gather(operand, Array(S32, {1, 3}, {4, 0, 2}), {{}, {0}, {0}, {}, {}, 0, {1}}).BitwiseEqual(expected));
  CHECK(Gather(operand, Array(S32, {}, {5}), {{}, {0}, {0}, {}, {}, 0, {1}}).BitwiseEqual(Array(S32, {}, {5})));
}

// XLA:CPU, StableHLO's interpreter and IREE agree.
TEST_CASE("gather: starts are clamped so that the slice lies inside") {
  const Literal operand = Counting(S32, {6});
  CHECK(Numbers(Gather(operand, Array(S32, {6}, {-1, 0, 5, 6, 100, -100}), {{}, {0}, {0}, {}, {}, 1, {1}})) ==
        std::vector<double>{0, 0, 5, 5, 5, 0});
  CHECK(Numbers(Gather(operand, Array(S32, {4}, {-1, 0, 4, 6}), {{1}, {}, {0}, {}, {}, 1, {3}})) ==
        std::vector<double>{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5});
  CHECK(Numbers(Gather(operand, Array(U8, {2}, {200, 1}), {{}, {0}, {0}, {}, {}, 1, {1}})) ==
        std::vector<double>{5, 1});
  const Literal huge = LiteralUtil::Create<std::uint64_t>(U64, {1}, std::vector<std::uint64_t>{~std::uint64_t{0}});
  CHECK(Numbers(Gather(operand, huge, {{}, {0}, {0}, {}, {}, 1, {1}})) == std::vector<double>{5});
}

TEST_CASE("gather: empty slices, empty indices, and nothing of an empty dimension") {
  const Literal operand = Counting(S32, {2, 3});
  CHECK(Gather(operand, Array(S32, {0, 1}, {}), {{1}, {0}, {0}, {}, {}, 1, {1, 3}}).shape().dimensions() ==
        Dimensions{0, 3});
  CHECK(Gather(operand, Array(S32, {4, 1}, {0, 1, 0, 1}), {{1}, {0}, {0}, {}, {}, 1, {1, 0}}).element_count() == 0);
  CHECK(Gather(Counting(S32, {0, 3}), Array(S32, {0}, {}), {{1}, {0}, {0}, {}, {}, 1, {0, 3}}).shape().dimensions() ==
        Dimensions{0, 3});
  CHECK(Numbers(Gather(operand, Array(S32, {2, 0}, {}), {{1, 2}, {}, {}, {}, {}, 1, {1, 3}})) ==
        std::vector<double>{0, 1, 2, 0, 1, 2});
}

TEST_CASE("gather: is a product with one-hot rows") {
  const Literal operand = Counting(F64, {5, 4});
  const std::vector<double> rows = {3, 0, 3, 4};
  const auto result = Numbers(Gather(operand, Array(S32, {4}, rows), {{1}, {0}, {0}, {}, {}, 1, {1, 4}}));
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      double sum = 0;
      for (int k = 0; k < 5; ++k) sum += (k == rows[i] ? 1 : 0) * Numbers(operand)[k * 4 + j];
      CHECK(result[i * 4 + j] == sum);
    }
  }
}

// Returns the operand index of an output index by the formal definition, with batching dimensions.
Index SourceOf(const Index& out, const GatherNumbers& n, const Dimensions& operand, const Literal& indices) {
  const auto has = [](const Int64List& list, std::int64_t d) { return std::ranges::find(list, d) != list.end(); };
  Index g;  // the batch indices
  for (std::size_t d = 0; d < out.size(); ++d) {
    if (!has(n.offset_dims, d)) g.push_back(out[d]);
  }
  Index start(operand.size(), 0);
  for (std::size_t k = 0; k < n.start_index_map.size(); ++k) {
    Index at = g;
    if (n.index_vector_dim < indices.shape().rank()) at.insert(at.begin() + n.index_vector_dim, k);
    start[n.start_index_map[k]] = indices.IntegerAt(NumberOf(at, indices.shape().dimensions()));
  }
  for (std::size_t d = 0; d < operand.size(); ++d) {
    start[d] = std::max<std::int64_t>(0, std::min(start[d], operand[d] - n.slice_sizes[d]));
  }
  for (std::size_t k = 0; k < n.operand_batching_dims.size(); ++k) {
    const std::int64_t d = n.start_indices_batching_dims[k];
    start[n.operand_batching_dims[k]] = g[d - (d > n.index_vector_dim ? 1 : 0)];
  }
  std::size_t next = 0;
  for (std::size_t d = 0; d < operand.size(); ++d) {
    if (!has(n.collapsed_slice_dims, d) && !has(n.operand_batching_dims, d)) start[d] += out[n.offset_dims[next++]];
  }
  return start;
}

TEST_CASE("gather: every element by its formula") {
  Holds([] {
    GatherNumbers n;
    Dimensions operand = AnyDimensions(InRange(1, 5), 1, 4);
    Dimensions batch = AnyDimensions(InRange(0, 4), 1, 3);
    const std::int64_t rank = operand.size();
    n.index_vector_dim = InRange(0, batch.size() + 1);
    // Each operand dimension is batching, collapsed or an offset.
    Int64List unused_batch = AnyPermutation(batch.size());
    Int64List mappable;
    std::int64_t offsets = 0;
    for (std::int64_t d = 0; d < rank; ++d) {
      const int role = InRange(0, 3);
      if (role == 0 && !unused_batch.empty()) {
        const std::int64_t b = unused_batch.back();
        unused_batch.pop_back();
        n.operand_batching_dims.push_back(d);
        n.start_indices_batching_dims.push_back(b + (b >= n.index_vector_dim ? 1 : 0));
        operand[d] = batch[b];
        n.slice_sizes.push_back(1);
      } else if (role == 1) {
        n.collapsed_slice_dims.push_back(d);
        n.slice_sizes.push_back(1);
        mappable.push_back(d);
      } else {
        n.slice_sizes.push_back(InRange(0, operand[d] + 1));
        mappable.push_back(d);
        ++offsets;
      }
    }
    for (std::int64_t i : AnyPermutation(mappable.size())) {
      if (Flip()) n.start_index_map.push_back(mappable[i]);
    }
    // Draws the result dimensions that are offsets.
    const std::int64_t result_rank = offsets + batch.size();
    n.offset_dims = AnyPermutation(result_rank);
    n.offset_dims.resize(offsets);
    std::ranges::sort(n.offset_dims);

    Dimensions indices_sizes = batch;
    indices_sizes.insert(indices_sizes.begin() + n.index_vector_dim, n.start_index_map.size());
    if (n.start_index_map.size() == 1 && n.index_vector_dim == static_cast<std::int64_t>(batch.size()) && Flip()) {
      indices_sizes.pop_back();
    }
    Literal indices(ShapeUtil::MakeShape(S16, indices_sizes));
    for (std::int16_t& index : indices.mutable_values<std::int16_t>()) index = InRange(-2, 6);

    const Literal array = AnyArray(AnyStorage(), operand);
    Graph g;
    HloInstruction& gather = AddGather(g, array.shape(), indices.shape(), n);
    const Literal result = Evaluate(gather, {array, indices});
    const Literal expected = ByFormula(
        result.shape(), [&](const Index& out) { return ElementAt(array, SourceOf(out, n, operand, indices)); });
    ENSURE(result.BitwiseEqual(expected));
    // The sizes of the result, by the specification's rule.
    std::size_t next_batch = 0, next_offset = 0;
    Dimensions offset_sizes;
    for (std::int64_t d = 0; d < rank; ++d) {
      if (std::ranges::find(mappable, d) != mappable.end() &&
          std::ranges::find(n.collapsed_slice_dims, d) == n.collapsed_slice_dims.end()) {
        offset_sizes.push_back(n.slice_sizes[d]);
      }
    }
    for (std::int64_t d = 0; d < result_rank; ++d) {
      const bool is_offset = std::ranges::find(n.offset_dims, d) != n.offset_dims.end();
      ENSURE(result.shape().dimensions(d) == (is_offset ? offset_sizes[next_offset++] : batch[next_batch++]));
    }
  });
}

TEST_CASE("gather: a million single elements") {
  const Literal operand = HashedArray(F32, {1000, 1000});
  const Literal indices = HashedArray(U8, {1000000, 2});
  const Literal result = Gather(operand, indices, {{}, {0, 1}, {0, 1}, {}, {}, 1, {1, 1}});
  for (std::int64_t i : {0, 1, 999, 123456, 999999}) {
    const std::int64_t row = indices.IntegerAt(2 * i), column = indices.IntegerAt(2 * i + 1);
    CHECK(ElementAt(result, {i}) == ElementAt(operand, {row, column}));
  }
}

}  // namespace
}  // namespace assay::testing
