#include <algorithm>
#include <set>

#include "conformance/diagnosis/steps.h"
#include "interpreter/numerics/convert.h"

namespace assay {
namespace {

Literal Converted(const Literal& value, PrimitiveType from, PrimitiveType to) {
  if (value.shape().IsTuple()) {
    std::vector<Literal> elements;
    for (const Literal& element : value.elements()) elements.push_back(Converted(element, from, to));
    return Literal::MakeTuple(std::move(elements));
  }
  if (!value.shape().IsArray() || value.element_type() != from) return value;
  Literal converted = Literal::Uninitialized(ShapeUtil::ChangeElementType(value.shape(), to));
  Convert(from, value.data(), to, converted.mutable_data(), value.element_count());
  return converted;
}

void Retype(Shape& shape, PrimitiveType from, PrimitiveType to) {
  if (shape.element_type() == from) shape.set_element_type(to);
  for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) Retype(shape.mutable_tuple_shapes()[i], from, to);
}

// The order of preference of types, the most readable first. Edits only move types forward in this list.
constexpr PrimitiveType kOrder[] = {F32, S32, F64, S64, U32, U64, F16, BF16, S16, S8, U16, U8};

std::vector<PrimitiveType> SimplerTypes(PrimitiveType type) {
  if (IsComplexType(type)) return type == C128 ? std::vector{F32, C64} : std::vector{F32};
  std::vector<PrimitiveType> simpler;
  for (const PrimitiveType other : kOrder) {
    if (other == type) break;
    const bool is_akin =
        IsFloatingPointType(type) ? IsFloatingPointType(other) : IsIntegralType(type) && IsIntegralType(other);
    if (is_akin) simpler.push_back(other);
  }
  return simpler;
}

void AddTypes(const Shape& shape, std::set<PrimitiveType>& types) {
  if (shape.IsArray()) types.insert(shape.element_type());
  for (const Shape& element : shape.tuple_shapes()) AddTypes(element, types);
}

}  // namespace

Edit RetypeAll(PrimitiveType from, PrimitiveType to) {
  return [=](Candidate& candidate) {
    for (std::vector<Literal>& device : candidate.arguments) {
      for (Literal& value : device) value = Converted(value, from, to);
    }
    for (const auto& computation : candidate.module->computations) {
      for (const auto& instruction : computation->instructions) {
        Retype(instruction->shape, from, to);
        if (instruction->literal) instruction->literal = Converted(*instruction->literal, from, to);
      }
    }
    return true;
  };
}

std::vector<Edit> TypeEdits(const Subject& subject, const EvaluationLimits&) {
  std::set<PrimitiveType> types;
  for (const auto& computation : subject.module->computations) {
    for (const auto& instruction : computation->instructions) AddTypes(instruction->shape, types);
  }
  std::vector<Edit> edits;
  for (const PrimitiveType from : types) {
    for (const PrimitiveType to : SimplerTypes(from)) edits.push_back(RetypeAll(from, to));
  }
  return edits;
}

}  // namespace assay
