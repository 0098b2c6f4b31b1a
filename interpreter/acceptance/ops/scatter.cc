#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/common/index_vectors.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

using namespace plain;

// Applies the windows in the opposite order. Windows of different batches have no element in common, so only the other
// dimensions have an order.
Literal ScatterInOppositeOrder(const HloInstruction& scatter, std::span<Literal> operands, Evaluation& evaluation) {
  const std::size_t n = operands.size() / 2;
  const Indexing indexing = IndexingOfScatter(scatter);
  const Index batch_dims = OtherDimensions(scatter.Int64s("update_window_dims"), operands[n + 1].shape().rank());
  Index of_indices, of_updates;
  for (std::int64_t b = 0; b < std::ssize(batch_dims); ++b) {
    const std::int64_t d = b < indexing.index_vector_dim ? b : b + 1;
    if (std::ranges::count(indexing.indices_batching_dims.numbers, d) > 0) continue;
    of_indices.push_back(d);
    of_updates.push_back(batch_dims[b]);
  }
  operands[n] = Reversed(operands[n], of_indices);
  for (Literal& update : operands.last(n)) update = Reversed(update, of_updates);
  return kernel_scatter.evaluate(scatter, operands, evaluation);
}

// Returns the scatter whose windows are single elements, with start indices for all dimensions of the operand.
HloInstruction ByElement(const HloInstruction& scatter, std::int64_t rank, std::int64_t index_vector_dim) {
  HloInstruction by_element = scatter;
  Int64List all(rank);
  std::iota(all.begin(), all.end(), 0);
  by_element.Set("update_window_dims", Int64List());
  by_element.Set("inserted_window_dims", all);
  by_element.Set("scatter_dims_to_operand_dims", all);
  by_element.Set("input_batching_dims", Int64List());
  by_element.Set("scatter_indices_batching_dims", Int64List());
  by_element.Set("index_vector_dim", index_vector_dim);
  return by_element;
}

// Applies a window that is partly outside as far as it is inside, because the specification speaks of single elements
// (XLA, Operation Semantics: Scatter). Each element of the updates becomes a window of its own, with a vector of start
// indices for all dimensions.
Literal ScatterWindowsInPart(const HloInstruction& scatter, std::span<Literal> operands, Evaluation& evaluation) {
  const std::size_t n = operands.size() / 2;
  const Indexing indexing = IndexingOfScatter(scatter);
  const std::int64_t rank = operands[0].shape().rank(), update_rank = operands[n + 1].shape().rank();
  const Index in_window = WindowDimensions(indexing, rank);
  const auto window_dims = scatter.Int64s("update_window_dims");
  Index order = OtherDimensions(window_dims, update_rank);  // batch dimensions of the updates, then those of windows
  const std::size_t batch_rank = order.size();
  order.insert(order.end(), window_dims.begin(), window_dims.end());
  const Index bounds = Entries(operands[n + 1].shape().dimensions(), order);
  Index indices_bounds = bounds;
  indices_bounds.push_back(rank);

  Literal indices(ShapeUtil::MakeShape(S64, indices_bounds));
  std::vector<Literal> updates;
  for (const Literal& update : operands.last(n)) {
    updates.emplace_back(ShapeUtil::MakeShape(update.element_type(), bounds));
  }
  ForEachIndex(bounds, [&](const Index& index) {
    const auto offset = index.begin() + static_cast<std::ptrdiff_t>(batch_rank);
    Index start = StartAt({index.begin(), offset}, operands[n], indexing, rank);
    for (std::size_t k = 0; k < in_window.size(); ++k) {
      // An index that would wrap is outside.
      if (__builtin_add_overflow(start[in_window[k]], offset[k], &start[in_window[k]])) start[in_window[k]] = -1;
    }
    Index place = index;
    place.push_back(0);
    for (std::int64_t d = 0; d < rank; ++d) {
      place.back() = d;
      Set(indices, place, Integer(start[d]));
    }
    Index from(index.size());
    plain::Place(index, order, from);
    for (std::size_t i = 0; i < n; ++i) Set(updates[i], index, At(operands[n + 1 + i], from));
  });

  operands[n] = std::move(indices);
  std::ranges::move(updates, operands.begin() + static_cast<std::ptrdiff_t>(n) + 1);
  return kernel_scatter.evaluate(ByElement(scatter, rank, std::ssize(bounds)), operands, evaluation);
}

// Calls `visit` for each element of the updates with its place in the operand, and whether its whole window is inside.
// Elements outside have no place.
void ForEachUpdate(const HloInstruction& scatter, const Literal& indices, const Shape& updates,
                   const std::function<void(std::int64_t update, std::int64_t place, bool is_inside)>& visit) {
  const Indexing indexing = IndexingOfScatter(scatter);
  const std::span<const std::int64_t> bounds = scatter.operand(0).shape.dimensions();
  const std::int64_t rank = std::ssize(bounds);
  const Index in_window = WindowDimensions(indexing, rank), strides = RowMajorStrides(bounds);
  const auto window_dims = scatter.Int64s("update_window_dims");
  const Index batch_dims = OtherDimensions(window_dims, updates.rank());
  std::int64_t update = 0;
  ForEachIndex({updates.dimensions().begin(), updates.dimensions().end()}, [&](const Index& index) {
    const Index start = StartAt(Entries(index, batch_dims), indices, indexing, rank);
    bool is_inside = true, has_place = true;
    std::int64_t place = 0;
    for (std::int64_t d = 0, k = 0; d < rank; ++d) {
      const bool is_window = k < std::ssize(in_window) && in_window[k] == d;
      const std::int64_t last = is_window ? updates.dimensions(window_dims[k]) - 1 : 0;
      const std::int64_t offset = is_window ? index[window_dims[k++]] : 0;
      is_inside = is_inside && start[d] >= 0 && start[d] <= bounds[d] - 1 - last;
      // A difference, because a sum may wrap.
      has_place = has_place && start[d] >= -offset && start[d] <= bounds[d] - 1 - offset;
      if (has_place) place += (start[d] + offset) * strides[d];
    }
    if (has_place) visit(update, place, is_inside);
    ++update;
  });
}

// Any update of an element may come last. A window that is partly outside may be applied as far as it is inside.
ElementSet AnyUpdate(const HloInstruction& scatter, std::span<const ValueSet> operands, const Literal& value) {
  if (!operands[1].IsDecided()) return Anything(value, &scatter).open;
  const ElementReader operand(operands[0]), updates(operands[2]);
  const std::int64_t components = ComponentCount(value.element_type()), bytes = StorageBytes(value.element_type());
  std::vector<std::vector<std::int64_t>> places(value.element_count());  // the updates of each element
  std::vector<bool> is_kept(value.element_count(), true);
  ForEachUpdate(scatter, operands[1].value, operands[2].value.shape(),
                [&](std::int64_t update, std::int64_t place, bool is_inside) {
                  places[place].push_back(update);
                  if (is_inside) is_kept[place] = false;
                });
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    bool is_open = is_kept[i] && operand.IsOpen(i);
    for (const std::int64_t u : places[i]) {
      const bool is_same = std::memcmp(operands[2].value.data() + u * bytes, value.data() + i * bytes, bytes) == 0;
      is_open = is_open || updates.IsOpen(u) || !is_same;
    }
    for (std::int64_t c = 0; is_open && c < components; ++c) {
      Reals any = is_kept[i] ? operand.At(i * components + c) : updates.At(places[i][0] * components + c);
      for (const std::int64_t u : places[i]) any = Hull(any, updates.At(u * components + c));
      writer.Set(i * components + c, any);
    }
  }
  return writer.Take();
}

ElementSet ImageOfScatter(const HloInstruction& scatter, std::span<const ValueSet> operands, const Literal& value,
                          SetEvaluation& evaluation) {
  return Overwrites(scatter) ? AnyUpdate(scatter, operands, value) : FoldImage(scatter, operands, value, evaluation);
}

// The updates whose windows are inside, and the number that they are added to.
std::optional<SumTerms> TermsOfScatter(const HloInstruction& scatter, std::span<const Literal> operands,
                                       std::size_t leaf) {
  const std::size_t n = operands.size() / 2;
  const Shape& updates = operands[n + 1 + leaf].shape();
  std::vector<std::vector<std::int64_t>> lists(operands[leaf].element_count());
  ForEachUpdate(scatter, operands[n], updates, [&](std::int64_t update, std::int64_t place, bool is_inside) {
    if (is_inside) lists[place].push_back(update);
  });
  return SumTerms::OfLists(scatter.operand(leaf).shape, n + 1 + leaf, leaf, std::move(lists));
}

std::span<const EvaluateFunction> ReadingsOfScatter(const HloInstruction&) {
  static constexpr EvaluateFunction kReadings[] = {ScatterWindowsInPart};
  return kReadings;
}

}  // namespace

const OpAcceptance acceptance_scatter = {.op = &op_scatter,
                                         .rule = Acceptance::kCalled,
                                         .terms = TermsOfScatter,
                                         .gap = {.in_opposite_order = ScatterInOppositeOrder,
                                                 .other_readings = ReadingsOfScatter,
                                                 .otherwise = "window in part"},
                                         .image = ImageOfScatter,
                                         .traits = Trait::kFolds};

}  // namespace assay
