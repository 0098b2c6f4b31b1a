// The kernels of element-wise ops return the results of their definitions, for every type: on the numbers at which
// either is most likely to be wrong, in all pairs, and on random ones.
#include <random>

#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/special_patterns.h"
#include "spec_tests/nightly.h"
#include "spec_tests/ops/kernel.h"

namespace assay::testing {
namespace {

std::vector<std::uint64_t> PatternsOf(PrimitiveType type) {
  if (IsFloatingPointType(type)) return SpecialPatterns(FloatFormatOf(type));
  if (type == PRED) return {0, 1};
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - BitWidth(type));
  return {
      0, 1, 2 & all, 3 & all, all, all - 1, all >> 1, (all >> 1) + 1, static_cast<std::uint64_t>(BitWidth(type)) & all};
}

// Returns a pattern that is special, near 1, or any.
std::uint64_t DrawPattern(PrimitiveType type, const std::vector<std::uint64_t>& special, std::mt19937_64& random) {
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - (type == PRED ? 1 : BitWidth(type)));
  switch (random() % 3) {
    case 0:
      return special[random() % special.size()];
    case 1: {
      if (!IsFloatingPointType(type)) return random() & all;
      const FloatFormat& format = FloatFormatOf(type);
      const std::uint64_t one = static_cast<std::uint64_t>(format.bias) << format.mantissa_bits;
      const std::uint64_t offset = random() % (std::uint64_t{8} << format.mantissa_bits);
      return (one + offset - (std::uint64_t{4} << format.mantissa_bits)) & all;
    }
    default:
      return random() & all;
  }
}

// Returns one array for each operand: pairs of special patterns in turn, then `drawn` random ones.
std::vector<Literal> Operands(PrimitiveType type, int count, std::int64_t drawn, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const PrimitiveType part = ComplexComponentType(type);
  const std::vector<std::uint64_t> special = PatternsOf(part);
  const int parts = ComponentCount(type);
  std::vector<std::vector<std::uint64_t>> patterns(count);
  if (count * parts == 2) {
    static const int step = IsNightly("kernels and definitions: two of three pairs of special numbers") ? 1 : 3;
    int number = 0;
    for (const std::uint64_t a : special) {
      for (const std::uint64_t b : special) {
        if (number++ % step != 0 && a != b) continue;
        patterns[0].push_back(a);
        patterns[count - 1].push_back(b);
      }
    }
  } else if (count * parts == 1) {
    patterns[0] = special;
  }
  for (auto& operand : patterns) {
    for (std::int64_t i = 0; i < drawn * parts; ++i) operand.push_back(DrawPattern(part, special, random));
  }
  std::vector<Literal> operands;
  for (const auto& operand : patterns) {
    const bool is_whole = type == PRED || IsIntegralType(type);
    operands.push_back(is_whole ? Integers(type, {operand.begin(), operand.end()}) : FromBits(type, operand));
  }
  return operands;
}

// RunOp compares the kernel with the definition.
void CheckOp(const Op& op, PrimitiveType type, std::int64_t drawn, const Attributes& attributes = {}) {
  CAPTURE(op.name, PrimitiveTypeName(type));
  RunOp(op, Operands(type, op.legality.arity.max, drawn, 1), attributes);
}

TEST_CASE("Element-wise kernels return what the definitions do") {
  const std::int64_t drawn = IsNightly("kernels and definitions: 150 numbers drawn of each type") ? 150 : 40;
  for (const OpKernel& kernel : ElementWiseKernels()) {
    const Op& op = *kernel.op;
    for (const PrimitiveType type : ArrayTypes()) {
      // Complex powers with parts that are zero or overflow have other signs in MPC than in the formula.
      const bool has_other_signs = &op == &op_power && IsComplexType(type);
      if (op.legality.types.contains(type) && !has_other_signs) CheckOp(op, type, drawn);
    }
  }
}

TEST_CASE("clamp, compare, complex, real, imag and reduce-precision return what their definitions do") {
  for (const PrimitiveType type : ArrayTypes()) {
    CheckOp(op_clamp, type, 500);
    for (const std::string direction : {"EQ", "NE", "LT", "LE", "GT", "GE"}) {
      if (IsComplexType(type) && direction != "EQ" && direction != "NE") continue;
      CheckOp(op_compare, type, 100, {{"direction", direction}});
      if (!IsFloatingPointType(type)) continue;
      CheckOp(op_compare, type, 100, {{"direction", direction}, {"type", std::string("TOTALORDER")}});
    }
    if (type == F32 || type == F64) CheckOp(op_complex, type, 100);
    if (IsInexactType(type)) {
      CheckOp(op_real, type, 100);
      CheckOp(op_imag, type, 100);
    }
    if (!IsFloatingPointType(type)) continue;
    for (const std::int64_t mantissa_bits : {0, 1, 3, 52}) {
      for (const std::int64_t exponent_bits : {1, 4, 8}) {
        CheckOp(op_reduce_precision, type, 50, {{"exponent_bits", exponent_bits}, {"mantissa_bits", mantissa_bits}});
      }
    }
  }
}

TEST_CASE("convert and bitcast-convert between all types return what their definitions do") {
  for (const PrimitiveType from : ArrayTypes()) {
    const std::vector<Literal> operands = Operands(from, 1, 50, 2);
    for (const PrimitiveType to : ArrayTypes()) {
      CAPTURE(PrimitiveTypeName(from), PrimitiveTypeName(to));
      RunOp(op_convert, operands, {}, to);
      if (BitWidth(from) == BitWidth(to) && IsComplexType(from) == IsComplexType(to)) {
        RunOp(op_bitcast_convert, operands, {}, to);
      }
    }
  }
}

TEST_CASE("select and operands of several floating types: what the definitions return") {
  const std::vector<Literal> narrow = Operands(BF16, 1, 50, 3), other = Operands(F16, 1, 50, 4);
  for (const Op* op : {&op_add, &op_multiply, &op_atan2, &op_power, &op_maximum, &op_remainder}) {
    CAPTURE(op->name);
    RunOp(*op, {narrow[0], other[0]});
    RunOp(*op, {other[0], narrow[0]});
  }
  Literal pred = Literal(ShapeUtil::MakeShape(PRED, {narrow[0].element_count()}));
  for (std::int64_t i = 0; i < pred.element_count(); i += 2) pred.mutable_data()[i] = std::byte{1};
  RunOp(op_select, {pred, narrow[0], other[0]});
}

}  // namespace
}  // namespace assay::testing
