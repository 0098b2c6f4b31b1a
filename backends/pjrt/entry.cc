#include "backends/pjrt/entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/names.h"
#include "interpreter/hlo/op.h"

namespace assay::pjrt {
namespace {

// The header attributes that refer to parameters or results by number.
constexpr std::string_view kOfEntryValues[] = {"input_output_alias", "buffer_donor",
                                               "allow_spmd_sharding_propagation_to_parameters",
                                               "allow_spmd_sharding_propagation_to_output"};

Shape WithDynamicDimensions(Shape array, const Int64List& dimensions) {
  for (std::int64_t i = 0; i < array.rank(); ++i) {
    array.set_dynamic_dimension(i, std::ranges::count(dimensions, i) > 0);
  }
  return array;
}

Int64List DynamicDimensionsOf(const Shape& array) {
  Int64List dimensions;
  for (std::int64_t i = 0; i < array.rank(); ++i) {
    if (array.is_dynamic_dimension(i)) dimensions.push_back(i);
  }
  return dimensions;
}

// Appends the shapes of the leaves. Returns false if the shape has something else in it.
bool AppendLeafShapes(const Shape& shape, std::vector<Shape>& leaves) {
  if (shape.IsToken()) return true;
  if (shape.IsTuple()) {
    return std::ranges::all_of(shape.tuple_shapes(),
                               [&](const Shape& element) { return AppendLeafShapes(element, leaves); });
  }
  if (!shape.IsArray() || shape.IsUnboundedDynamic()) return false;
  leaves.push_back(WithDynamicDimensions(shape, {}));
  leaves.insert(leaves.end(), DynamicDimensionsOf(shape).size(), ShapeUtil::MakeScalarShape(S32));
  return true;
}

// Rewrites the entry of a module in place.
class EntryWriter {
 public:
  explicit EntryWriter(HloModule& module) : entry_(*module.entry) {
    for (const auto& computation : module.computations) {
      for (const auto& instruction : computation->instructions) names_.Unique(instruction->name);
    }
  }

  void Rewrite() {
    std::vector<std::unique_ptr<HloInstruction>> before = std::exchange(entry_.instructions, {});
    std::vector<HloInstruction*> parameters;
    for (const auto& instruction : before) {
      if (instruction->op->role == OpRole::kParameter) parameters.push_back(instruction.get());
    }
    std::ranges::sort(parameters, {}, &HloInstruction::parameter_number);
    std::unordered_map<const HloInstruction*, HloInstruction*> values;
    for (const HloInstruction* parameter : parameters) values[parameter] = &MakeParameter(parameter->shape);
    const auto replace = [&](HloInstruction*& operand) {
      if (const auto found = values.find(operand); found != values.end()) operand = found->second;
    };
    replace(entry_.root);
    for (auto& instruction : before) {
      if (instruction->op->role == OpRole::kParameter) continue;
      std::ranges::for_each(instruction->operands, replace);
      std::ranges::for_each(instruction->control_predecessors, replace);
      entry_.instructions.push_back(std::move(instruction));
    }
    std::vector<HloInstruction*> leaves;
    AddLeavesOf(*entry_.root, leaves);
    entry_.root = &MakeTuple(leaves);
  }

 private:
  HloInstruction& Add(std::string_view op, Shape shape, std::vector<HloInstruction*> operands) {
    auto instruction = std::make_unique<HloInstruction>();
    instruction->op = FindOp(op);
    instruction->name = names_.Unique("flat_entry");
    instruction->shape = std::move(shape);
    instruction->operands = std::move(operands);
    instruction->parent = &entry_;
    entry_.instructions.push_back(std::move(instruction));
    return *entry_.instructions.back();
  }

  HloInstruction& AddParameter(const Shape& shape) {
    HloInstruction& parameter = Add("parameter", shape, {});
    parameter.parameter_number = parameter_count_++;
    return parameter;
  }

  HloInstruction& AddSized(std::string_view op, Shape shape, std::vector<HloInstruction*> operands,
                           std::int64_t dimension) {
    HloInstruction& sized = Add(op, std::move(shape), std::move(operands));
    sized.Set("dimensions", Int64List{dimension});
    return sized;
  }

  HloInstruction& MakeTuple(const std::vector<HloInstruction*>& elements) {
    std::vector<Shape> shapes;
    for (const HloInstruction* element : elements) shapes.push_back(element->shape);
    return Add("tuple", ShapeUtil::MakeTupleShape(std::move(shapes)), elements);
  }

  // Adds the parameters for the leaves of a shape. Returns the value that they make up.
  HloInstruction& MakeParameter(const Shape& shape) {
    if (shape.IsToken()) return Add("after-all", shape, {});
    if (shape.IsTuple()) {
      std::vector<HloInstruction*> elements;
      for (const Shape& element : shape.tuple_shapes()) elements.push_back(&MakeParameter(element));
      return MakeTuple(elements);
    }
    HloInstruction* array = &AddParameter(WithDynamicDimensions(shape, {}));
    Int64List dynamic;
    const Int64List dimensions = DynamicDimensionsOf(shape);
    std::vector<HloInstruction*> sizes;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      sizes.push_back(&AddParameter(ShapeUtil::MakeScalarShape(S32)));
    }
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      dynamic.push_back(dimensions[i]);
      array = &AddSized("set-dimension-size", WithDynamicDimensions(shape, dynamic), {array, sizes[i]}, dimensions[i]);
    }
    return *array;
  }

  void AddLeavesOf(HloInstruction& value, std::vector<HloInstruction*>& leaves) {
    if (value.shape.IsToken()) return;
    if (value.shape.IsTuple()) {
      std::int64_t index = 0;
      for (const Shape& shape : value.shape.tuple_shapes()) {
        HloInstruction& element = Add("get-tuple-element", shape, {&value});
        element.Set("index", index++);
        AddLeavesOf(element, leaves);
      }
      return;
    }
    HloInstruction* array = &value;
    std::vector<HloInstruction*> sizes;
    Int64List dynamic = DynamicDimensionsOf(value.shape);
    for (const std::int64_t dimension : dynamic) {
      sizes.push_back(&AddSized("get-dimension-size", ShapeUtil::MakeScalarShape(S32), {&value}, dimension));
    }
    while (!dynamic.empty()) {
      const std::int64_t dimension = dynamic.back();
      dynamic.pop_back();
      HloInstruction& bound = Add("constant", ShapeUtil::MakeScalarShape(S32), {});
      bound.literal = LiteralUtil::CreateR0(S32, static_cast<std::int32_t>(value.shape.dimensions(dimension)));
      array = &AddSized("set-dimension-size", WithDynamicDimensions(value.shape, dynamic), {array, &bound}, dimension);
    }
    leaves.push_back(array);
    leaves.insert(leaves.end(), sizes.begin(), sizes.end());
  }

  HloComputation& entry_;
  NameUniquer names_;
  std::int64_t parameter_count_ = 0;
};

}  // namespace

bool HasFlatEntry(const HloModule& module) {
  const Shape& result = module.entry_result_layout;
  return std::ranges::all_of(module.entry_parameter_layouts, &Shape::IsFixedArray) &&
         (result.IsTuple() ? std::ranges::all_of(result.tuple_shapes(), &Shape::IsFixedArray) : result.IsFixedArray());
}

Result<std::unique_ptr<HloModule>> WithFlatEntry(const HloModule& module) {
  for (const std::string_view name : kOfEntryValues) {
    if (!module.header_attributes.contains(name)) continue;
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{} of a module whose entry has tuples, tokens or run-time sizes", name)};
  }
  std::vector<Shape> parameters, results;
  bool are_arrays = AppendLeafShapes(module.entry_result_layout, results);
  for (const Shape& parameter : module.entry_parameter_layouts) are_arrays &= AppendLeafShapes(parameter, parameters);
  if (!are_arrays) {
    return Error{ErrorCode::kUnsupported, "a value of the entry that is no array of bounded sizes, tuple or token"};
  }
  std::unique_ptr<HloModule> flat = CloneModule(module);
  EntryWriter(*flat).Rewrite();
  flat->entry_parameter_layouts = std::move(parameters);
  flat->entry_result_layout = ShapeUtil::MakeTupleShape(std::move(results));
  return flat;
}

Status AppendLeaves(const Literal& value, const Shape& shape, std::vector<Literal>& leaves) {
  if (shape.IsToken()) return {};
  if (shape.IsTuple()) {
    for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
      ASSAY_CHECK_OK(AppendLeaves(value.elements()[i], shape.tuple_shapes()[i], leaves));
    }
    return {};
  }
  Literal array = value;
  if (!FitArgument(shape, array)) {
    return Error{ErrorCode::kInput, fmt::format("an argument of the entry must have the shape {}, found {}",
                                                shape.ToStringWithoutLayout(), value.shape().ToStringWithoutLayout())};
  }
  leaves.push_back(array.WithShape(WithDynamicDimensions(shape, {})));
  for (const std::int64_t dimension : DynamicDimensionsOf(shape)) {
    leaves.push_back(LiteralUtil::CreateR0(S32, static_cast<std::int32_t>(array.dynamic_size(dimension))));
  }
  return {};
}

Literal JoinLeaves(const Shape& shape, const std::vector<Literal>& leaves, std::size_t& next) {
  if (shape.IsToken()) return Literal::MakeToken();
  if (shape.IsTuple()) {
    std::vector<Literal> elements;
    for (const Shape& element : shape.tuple_shapes()) elements.push_back(JoinLeaves(element, leaves, next));
    return Literal::MakeTuple(std::move(elements));
  }
  Literal array = leaves[next++].WithShape(shape);
  for (const std::int64_t dimension : DynamicDimensionsOf(shape)) {
    const std::int64_t size = leaves[next++].IntegerAt(0);
    array.set_dynamic_size(dimension, std::clamp<std::int64_t>(size, 0, shape.dimensions(dimension)));
  }
  return ToHost(std::move(array));
}

}  // namespace assay::pjrt
