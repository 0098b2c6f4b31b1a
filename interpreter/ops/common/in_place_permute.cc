#include "interpreter/ops/common/in_place_permute.h"

#include <algorithm>
#include <span>

#include "interpreter/ops/common/legality.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

std::span<const Shape> PartsOf(const Shape& value) {
  return value.IsTuple() ? std::span(value.tuple_shapes()) : std::span(&value, 1);
}

std::span<const Literal> PartsOf(const Literal& value) {
  return value.shape().IsTuple() ? std::span(value.elements()) : std::span(&value, 1);
}

// Start indices are a tuple of scalars, or a tuple of such tuples for several slices.
bool AreOfSeveral(const Shape& starts) {
  return starts.IsTuple() && !starts.tuple_shapes().empty() && starts.tuple_shapes(0).IsTuple();
}

// Checks the start indices of the slices of a buffer.
Status CheckStarts(const HloInstruction& permute, const Shape& buffer, const Shape& starts, std::int64_t slices) {
  const std::span<const Shape> each = AreOfSeveral(starts) ? PartsOf(starts) : std::span(&starts, 1);
  const auto is_index = [](const Shape& index) { return index.IsScalar() && IsIntegralType(index.element_type()); };
  const auto fits = [&](const Shape& start) {
    return start.IsTuple() && std::ssize(start.tuple_shapes()) == buffer.rank() &&
           std::ranges::all_of(start.tuple_shapes(), is_index);
  };
  if (buffer.IsArray() && std::ssize(each) == slices && std::ranges::all_of(each, fits)) return {};
  return Illegal(permute, "the offsets into {} must be {} of one integer scalar a dimension, found {}",
                 buffer.ToStringWithoutLayout(), slices == 1 ? "a tuple" : fmt::format("{} tuples", slices),
                 starts.ToStringWithoutLayout());
}

// Returns the sizes of a slice: slice_sizes lists those of the slices of each buffer in turn, or those of one buffer,
// or of one slice, for all.
const Int64List& SizesOf(const HloInstruction& permute, std::size_t buffer, std::int64_t slice) {
  const auto& sizes = *permute.Find<std::vector<Int64List>>("slice_sizes");
  return sizes[(buffer * SentSlices(permute) + slice) % sizes.size()];
}

Status CheckSizes(const HloInstruction& permute, std::size_t buffer, std::int64_t slice) {
  const Int64List& sizes = SizesOf(permute, buffer, slice);
  for (const std::int64_t side : {0, 1}) {
    const Shape& array = PartsOf(permute.operand(side).shape)[buffer];
    bool fits = std::ssize(sizes) == array.rank();
    for (std::size_t d = 0; fits && d < sizes.size(); ++d) fits = sizes[d] >= 0 && sizes[d] <= array.dimensions(d);
    if (!fits) {
      return Illegal(permute, "slice_sizes {{{}}} do not fit operand {}, {}: a size in each dimension, at most its own",
                     JoinText(sizes, ","), side, array.ToStringWithoutLayout());
    }
  }
  return {};
}

Status CheckBuffer(const HloInstruction& permute, std::size_t buffer) {
  const auto part = [&](std::int64_t operand) -> const Shape& {
    const Shape& shape = permute.operand(operand).shape;
    return permute.operand(0).shape.IsTuple() ? shape.tuple_shapes(static_cast<std::int64_t>(buffer)) : shape;
  };
  const std::int64_t slices = SentSlices(permute);
  ASSAY_CHECK_OK(CheckStarts(permute, part(0), part(2), slices));
  ASSAY_CHECK_OK(CheckStarts(permute, part(1), part(3), slices));
  for (std::int64_t slice = 0; slice < slices; ++slice) ASSAY_CHECK_OK(CheckSizes(permute, buffer, slice));
  if (part(0).element_type() == part(1).element_type()) return {};
  return Illegal(permute, "input and output must have the same element type, found {} and {}",
                 part(0).ToStringWithoutLayout(), part(1).ToStringWithoutLayout());
}

// Returns the first index of a slice, clamped so that the slice is inside of the array.
plain::Index StartOf(const Literal& starts, std::int64_t slice, const Shape& array, const Int64List& sizes) {
  const Literal& start = AreOfSeveral(starts.shape()) ? starts.elements()[static_cast<std::size_t>(slice)] : starts;
  plain::Index index;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const std::int64_t last = array.dimensions(static_cast<std::int64_t>(d)) - sizes[d];
    index.push_back(std::clamp<std::int64_t>(plain::IntegerOf(plain::At(start.elements()[d], {})), 0, last));
  }
  return index;
}

}  // namespace

std::int64_t SentSlices(const HloInstruction& permute) {
  if (!permute.Has("slice_sizes") || permute.operands.size() != 4) return 1;
  const Shape& all = permute.operand(2).shape;
  const bool has_buffers = permute.operand(0).shape.IsTuple() && all.IsTuple() && !all.tuple_shapes().empty();
  const Shape& starts = has_buffers ? all.tuple_shapes(0) : all;
  return AreOfSeveral(starts) ? std::ssize(starts.tuple_shapes()) : 1;
}

Result<Shape> InferInPlacePermute(const HloInstruction& permute) {
  if (permute.operands.size() != 4) {
    return Illegal(permute, "with slice_sizes takes input, output and their offsets, found {} operands",
                   permute.operands.size());
  }
  const std::size_t buffers = PartsOf(permute.operand(0).shape).size();
  for (std::int64_t i = 1; permute.operand(0).shape.IsTuple() && i < 4; ++i) {
    const Shape& shape = permute.operand(i).shape;
    if (shape.IsTuple() && shape.tuple_shapes().size() == buffers) continue;
    return Illegal(permute,
                   "operand {} must be a tuple with an element for each of the {} buffers of operand 0, found {}", i,
                   buffers, shape.ToStringWithoutLayout());
  }
  const std::size_t count = permute.Find<std::vector<Int64List>>("slice_sizes")->size();
  const std::size_t slices = buffers * static_cast<std::size_t>(SentSlices(permute));
  if (count == 0 || slices % count != 0) {
    return Illegal(permute, "slice_sizes must have an entry for each of {} slices, found {}", slices, count);
  }
  for (std::size_t i = 0; i < buffers; ++i) ASSAY_CHECK_OK(CheckBuffer(permute, i));
  return permute.operand(1).shape;
}

void CopySlices(const HloInstruction& permute, std::int64_t slice, const std::vector<Literal>& source,
                const std::vector<Literal>& target, Literal& result, const CollectiveSteps& steps) {
  const std::span<const Literal> inputs = PartsOf(source[0]);
  const bool has_buffers = result.shape().IsTuple();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Literal& output = has_buffers ? result.mutable_elements()[i] : result;
    const Literal& from = has_buffers ? source[2].elements()[i] : source[2];
    const Literal& to = has_buffers ? target[3].elements()[i] : target[3];
    const Int64List& sizes = SizesOf(permute, i, slice);
    steps.copy(inputs[i], StartOf(from, slice, inputs[i].shape(), sizes), output,
               StartOf(to, slice, output.shape(), sizes), sizes);
  }
}

}  // namespace assay
