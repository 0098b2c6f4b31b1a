// The definitions of element-wise ops: a body of one line, applied to one element of each operand at a time, in exact
// numbers.
#pragma once

#include <functional>
#include <type_traits>

#include "interpreter/hlo/module.h"
#include "interpreter/numerics/integer.h"
#include "interpreter/ops/plain/complex.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/plain/real.h"

namespace assay::plain {

// Maps one element of each operand to one element of the result.
using ElementBody = std::function<Element(const Row&)>;
// Makes a kernel of the instruction that applies the body element by element.
Kernel ElementByElement(const HloInstruction& instruction, ElementBody body);

// Return the real (0) or imaginary (1) part of a complex number, and the number with these parts.
Element PartOf(const Element& number, int part);
Element ComplexOf(const Element& real, const Element& imaginary);

// Return elements as numbers. A real number has the imaginary part +0.
Real RealOf(const Element& element);  // pred and integers too
Complex ComplexNumberOf(const Element& element);

// Round numbers to elements of a type. `row` holds the operands of the op: a NaN result is the first NaN among them,
// quieted, or else the positive quiet NaN. The NaN of an only operand has the sign that the op left it.
Element Rounded(PrimitiveType type, const Real& value, const Row& row);
Element Rounded(PrimitiveType type, const Complex& value, const Row& row);
Element Rounded(PrimitiveType type, bool value, const Row& row);
Element Rounded(PrimitiveType type, TwosComplement<std::int64_t> value, const Row& row);
Element Rounded(PrimitiveType type, TwosComplement<std::uint64_t> value, const Row& row);

// Makes the definition that applies this body to elements of these types. A body for floats but not for complex numbers
// applies to each part of a complex number.
template <auto body, TypeSet types>
Kernel ElementWise(const HloInstruction& instruction);

// Does the same after converting the operands to the type of the result.
template <auto body, TypeSet types>
Kernel ElementWiseOfResultType(const HloInstruction& instruction);

// ----------------------------------------------------------------------------------------------------- Implementation.

template <auto body, class Read>
Element ApplyTo(PrimitiveType type, const Row& row, Read number) {
  using N = decltype(number(row[0]));
  using Body = decltype(body);
  if constexpr (std::is_invocable_v<Body, N>) {
    return Rounded(type, body(number(row[0])), row);
  } else if constexpr (std::is_invocable_v<Body, N, N>) {
    return Rounded(type, body(number(row[0]), number(row[1])), row);
  } else {
    return Rounded(type, body(number(row[0]), number(row[1]), number(row[2])), row);
  }
}

template <auto body, class T>
Element ApplyToIntegers(PrimitiveType type, const Row& row) {
  return ApplyTo<body>(type, row, [](const Element& element) {
    const int width = element.type == PRED ? 1 : BitWidth(element.type);
    return TwosComplement<T>{static_cast<T>(IntegerOf(element)), width};
  });
}

template <auto body, TypeSet types>
Element ApplyElementWise(PrimitiveType type, const Row& row) {
  const PrimitiveType operand = row[0].type;
  if constexpr (types.contains(S32)) {
    if (IsSignedIntegralType(operand)) return ApplyToIntegers<body, std::int64_t>(type, row);
    if (operand == PRED || IsIntegralType(operand)) return ApplyToIntegers<body, std::uint64_t>(type, row);
  }
  if constexpr (types.contains(C64)) {
    if (IsComplexType(operand)) return ApplyTo<body>(type, row, ComplexNumberOf);
  }
  if constexpr (types.contains(F32)) {
    if (!IsComplexType(operand)) return ApplyTo<body>(type, row, RealOf);
    const auto of_part = [&](int part) {
      Row parts;
      for (const Element& number : row) parts.push_back(PartOf(number, part));
      return ApplyTo<body>(ComplexComponentType(type), parts, RealOf);
    };
    return ComplexOf(of_part(0), of_part(1));
  }
  return {.type = type};
}

template <auto body, TypeSet types>
Kernel ElementWise(const HloInstruction& instruction) {
  return ElementByElement(instruction, [type = instruction.shape.element_type()](const Row& row) {
    return ApplyElementWise<body, types>(type, row);
  });
}

template <auto body, TypeSet types>
Kernel ElementWiseOfResultType(const HloInstruction& instruction) {
  return ElementByElement(instruction, [type = instruction.shape.element_type()](const Row& row) {
    Row converted;
    for (const Element& element : row) converted.push_back(ConvertedTo(type, element));
    return ApplyElementWise<body, types>(type, converted);
  });
}

}  // namespace assay::plain
