#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/common/promised_indices.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/common/index_vectors.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/types/float_format.h"
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
HloInstruction WithScalarUpdates(const HloInstruction& scatter, std::int64_t rank, std::int64_t index_vector_dim) {
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
  return kernel_scatter.evaluate(WithScalarUpdates(scatter, rank, std::ssize(bounds)), operands, evaluation);
}

// An element of the updates, and an element of the operand that it may change.
struct Change {
  std::int64_t update, place;
  bool is_inside;  // the whole window
  bool is_sure;    // the update has one vector of start indices
};

// Calls `visit` for each element of the updates and each of its places, if its start indices may be any from `first` to
// `last`. Elements outside have no place. Returns false after too many places.
bool ForEachChange(const HloInstruction& scatter, const Literal& first, const Literal& last, const Shape& updates,
                   const std::function<void(const Change&)>& visit) {
  constexpr std::int64_t kMost = 1 << 22;
  const Indexing indexing = IndexingOfScatter(scatter);
  const std::span<const std::int64_t> bounds = scatter.operand(0).shape.dimensions();
  const std::int64_t rank = std::ssize(bounds);
  const Index in_window = WindowDimensions(indexing, rank), strides = RowMajorStrides(bounds);
  const auto window_dims = scatter.Int64s("update_window_dims");
  const Index batch_dims = OtherDimensions(window_dims, updates.rank());
  Change change = {-1, 0, true, true};
  std::int64_t ways = 0;
  ForEachIndex({updates.dimensions().begin(), updates.dimensions().end()}, [&](const Index& index) {
    ++change.update;
    const Index batch = Entries(index, batch_dims);
    Index start = StartAt(batch, first, indexing, rank);
    const Index ends = &first == &last ? start : StartAt(batch, last, indexing, rank);
    change.is_sure = start == ends;
    Index offsets(rank), lasts(rank), counts(rank);
    for (std::int64_t d = 0, k = 0; d < rank; ++d) {
      const bool is_window = k < std::ssize(in_window) && in_window[k] == d;
      lasts[d] = is_window ? updates.dimensions(window_dims[k]) - 1 : 0;
      offsets[d] = is_window ? index[window_dims[k++]] : 0;
      start[d] = std::max(start[d], -offsets[d]);
      counts[d] = std::max<std::int64_t>(0, std::min(ends[d], bounds[d] - 1 - offsets[d]) - start[d] + 1);
    }
    if (!change.is_sure) ways += std::accumulate(counts.begin(), counts.end(), std::int64_t{1}, std::multiplies<>());
    if (ways > kMost) return;
    ForEachIndex(counts, [&](const Index& way) {
      change.place = 0;
      change.is_inside = true;
      for (std::int64_t d = 0; d < rank; ++d) {
        const std::int64_t at = start[d] + way[d];
        change.is_inside = change.is_inside && at >= 0 && at <= bounds[d] - 1 - lasts[d];
        change.place += (at + offsets[d]) * strides[d];
      }
      visit(change);
    });
  });
  return ways <= kMost;
}

// True for an element of which each part is that of one of its updates, or of the operand if no update is certain.
bool HasPartsOf(const std::vector<std::int64_t>& updates, bool is_kept, std::span<const Literal> operands,
                const Literal& got, std::int64_t element) {
  const std::int64_t components = ComponentCount(got.element_type());
  for (std::int64_t i = element * components; i < (element + 1) * components; ++i) {
    const auto is_part_of = [&](const Literal& from, std::int64_t source) {
      return MayBeOneNumber(from, source * components + i % components, got, i);
    };
    const bool is_update = std::ranges::any_of(updates, [&](std::int64_t u) { return is_part_of(operands[2], u); });
    if (!is_update && !(is_kept && is_part_of(operands[0], element))) return false;
  }
  return true;
}

// Any update of an element may come last. A window that is partly outside may be applied as far as it is inside.
ElementSet AnyUpdate(const HloInstruction& scatter, std::span<const ValueSet> operands, const Literal& value) {
  if (!operands[1].IsDecided()) return Anything(value, &scatter).open;
  const ElementReader operand(operands[0]), updates(operands[2]);
  const std::int64_t components = ComponentCount(value.element_type()), bytes = StorageBytes(value.element_type());
  std::vector<std::vector<std::int64_t>> places(value.element_count());  // the updates of each element
  std::vector<bool> is_kept(value.element_count(), true);
  const Literal& indices = operands[1].value;
  ForEachChange(scatter, indices, indices, operands[2].value.shape(), [&](const Change& change) {
    places[change.place].push_back(change.update);
    if (change.is_inside) is_kept[change.place] = false;
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
  if (operands[0].IsDecided() && operands[2].IsDecided()) {
    writer.Allow([places = std::move(places), is_kept = std::move(is_kept),
                  values = std::vector{operands[0].value, operands[1].value, operands[2].value}](
                     const Literal& got, std::int64_t i) { return HasPartsOf(places[i], is_kept[i], values, got, i); });
  }
  return writer.Take();
}

// Each update is a term wherever its start indices may be. It is one for certain if they are decided, and its window is
// inside. The partial sums of real numbers may be rounded in any order.
ElementSet SumOfUpdates(const HloInstruction& scatter, std::span<const ValueSet> operands, const Literal& value) {
  struct Sum {
    Reals range;
    double magnitude = 0, terms = 1;
  };
  const ElementReader operand(operands[0]), indices(operands[1]), updates(operands[2]);
  const PrimitiveType type = value.element_type(), index_type = operands[1].value.element_type();
  std::vector<Sum> sums(value.element_count());
  for (std::int64_t i = 0; i < value.element_count(); ++i) sums[i].range = operand.At(i);
  const Literal first = IntegersOf(index_type, indices.Lows()), last = IntegersOf(index_type, indices.Highs());
  const bool is_known = ForEachChange(scatter, first, last, operands[2].value.shape(), [&](const Change& change) {
    const Reals term = updates.At(change.update);
    const bool is_certain = change.is_sure && change.is_inside;
    Sum& sum = sums[change.place];
    sum.range.low += is_certain ? term.low : std::min(term.low, 0.0);
    sum.range.high += is_certain ? term.high : std::max(term.high, 0.0);
    sum.range.may_be_nan |= term.may_be_nan;
    sum.magnitude += std::max(std::fabs(term.low), std::fabs(term.high));
    ++sum.terms;
  });
  const Reals any = AnyOf(type);
  const auto may_wrap = [&](const Sum& sum) {
    return sum.range.low < std::max(any.low, -0x1p53) || sum.range.high > std::min(any.high, 0x1p53);
  };
  if (!is_known || (!IsInexactType(type) && std::ranges::any_of(sums, may_wrap))) return Anything(value, &scatter).open;
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    Reals range = sums[i].range;
    if (range.low == range.high && !range.may_be_nan) continue;
    if (IsInexactType(type)) {
      const double start = std::max(std::fabs(operand.At(i).low), std::fabs(operand.At(i).high));
      const double slack = std::ldexp(sums[i].terms * (sums[i].magnitude + start), -FloatFormatOf(type).mantissa_bits);
      range = {range.low - slack, range.high + slack, range.may_be_nan};
      if (!std::isfinite(range.high - range.low)) range = any;
    }
    writer.Set(i, range);
  }
  return writer.Take();
}

ElementSet ImageOfScatter(const HloInstruction& scatter, std::span<const ValueSet> operands, const Literal& value,
                          SetEvaluation& evaluation) {
  if (Overwrites(scatter)) return AnyUpdate(scatter, operands, value);
  if (!value.shape().IsArray()) return FoldImage(scatter, operands, value, evaluation);
  const PrimitiveType type = value.element_type();
  const bool has_open_places = IsFloatingPointType(type) && !operands[1].IsDecided();
  const Op* op = has_open_places || IsIntegralType(type) ? evaluation.FoldedOp(scatter) : nullptr;
  const bool is_sum =
      op != nullptr && AcceptanceOf(*op).Has(Trait::kAddsTerms) && AcceptanceOf(*op).Has(Trait::kIsIncreasing);
  return is_sum ? SumOfUpdates(scatter, operands, value) : FoldImage(scatter, operands, value, evaluation);
}

// The updates whose windows are inside, and the number that they are added to.
std::optional<SumTerms> TermsOfScatter(const HloInstruction& scatter, std::span<const Literal> operands,
                                       std::size_t leaf) {
  const std::size_t n = operands.size() / 2;
  const Shape& updates = operands[n + 1 + leaf].shape();
  std::vector<std::vector<std::int64_t>> lists(operands[leaf].element_count());
  ForEachChange(scatter, operands[n], operands[n], updates, [&](const Change& change) {
    if (change.is_inside) lists[change.place].push_back(change.update);
  });
  return SumTerms::OfLists(scatter.operand(leaf).shape, n + 1 + leaf, leaf, std::move(lists));
}

// True if no element has two updates.
bool AreUnique(const HloInstruction& scatter, std::span<const Literal> operands) {
  const std::size_t n = operands.size() / 2;
  std::vector<bool> is_updated(operands[0].element_count());
  bool are_unique = true;
  ForEachChange(scatter, operands[n], operands[n], operands[n + 1].shape(), [&](const Change& change) {
    are_unique = are_unique && !is_updated[change.place];
    is_updated[change.place] = true;
  });
  return are_unique;
}

// Selects every element if the program promises indices that it does not have. Implements
// SpecificationGap::implementation_defined.
ElementTest UpdatesAtOtherIndices(const HloInstruction& scatter, std::span<const Literal> operands, std::size_t) {
  const auto are_sorted = [&] {
    return AreSorted(operands[operands.size() / 2], IndexingOfScatter(scatter), operands[0].shape().rank());
  };
  return AllUnless((!scatter.Bool("unique_indices") || AreUnique(scatter, operands)) &&
                   (!scatter.Bool("indices_are_sorted") || are_sorted()));
}

// Only a window that reaches over several elements of a dimension with start indices may be outside in part.
std::span<const EvaluateFunction> ReadingsOfScatter(const HloInstruction& scatter) {
  static constexpr EvaluateFunction kReadings[] = {ScatterWindowsInPart};
  const Shape& updates = scatter.operands.back()->shape;
  const Index in_window = WindowDimensions(IndexingOfScatter(scatter), scatter.operand(0).shape.rank());
  const auto window_dims = scatter.Int64s("update_window_dims"),
             started = scatter.Int64s("scatter_dims_to_operand_dims");
  for (std::size_t k = 0; k < in_window.size(); ++k) {
    if (std::ranges::count(started, in_window[k]) != 0 && updates.dimensions(window_dims[k]) > 1) return kReadings;
  }
  return {};
}

}  // namespace

const OpAcceptance acceptance_scatter = {.op = &op_scatter,
                                         .rule = Acceptance::kCalled,
                                         .terms = TermsOfScatter,
                                         .gap = {.in_opposite_order = ScatterInOppositeOrder,
                                                 .other_readings = ReadingsOfScatter,
                                                 .otherwise = "window in part",
                                                 .implementation_defined = UpdatesAtOtherIndices},
                                         .image = ImageOfScatter,
                                         .traits = Trait::kFolds | Trait::kStartsFromArray};

}  // namespace assay
