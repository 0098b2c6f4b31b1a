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
