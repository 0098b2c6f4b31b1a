#include "conformance/judging/joined_values.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// Makes a value of the first arrays, and drops them from the list.
JoinedValue TakeValue(const Shape& shape, std::span<const Values>& leaves) {
  JoinedValue value;
  value.is_tuple = shape.IsTuple();
  if (value.is_tuple) {
    for (const Shape& element : shape.tuple_shapes()) value.elements.push_back(TakeValue(element, leaves));
  } else {
    value.on = leaves.front();
    leaves = leaves.subspan(1);
  }
  return value;
}

}  // namespace

bool AreSame(const Values& values) { return std::ranges::count(values, values[0]) == std::ssize(values); }

std::vector<bool> WhichAreSame(const std::vector<Values>& leaves) {
  std::vector<bool> are_same;
  for (const Values& leaf : leaves) are_same.push_back(AreSame(leaf));
  return are_same;
}

HloInstruction& JoinedProgram::Add(std::string_view op, Shape shape, Values operands) {
  auto made = std::make_unique<HloInstruction>();
  made->op = FindOp(op);
  made->name = names_.Unique(op);
  made->shape = std::move(shape);
  made->operands = std::move(operands);
  ++size_;
  return into_->Add(std::move(made));
}

HloInstruction& JoinedProgram::AddConstant(Literal value) {
  HloInstruction& constant = Add("constant", value.shape(), {});
  constant.literal = std::move(value);
  return constant;
}

HloInstruction& JoinedProgram::AddTuple(Values elements) {
  std::vector<Shape> shapes;
  for (const HloInstruction* element : elements) shapes.push_back(element->shape);
  return Add("tuple", ShapeUtil::MakeTupleShape(std::move(shapes)), std::move(elements));
}

HloInstruction& JoinedProgram::Copy(const HloInstruction& instruction, Values operands) {
  auto copy = std::make_unique<HloInstruction>(instruction);
  copy->name = names_.Unique(instruction.name);
  copy->operands = std::move(operands);
  copy->control_predecessors.clear();
  copy->annotations.erase("sharding");
  ++size_;
  return into_->Add(std::move(copy));
}

HloInstruction& JoinedProgram::On(std::size_t device, const JoinedValue& value) {
  if (!value.is_tuple) return *value.on[device];
  Values elements;
  for (const JoinedValue& element : value.elements) elements.push_back(&On(device, element));
  return AddTuple(std::move(elements));
}

JoinedValue JoinedProgram::ElementOf(const JoinedValue& tuple, std::int64_t index) {
  if (tuple.is_tuple) return tuple.elements[static_cast<std::size_t>(index)];
  JoinedValue element;
  for (HloInstruction* whole : tuple.on) {
    HloInstruction& taken = Add("get-tuple-element", whole->shape.tuple_shapes(index), {whole});
    taken.Set("index", index);
    element.on.push_back(&taken);
  }
  return element;
}

JoinedValue JoinedProgram::InLayout(JoinedValue value, const Shape& shape) {
  if (value.is_promise) return value;
  for (std::size_t i = 0; i < value.elements.size(); ++i) {
    value.elements[i] = InLayout(std::move(value.elements[i]), shape.tuple_shapes()[i]);
  }
  if (value.is_tuple || !shape.IsArray()) return value;
  const Values before = value.on;
  for (std::size_t device = 0; device < before.size(); ++device) {
    if (before[device]->shape == shape) continue;
    const auto first = std::ranges::find(before, before[device]) - before.begin();
    const bool is_new = first == static_cast<std::ptrdiff_t>(device);
    value.on[device] = is_new ? &Add("copy", shape, {before[device]}) : value.on[first];
  }
  return value;
}

void JoinedProgram::Flatten(const JoinedValue& value, const Shape& shape, std::vector<Values>& leaves) {
  if (!shape.IsTuple()) return leaves.push_back(InLayout(value, shape).on);
  for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
    Flatten(ElementOf(value, static_cast<std::int64_t>(i)), shape.tuple_shapes()[i], leaves);
  }
}

JoinedValue JoinedProgram::Unflatten(const Shape& shape, std::span<const Values> leaves) {
  return TakeValue(shape, leaves);
}

HloInstruction& JoinedProgram::Pack(const std::vector<Values>& leaves, const std::vector<bool>& are_same) {
  Values elements;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    elements.insert(elements.end(), leaves[i].begin(), are_same[i] ? leaves[i].begin() + 1 : leaves[i].end());
  }
  return AddTuple(std::move(elements));
}

std::vector<Values> JoinedProgram::Unpack(HloInstruction& packed, const std::vector<bool>& are_same) {
  std::vector<Values> leaves;
  const JoinedValue whole = {{&packed}};
  std::int64_t index = 0;
  for (const bool is_same : are_same) {
    Values& leaf = leaves.emplace_back();
    while (leaf.size() < (is_same ? 1 : devices_)) leaf.push_back(ElementOf(whole, index++).on[0]);
    leaf.resize(devices_, leaf[0]);
  }
  return leaves;
}

HloInstruction& JoinedProgram::Concatenate(const Values& parts, std::int64_t dimension) {
  if (parts.size() == 1) return *parts[0];
  Shape shape = parts[0]->shape;
  std::int64_t size = 0;
  for (const HloInstruction* part : parts) size += part->shape.dimensions(dimension);
  shape.set_dimensions(dimension, size);
  HloInstruction& whole = Add("concatenate", std::move(shape), parts);
  whole.Set("dimensions", Int64List{dimension});
  return whole;
}

HloInstruction& JoinedProgram::Shard(HloInstruction& whole, std::int64_t dimension, std::int64_t count,
                                     std::int64_t index) {
  Shape shape = whole.shape;
  const std::int64_t size = shape.dimensions(dimension) / count;
  SliceConfig bounds;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    if (d == dimension) {
      bounds.push_back({index * size, (index + 1) * size, 1});
    } else {
      bounds.push_back({0, shape.dimensions(d), 1});
    }
  }
  shape.set_dimensions(dimension, size);
  HloInstruction& shard = Add("slice", std::move(shape), {&whole});
  shard.Set("slice", std::move(bounds));
  return shard;
}

HloInstruction& JoinedProgram::Zeros(const Shape& shape) {
  HloInstruction& zeros =
      Add("broadcast", shape, {&AddConstant(Literal(ShapeUtil::MakeScalarShape(shape.element_type())))});
  zeros.Set("dimensions", Int64List{});
  return zeros;
}

}  // namespace assay
