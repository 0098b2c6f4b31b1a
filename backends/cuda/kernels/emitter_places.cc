// Movements whose operand, or whose place in the operand, depends on more than the index.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/emitter.h"
#include "backends/cuda/kernels/text.h"

namespace assay::cuda {

std::string ElementEmitter::Concatenated(const HloInstruction& concatenate, const IndexText& index) {
  const auto dimension = static_cast<std::size_t>(concatenate.Int64s("dimensions")[0]);
  const std::vector<std::string> at = body_.PlacesOf(index, concatenate.shape.dimensions());
  std::vector<const HloInstruction*> parts;
  for (const HloInstruction* operand : concatenate.operands) {
    if (ShapeUtil::ElementsIn(operand->shape) > 0) parts.push_back(operand);
  }
  const std::string name = body_.NewName();
  body_.Line(fmt::format("{} {};", TypeText(concatenate.shape.element_type()), name));
  std::int64_t start = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::int64_t end = start + parts[i]->shape.dimensions(static_cast<std::int64_t>(dimension));
    const std::string condition = i + 1 == parts.size() ? "" : fmt::format("if ({} < {}) ", at[dimension], end);
    body_.Open(fmt::format("{}{}{{", i == 0 ? "" : "else ", condition));
    IndexText from;
    from.at = at;
    from.at[dimension] = body_.Sum(at[dimension], -start);
    body_.Line(fmt::format("{} = {};", name, Element(*parts[i], from)));
    body_.Close();
    start = end;
  }
  return name;
}

std::string ElementEmitter::Padded(const HloInstruction& pad, const IndexText& index) {
  const HloInstruction& operand = pad.operand(0);
  const PaddingConfig& padding = *pad.Find<PaddingConfig>("padding");
  const IndexText of_value = IndexText::AtOffset("0");
  if (ShapeUtil::ElementsIn(operand.shape) == 0) return Element(pad.operand(1), of_value);
  const std::vector<std::string> at = body_.PlacesOf(index, pad.shape.dimensions());
  IndexText from;
  std::string inside;
  const auto add = [&](const std::string& condition) {
    inside += fmt::format("{}{}", inside.empty() ? "" : " && ", condition);
  };
  for (std::size_t d = 0; d < at.size(); ++d) {
    const auto& [low, high, interior] = padding[d];
    const std::int64_t size = operand.shape.dimensions(static_cast<std::int64_t>(d));
    const std::string place = body_.Sum(at[d], -low);
    if (low > 0) add(fmt::format("{} >= 0", place));
    if (interior > 0) add(fmt::format("{} % {} == 0", place, interior + 1));
    const std::string from_place = body_.Quotient(place, interior + 1);
    if (high > 0 || interior > 0) add(fmt::format("{} < {}", from_place, size));
    from.at.push_back(from_place);
  }
  if (inside.empty()) return Element(operand, from);
  const std::string name = body_.NewName();
  body_.Line(fmt::format("{} {};", TypeText(pad.shape.element_type()), name));
  body_.Open(fmt::format("if ({}) {{", inside));
  body_.Line(fmt::format("{} = {};", name, Element(operand, from)));
  body_.Close();
  body_.Open("else {");
  body_.Line(fmt::format("{} = {};", name, Element(pad.operand(1), of_value)));
  body_.Close();
  return name;
}

std::string ElementEmitter::Start(const HloInstruction& indices, const IndexText& index, std::int64_t last) {
  if (last == 0) return "0";
  const std::string start = Element(indices, index);
  return body_.Name(body_.index_type(),
                    fmt::format("({})clamped_start(start_of(value({})), {})", body_.index_type(), start, last));
}

std::string ElementEmitter::Sliced(const HloInstruction& slice, const IndexText& index) {
  const HloInstruction& operand = slice.operand(0);
  const std::vector<std::string> at = body_.PlacesOf(index, slice.shape.dimensions());
  const bool is_vector = slice.operands.size() == 2 && slice.operand(1).shape.rank() == 1;
  IndexText from;
  for (std::size_t d = 0; d < at.size(); ++d) {
    const auto dimension = static_cast<std::int64_t>(d);
    const HloInstruction& indices = slice.operand(is_vector ? 1 : dimension + 1);
    const IndexText place = IndexText::AtOffset(is_vector ? fmt::format("{}", d) : "0");
    const std::int64_t last = operand.shape.dimensions(dimension) - slice.shape.dimensions(dimension);
    from.at.push_back(body_.Sum(at[d], Start(indices, place, last)));
  }
  return Element(operand, from);
}

std::string ElementEmitter::Gathered(const HloInstruction& gather, const IndexText& index) {
  const HloInstruction& operand = gather.operand(0);
  const HloInstruction& indices = gather.operand(1);
  const std::int64_t vector_dimension = gather.Int64("index_vector_dim");
  const auto slice_sizes = gather.Int64s("slice_sizes");
  const auto offset_dims = gather.Int64s("offset_dims");
  const auto start_map = gather.Int64s("start_index_map");
  const auto operand_batching = gather.Int64s("operand_batching_dims");
  const auto indices_batching = gather.Int64s("start_indices_batching_dims");
  const auto collapsed = gather.Int64s("collapsed_slice_dims");
  const std::vector<std::string> at = body_.PlacesOf(index, gather.shape.dimensions());
  const auto contains = [](std::span<const std::int64_t> list, std::int64_t number) {
    return std::ranges::find(list, number) != list.end();
  };

  // The dimensions of the result are those of the windows, which offset_dims names, and those of the indices.
  std::vector<std::string> batch, window;
  for (std::size_t d = 0; d < at.size(); ++d) {
    (contains(offset_dims, static_cast<std::int64_t>(d)) ? window : batch).push_back(at[d]);
  }
  std::vector<std::string> in_indices = batch;
  const bool has_vectors = vector_dimension < indices.shape.rank();
  if (has_vectors) in_indices.insert(in_indices.begin() + vector_dimension, "0");

  IndexText from;
  std::size_t next_window = 0;
  for (std::int64_t d = 0; d < operand.shape.rank(); ++d) {
    const std::int64_t last = operand.shape.dimensions(d) - slice_sizes[static_cast<std::size_t>(d)];
    std::string place = "0";
    if (const auto mapped = std::ranges::find(start_map, d); mapped != start_map.end()) {
      IndexText of_start;
      of_start.at = in_indices;
      if (has_vectors) {
        of_start.at[static_cast<std::size_t>(vector_dimension)] = fmt::format("{}", mapped - start_map.begin());
      }
      place = Start(indices, of_start, last);
    } else if (const auto batching = std::ranges::find(operand_batching, d); batching != operand_batching.end()) {
      place = in_indices[static_cast<std::size_t>(
          indices_batching[static_cast<std::size_t>(batching - operand_batching.begin())])];
    }
    const bool has_window = !contains(collapsed, d) && !contains(operand_batching, d);
    from.at.push_back(has_window ? body_.Sum(place, window[next_window++]) : place);
  }
  return Element(operand, from);
}

}  // namespace assay::cuda
