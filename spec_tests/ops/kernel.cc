#include "spec_tests/ops/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/convert.h"

namespace assay::testing {
namespace {

// The definition needs microseconds for each element.
constexpr std::int64_t kMostCompared = 2000;

// Returns the bytes of an element, the most significant first. The imaginary part of a complex number comes first.
std::string Hex(const std::byte* element, std::int64_t bytes) {
  std::string text;
  for (std::int64_t i = bytes; i-- > 0;) text += fmt::format("{:02x}", static_cast<unsigned>(element[i]));
  return text;
}

// Checks that the first elements of `value` equal those of the op's definition.
void CheckDefinition(const HloInstruction& instruction, const std::vector<const std::byte*>& operands,
                     const Literal& value) {
  const std::int64_t n = std::min(value.element_count(), kMostCompared), bytes = StorageBytes(value.element_type());
  std::vector<std::byte> defined(n * bytes);
  instruction.op->evaluation.kernel(instruction)(operands, defined.data(), n);
  std::int64_t equal = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (std::memcmp(defined.data() + i * bytes, value.data() + i * bytes, bytes) == 0) {
      ++equal;
      continue;
    }
    std::string found = fmt::format("{} of", instruction.op->name);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const int operand_bytes = StorageBytes(instruction.operands[k]->shape.element_type());
      found += " " + Hex(operands[k] + i * operand_bytes, operand_bytes);
    }
    FAIL_CHECK(found << ": the kernel returns " << Hex(value.data() + i * bytes, bytes) << ", the definition "
                     << Hex(defined.data() + i * bytes, bytes));
  }
  CHECK(equal == n);
}

}  // namespace

Literal RunOp(const Op& op, const std::vector<Literal>& operands, const Attributes& attributes, PrimitiveType result) {
  Graph graph;
  std::vector<HloInstruction*> parameters;
  std::vector<const std::byte*> data;
  for (const Literal& operand : operands) {
    parameters.push_back(&graph.Parameter(operand.shape()));
    data.push_back(operand.data());
  }
  HloInstruction& instruction = graph.Add(op, parameters, attributes);
  if (result != PRIMITIVE_TYPE_INVALID) {
    instruction.shape = ShapeUtil::ChangeElementType(operands[0].shape(), result);
  }
  const Result<Shape> shape = op.legality.infer(instruction);
  if (!shape) FAIL(shape.error().message);
  instruction.shape = *shape;
  Literal value(*shape);
  WithKernel(op).evaluation.kernel(instruction)(data, value.mutable_data(), value.element_count());
  CheckDefinition(instruction, data, value);
  return value;
}

Literal FromBits(PrimitiveType type, const std::vector<std::uint64_t>& bits) {
  const int parts = ComponentCount(type);
  const int bytes = StorageBytes(type) / parts;
  Literal literal(ShapeUtil::MakeShape(type, {static_cast<std::int64_t>(bits.size()) / parts}));
  std::byte* out = literal.mutable_data();
  for (const std::uint64_t pattern : bits) {
    std::memcpy(out, &pattern, bytes);
    out += bytes;
  }
  return literal;
}

std::vector<std::uint64_t> ToBits(const Literal& literal) {
  const int parts = ComponentCount(literal.element_type());
  const int bytes = StorageBytes(literal.element_type()) / parts;
  std::vector<std::uint64_t> bits(literal.element_count() * parts);
  for (std::size_t i = 0; i < bits.size(); ++i) std::memcpy(&bits[i], literal.data() + i * bytes, bytes);
  return bits;
}

Literal Integers(PrimitiveType type, const std::vector<std::int64_t>& values) {
  Literal literal(ShapeUtil::MakeShape(type, {static_cast<std::int64_t>(values.size())}));
  StoreIntegers(type, reinterpret_cast<const std::uint64_t*>(values.data()), literal.mutable_data(),
                literal.element_count());
  return literal;
}

std::vector<std::int64_t> ToIntegers(const Literal& literal) {
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < literal.element_count(); ++i) values.push_back(literal.IntegerAt(i));
  return values;
}

Literal Reals(PrimitiveType type, const std::vector<double>& values) {
  return Array(type, {static_cast<std::int64_t>(values.size())}, values);
}

}  // namespace assay::testing
