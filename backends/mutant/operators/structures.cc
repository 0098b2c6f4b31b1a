#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "backends/mutant/operators/operators.h"
#include "backends/mutant/operators/rewrite.h"

namespace assay {
namespace {

std::vector<WindowDimension>& DimensionsOf(Window& window) { return window.dimensions; }
PaddingConfig& DimensionsOf(PaddingConfig& padding) { return padding; }
SliceConfig& DimensionsOf(SliceConfig& slice) { return slice; }

template <auto kChange, class Config>
void EachOf(Config& config) {
  for (auto& dimension : DimensionsOf(config)) kChange(dimension);
}
using W = WindowDimension;
using P = PaddingConfigDimension;
using S = SliceDimension;

const std::vector<Variant<Window>> kWindows = {
    {"one_more_size", ": the window is one longer", EachOf<[](W& d) { ++d.size; }>},
    {"one_less_size", ": the window is one shorter",
     EachOf<[](W& d) { d.size = std::max<std::int64_t>(d.size - 1, 1); }>},
    {"stride_ignored", ": every stride is 1", EachOf<[](W& d) { d.stride = 1; }>},
    {"one_more_stride", ": every stride is one more", EachOf<[](W& d) { ++d.stride; }>},
    {"low_high_exchanged", ": low and high padding are exchanged",
     EachOf<[](W& d) { std::swap(d.padding_low, d.padding_high); }>},
    {"low_ignored", ": the low padding is 0", EachOf<[](W& d) { d.padding_low = 0; }>},
    {"high_ignored", ": the high padding is 0", EachOf<[](W& d) { d.padding_high = 0; }>},
    {"one_more_low", ": the low padding is one more", EachOf<[](W& d) { ++d.padding_low; }>},
    {"one_less_low", ": the low padding is one less", EachOf<[](W& d) { --d.padding_low; }>},
    {"one_more_high", ": the high padding is one more", EachOf<[](W& d) { ++d.padding_high; }>},
    {"one_less_high", ": the high padding is one less", EachOf<[](W& d) { --d.padding_high; }>},
    {"window_dilation_ignored", ": the window is not dilated", EachOf<[](W& d) { d.window_dilation = 1; }>},
    {"base_dilation_ignored", ": the base is not dilated", EachOf<[](W& d) { d.base_dilation = 1; }>},
    {"one_more_window_dilation", ": the window is dilated by one more", EachOf<[](W& d) { ++d.window_dilation; }>},
    {"one_more_base_dilation", ": the base is dilated by one more", EachOf<[](W& d) { ++d.base_dilation; }>},
    {"dilations_exchanged", ": the dilations of window and base are exchanged",
     EachOf<[](W& d) { std::swap(d.window_dilation, d.base_dilation); }>},
    {"reversal_ignored", ": nothing is reversed", EachOf<[](W& d) { d.window_reversal = false; }>},
    {"reversal_flipped", ": what is reversed is not, and the other way round",
     EachOf<[](W& d) { d.window_reversal = !d.window_reversal; }>},
    {"dimensions_reversed", ": the dimensions come in reverse order",
     [](Window& window) { std::ranges::reverse(window.dimensions); }},
    {"first_dimension_for_all", ": all dimensions are as the first",
     [](Window& window) {
       if (!window.dimensions.empty()) std::ranges::fill(window.dimensions, window.dimensions.front());
     }},
    {"last_dimension_for_all", ": all dimensions are as the last",
     [](Window& window) {
       if (!window.dimensions.empty()) std::ranges::fill(window.dimensions, WindowDimension(window.dimensions.back()));
     }},
};

const std::vector<Variant<PaddingConfig>> kPaddings = {
    {"low_high_exchanged", ": low and high are exchanged",
     EachOf<[](P& d) { std::swap(d.edge_padding_low, d.edge_padding_high); }>},
    {"low_ignored", ": low is 0", EachOf<[](P& d) { d.edge_padding_low = 0; }>},
    {"high_ignored", ": high is 0", EachOf<[](P& d) { d.edge_padding_high = 0; }>},
    {"interior_ignored", ": nothing goes between", EachOf<[](P& d) { d.interior_padding = 0; }>},
    {"one_more_low", ": low is one more", EachOf<[](P& d) { ++d.edge_padding_low; }>},
    {"one_less_low", ": low is one less", EachOf<[](P& d) { --d.edge_padding_low; }>},
    {"one_more_high", ": high is one more", EachOf<[](P& d) { ++d.edge_padding_high; }>},
    {"one_less_high", ": high is one less", EachOf<[](P& d) { --d.edge_padding_high; }>},
    {"one_more_interior", ": one more goes between", EachOf<[](P& d) { ++d.interior_padding; }>},
    {"negative_low_ignored", ": a negative low is 0",
     EachOf<[](P& d) { d.edge_padding_low = std::max<std::int64_t>(d.edge_padding_low, 0); }>},
    {"negative_high_ignored", ": a negative high is 0",
     EachOf<[](P& d) { d.edge_padding_high = std::max<std::int64_t>(d.edge_padding_high, 0); }>},
    {"dimensions_reversed", ": the dimensions come in reverse order",
     [](PaddingConfig& padding) { std::ranges::reverse(padding); }},
};

const std::vector<Variant<SliceConfig>> kSlices = {
    {"start_ignored", ": every start is 0", EachOf<[](S& d) { d.start = 0; }>},
    {"one_more_start", ": every start is one more", EachOf<[](S& d) { d.start = std::min(d.start + 1, d.limit); }>},
    {"one_less_start", ": every start is one less",
     EachOf<[](S& d) { d.start = std::max<std::int64_t>(d.start - 1, 0); }>},
    {"one_less_limit", ": every limit is one less", EachOf<[](S& d) { d.limit = std::max(d.limit - 1, d.start); }>},
    {"limit_taken_as_size", ": the limit is the size",
     EachOf<[](S& d) { d.limit = std::min(d.limit, d.limit - d.start); }>},
    {"stride_ignored", ": every stride is 1", EachOf<[](S& d) { d.stride = 1; }>},
    {"one_more_stride", ": every stride is one more", EachOf<[](S& d) { ++d.stride; }>},
    {"dimensions_reversed", ": the dimensions come in reverse order",
     [](SliceConfig& slice) { std::ranges::reverse(slice); }},
};

using Labels = ConvolutionDimensionNumbers;
const std::vector<Variant<Labels>> kLabels = {
    {"input_space_reversed", ": the dimensions of the input's space come in reverse order",
     [](Labels& l) { std::ranges::reverse(l.input_spatial_dimensions); }},
    {"kernel_space_reversed", ": the dimensions of the kernel's space come in reverse order",
     [](Labels& l) { std::ranges::reverse(l.kernel_spatial_dimensions); }},
    {"output_space_reversed", ": the dimensions of the output's space come in reverse order",
     [](Labels& l) { std::ranges::reverse(l.output_spatial_dimensions); }},
    {"kernel_features_exchanged", ": the kernel's features are exchanged",
     [](Labels& l) { std::swap(l.kernel_input_feature_dimension, l.kernel_output_feature_dimension); }},
    {"input_batch_and_feature_exchanged", ": the input's batch and features are exchanged",
     [](Labels& l) { std::swap(l.input_batch_dimension, l.input_feature_dimension); }},
    {"output_batch_and_feature_exchanged", ": the output's batch and features are exchanged",
     [](Labels& l) { std::swap(l.output_batch_dimension, l.output_feature_dimension); }},
    {"input_feature_and_space_exchanged", ": the input's features and its first space are exchanged",
     [](Labels& l) {
       if (!l.input_spatial_dimensions.empty()) std::swap(l.input_feature_dimension, l.input_spatial_dimensions[0]);
     }},
    {"output_feature_and_space_exchanged", ": the output's features and its first space are exchanged",
     [](Labels& l) {
       if (!l.output_spatial_dimensions.empty()) std::swap(l.output_feature_dimension, l.output_spatial_dimensions[0]);
     }},
};

template <void (*kChange)(std::vector<Int64List>&)>
void Groups(ReplicaGroups& groups) {
  const std::vector<Int64List> before = groups.groups;
  kChange(groups.groups);
  if (groups.groups != before) groups.iota_text.clear();
}

const std::vector<Variant<ReplicaGroups>> kGroups = {
    {"groups_ignored", ": all devices are one group", Groups<[](std::vector<Int64List>& groups) {
       Int64List all;
       for (const Int64List& group : groups) all.insert(all.end(), group.begin(), group.end());
       std::ranges::sort(all);
       if (!(groups.size() < 2)) groups = {all};
     }>},
    {"group_order_reversed", ": the groups come in reverse order",
     Groups<[](std::vector<Int64List>& groups) { std::ranges::reverse(groups); }>},
    {"members_reversed", ": the members of each group come in reverse order",
     Groups<[](std::vector<Int64List>& groups) {
       for (Int64List& group : groups) std::ranges::reverse(group);
     }>},
    {"members_sorted", ": the members of each group are sorted", Groups<[](std::vector<Int64List>& groups) {
       for (Int64List& group : groups) std::ranges::sort(group);
     }>},
    {"groups_transposed", ": the first members are one group, the second ones another",
     Groups<[](std::vector<Int64List>& groups) {
       if (groups.empty()) return;
       std::vector<Int64List> other(groups[0].size());
       for (const Int64List& group : groups) {
         if (group.size() != groups[0].size()) return;
         for (std::size_t i = 0; i < group.size(); ++i) other[i].push_back(group[i]);
       }
       groups = std::move(other);
     }>},
    {"members_turned", ": the last member of each group goes to the next one",
     Groups<[](std::vector<Int64List>& groups) {
       if (groups.size() < 2 || groups[0].empty()) return;
       std::int64_t carried = groups.back().back();
       for (Int64List& group : groups) {
         if (!group.empty()) std::swap(carried, group.back());
       }
     }>},
};

using Computations = std::vector<HloComputation*>;
const std::vector<Variant<Computations>> kComputations = {
    {"computations_reversed", ": the computations come in reverse order", Reverse},
    {"first_computation_for_all", ": every computation is the first",
     IfAny<[](auto& list) { std::ranges::fill(list, list.front()); }>},
    {"computations_turned", ": every computation is the next one", Turn},
};

// Exchanges two parameters of one shape in a copy of the called computation.
bool ExchangeParameters(HloInstruction& instruction, AttributeName name, std::size_t first, std::size_t second) {
  auto* const* called = instruction.Find<HloComputation*>(name);
  if (called == nullptr) return false;
  const auto parameters = (*called)->Parameters();
  if (second >= parameters.size()) return false;
  if (!ShapeUtil::Compatible(parameters[first]->shape, parameters[second]->shape)) return false;
  HloComputation& copy = CopyComputation(**called, instruction, {});
  for (const auto& inner : copy.instructions) {
    if (inner->op->role != OpRole::kParameter) continue;
    const auto number = static_cast<std::size_t>(inner->parameter_number);
    if (number == first || number == second)
      inner->parameter_number = static_cast<std::int64_t>(first + second - number);
  }
  instruction.Set(name, &copy);
  return true;
}

void AddComputation(MutantList& mutants, const AttributeSpec& spec) {
  for (const auto& [first, second] : {std::pair{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}) {
    mutants.Add("parameters_exchanged", fmt::format("{}_{}_{}", spec.name, first, second),
                fmt::format("parameters {} and {} of {} are exchanged", first, second, spec.name),
                [name = spec.name, first = first, second = second](HloInstruction& instruction) {
                  return ExchangeParameters(instruction, name, first, second);
                });
  }
}

// Adds the exchange of two attributes that name computations.
void AddExchangeOfComputations(MutantList& mutants, const AttributeSpec& one, const AttributeSpec& other) {
  mutants.AddEdit("computations_exchanged", fmt::format("{}_{}", one.name, other.name),
                  fmt::format("{} and {} are exchanged", one.name, other.name),
                  [a = one.name, b = other.name](HloInstruction& instruction) {
                    auto* const* first = instruction.Find<HloComputation*>(a);
                    auto* const* second = instruction.Find<HloComputation*>(b);
                    if (first == nullptr || second == nullptr || *first == *second) return false;
                    HloComputation *const was_first = *first, *const was_second = *second;
                    instruction.Set(a, was_second);
                    instruction.Set(b, was_first);
                    return true;
                  });
}

// Moves the `count` groups along a dimension: interleaves them (element i of group g becomes element i * count + g), or
// reverses their order.
Literal Regrouped(const Literal& value, std::int64_t dimension, std::int64_t count, bool interleaves) {
  Literal result(value.shape());
  const Shape& shape = value.shape();
  const std::int64_t size = shape.dimensions(dimension), each = size / count,
                     bytes = StorageBytes(shape.element_type());
  std::int64_t inner = 1;
  for (std::int64_t d = dimension + 1; d < shape.rank(); ++d) inner *= shape.dimensions(d);
  for (std::int64_t i = 0; i < value.element_count() / inner; ++i) {
    const std::int64_t outer = i / size, group = i % size / each, within = i % each;
    const std::int64_t to = interleaves ? within * count + group : (count - 1 - group) * each + within;
    std::memcpy(result.mutable_data() + (outer * size + to) * inner * bytes, value.data() + i * inner * bytes,
                inner * bytes);
  }
  return result;
}

// Adds other orders of the groups, which are the slowest part of the output's features.
void AddGroupOrders(MutantList& mutants, const AttributeSpec& spec) {
  if (mutants.op().FindAttributeOfText("dim_labels") == nullptr ||
      !std::string_view(spec.name).ends_with("group_count"))
    return;
  for (const bool interleaves : {true, false}) {
    mutants.Add(
        interleaves ? "groups_interleaved" : "groups_reversed", spec.name,
        fmt::format("{}: the groups of the result {}", spec.name, interleaves ? "take turns" : "come in reverse order"),
        [name = spec.name, interleaves](HloInstruction& instruction) {
          const auto* labels = instruction.Find<Labels>("dim_labels");
          const std::int64_t* count = instruction.Find<std::int64_t>(name);
          if (labels == nullptr || count == nullptr || *count < 2 || !instruction.shape.IsArray()) return false;
          const std::int64_t dimension = labels->output_feature_dimension;
          if (dimension >= instruction.shape.rank()) return false;
          if (instruction.shape.dimensions(dimension) % *count != 0) return false;
          const InsertedBody body =
              Keep({.block = {}, .whole = [=, groups = *count](const HloInstruction&, std::span<Literal> operands) {
                      return Regrouped(operands[0], dimension, groups, interleaves);
                    }});
          Wrap(instruction, body);
          return true;
        });
  }
}

}  // namespace

void AddStructureMutants(MutantList& mutants) {
  const AttributeSpec* computation = nullptr;
  for (const AttributeSpec& spec : mutants.op().syntax.attributes) {
    switch (spec.kind) {
      case AttributeKind::kWindow:
        AddVariants(mutants, spec, kWindows);
        break;
      case AttributeKind::kPadding:
        AddVariants(mutants, spec, kPaddings);
        break;
      case AttributeKind::kSlice:
        AddVariants(mutants, spec, kSlices);
        break;
      case AttributeKind::kInt64:
        AddGroupOrders(mutants, spec);
        break;
      case AttributeKind::kDimLabels:
        AddVariants(mutants, spec, kLabels);
        break;
      case AttributeKind::kReplicaGroups:
        AddVariants(mutants, spec, kGroups);
        break;
      case AttributeKind::kComputationList:
        AddVariants(mutants, spec, kComputations);
        break;
      case AttributeKind::kComputation:
        AddComputation(mutants, spec);
        if (computation != nullptr) AddExchangeOfComputations(mutants, *computation, spec);
        computation = &spec;
        break;
      default:
        break;
    }
  }
}

}  // namespace assay
