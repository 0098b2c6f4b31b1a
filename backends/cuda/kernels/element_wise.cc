#include "backends/cuda/kernels/element_wise.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "backends/cuda/kernels/text.h"
#include "interpreter/types/float_format.h"

namespace assay::cuda {
namespace {

constexpr TypeSet kReal = kFloats;
constexpr TypeSet kInteger = kIntegral;
constexpr TypeSet kBits = kIntegral | kPred;

// The expression of an op for some types of its first operand. $0 is the number of operand 0, %0 its element, $W the
// element's width in bits, and $T the result's type.
struct ExpressionRow {
  std::string_view op;
  TypeSet types;
  std::string_view expression;
  enum { kCheap, kExpensive } cost = kCheap;
  enum { kComputed, kElement } gives = kComputed;  // kElement: an element of the result, without rounding
};

constexpr ExpressionRow kExpressionRows[] = {
    {"abs", kReal, "magnitude($0)"},
    {"abs", kSignedIntegral, "integer_magnitude($0)"},
    {"abs", kComplex, "modulus($0)", ExpressionRow::kExpensive},
    {"acos", kReal, "arc_cosine($0)", ExpressionRow::kExpensive},
    {"acosh", kReal, "area_cosine($0)", ExpressionRow::kExpensive},
    {"add", kReal | kInteger, "sum($0, $1)"},
    {"add", kPred, "$0 | $1"},
    {"add", kComplex, "complex_sum($0, $1)"},
    {"and", kBits, "$0 & $1"},
    {"asin", kReal, "arc_sine($0)", ExpressionRow::kExpensive},
    {"asinh", kReal, "area_sine($0)", ExpressionRow::kExpensive},
    {"atan", kReal, "arc_tangent($0)", ExpressionRow::kExpensive},
    {"atan2", kReal, "arc_tangent($0, $1)", ExpressionRow::kExpensive},
    {"atanh", kReal, "area_tangent($0)", ExpressionRow::kExpensive},
    {"cbrt", kReal, "cube_root($0)", ExpressionRow::kExpensive},
    {"ceil", kReal, "round_up($0)"},
    {"clamp", kReal, "real_minimum(real_maximum($1, $0), $2)"},
    {"clamp", kBits, "integer_minimum(integer_maximum($1, $0), $2)"},
    {"complex", kReal, "$T{%0, %1}", ExpressionRow::kCheap, ExpressionRow::kElement},
    {"cosh", kReal, "hyperbolic_cosine($0)", ExpressionRow::kExpensive},
    {"cosh", kComplex, "complex_hyperbolic_cosine($0)", ExpressionRow::kExpensive},
    {"cosine", kReal, "cosine($0)", ExpressionRow::kExpensive},
    {"cosine", kComplex, "complex_cosine($0)", ExpressionRow::kExpensive},
    {"count-leading-zeros", kInteger, "count_leading_zeros<$W>($0)"},
    {"divide", kReal, "$0 / $1", ExpressionRow::kExpensive},
    {"divide", kInteger, "integer_quotient($0, $1)", ExpressionRow::kExpensive},
    {"divide", kComplex, "complex_quotient($0, $1)", ExpressionRow::kExpensive},
    {"erf", kReal, "error_function($0)", ExpressionRow::kExpensive},
    {"exponential", kReal, "exponential($0)", ExpressionRow::kExpensive},
    {"exponential", kComplex, "complex_exponential($0)", ExpressionRow::kExpensive},
    {"exponential-minus-one", kReal, "exponential_minus_one($0)", ExpressionRow::kExpensive},
    {"exponential-minus-one", kComplex, "complex_exponential_minus_one($0)", ExpressionRow::kExpensive},
    {"floor", kReal, "round_down($0)"},
    {"imag", kReal, "0.0f"},
    {"imag", kComplex, "%0.imag", ExpressionRow::kCheap, ExpressionRow::kElement},
    {"is-finite", kReal, "is_finite($0)"},
    {"log", kReal, "logarithm($0)", ExpressionRow::kExpensive},
    {"log", kComplex, "complex_logarithm($0)", ExpressionRow::kExpensive},
    {"log-plus-one", kReal, "log_plus_one($0)", ExpressionRow::kExpensive},
    {"log-plus-one", kComplex, "complex_log_plus_one($0)", ExpressionRow::kExpensive},
    {"logistic", kReal, "logistic($0)", ExpressionRow::kExpensive},
    {"logistic", kComplex, "complex_logistic($0)", ExpressionRow::kExpensive},
    {"maximum", kReal, "real_maximum($0, $1)"},
    {"maximum", kBits, "integer_maximum($0, $1)"},
    {"minimum", kReal, "real_minimum($0, $1)"},
    {"minimum", kBits, "integer_minimum($0, $1)"},
    {"mulhi", kInteger, "multiply_high<$W>($0, $1)"},
    {"multiply", kReal | kInteger, "product($0, $1)"},
    {"multiply", kPred, "$0 & $1"},
    {"multiply", kComplex, "complex_product($0, $1)"},
    {"negate", kReal, "-$0"},
    {"negate", kInteger, "integer_negative($0)"},
    {"negate", kComplex, "complex_negative($0)"},
    {"not", kInteger, "~$0"},
    {"not", kPred, "$0 == 0"},
    {"or", kBits, "$0 | $1"},
    {"popcnt", kInteger, "population_count<$W>($0)"},
    {"power", kReal, "real_power($0, $1)", ExpressionRow::kExpensive},
    {"power", kInteger, "integer_power($0, $1)", ExpressionRow::kExpensive},
    {"power", TypesOf(C64), "complex_power($0, $1)", ExpressionRow::kExpensive},
    {"real", kReal, "%0", ExpressionRow::kCheap, ExpressionRow::kElement},
    {"real", kComplex, "%0.real", ExpressionRow::kCheap, ExpressionRow::kElement},
    {"remainder", kReal, "real_remainder($0, $1)", ExpressionRow::kExpensive},
    {"remainder", kInteger, "integer_remainder($0, $1)", ExpressionRow::kExpensive},
    {"round-nearest-afz", kReal, "round_away($0)"},
    {"round-nearest-even", kReal, "round_even($0)"},
    {"rsqrt", kReal, "reciprocal_root($0)", ExpressionRow::kExpensive},
    {"rsqrt", kComplex, "complex_reciprocal_root($0)", ExpressionRow::kExpensive},
    {"shift-left", kInteger, "shift_left<$W>($0, $1)"},
    {"shift-right-arithmetic", kInteger, "shift_right_arithmetic<$W>($0, $1)"},
    {"shift-right-logical", kInteger, "shift_right_logical<$W>($0, $1)"},
    {"sign", kReal, "real_sign($0)"},
    {"sign", kSignedIntegral, "integer_sign($0)"},
    {"sign", kComplex, "complex_sign($0)", ExpressionRow::kExpensive},
    {"sine", kReal, "sine($0)", ExpressionRow::kExpensive},
    {"sine", kComplex, "complex_sine($0)", ExpressionRow::kExpensive},
    {"sinh", kReal, "hyperbolic_sine($0)", ExpressionRow::kExpensive},
    {"sinh", kComplex, "complex_hyperbolic_sine($0)", ExpressionRow::kExpensive},
    {"sqrt", kReal, "square_root($0)", ExpressionRow::kExpensive},
    {"sqrt", kComplex, "complex_root($0)", ExpressionRow::kExpensive},
    {"subtract", kReal | kInteger, "difference($0, $1)"},
    {"subtract", kComplex, "complex_difference($0, $1)"},
    {"tan", kReal, "tangent($0)", ExpressionRow::kExpensive},
    {"tan", kComplex, "complex_tangent($0)", ExpressionRow::kExpensive},
    {"tanh", kReal, "hyperbolic_tangent($0)", ExpressionRow::kExpensive},
    {"tanh", kComplex, "complex_hyperbolic_tangent($0)", ExpressionRow::kExpensive},
    {"xor", kBits, "$0 ^ $1"},
};

// The ops whose expression depends on more than the types.
constexpr std::string_view kOtherOps[] = {"bitcast-convert", "compare", "convert", "reduce-precision", "select"};

PrimitiveType OperandType(const HloInstruction& instruction, std::size_t i = 0) {
  return instruction.operands[i]->shape.element_type();
}

const ExpressionRow* RowOf(const HloInstruction& instruction) {
  for (const ExpressionRow& row : kExpressionRows) {
    if (row.op == instruction.op->name && row.types.contains(OperandType(instruction))) return &row;
  }
  return nullptr;
}

bool IsOther(std::string_view op) { return std::ranges::binary_search(kOtherOps, op); }

// True if the operands from `first` on have one type. Others would need a conversion.
bool AreOfOneType(const HloInstruction& instruction, std::size_t first) {
  for (std::size_t i = first; i < instruction.operands.size(); ++i) {
    if (OperandType(instruction, i) != OperandType(instruction, first)) return false;
  }
  return true;
}

std::string CompareText(const HloInstruction& compare, std::span<const std::string> operands) {
  static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {{"EQ", "=="}, {"NE", "!="}, {"LT", "<"},
                                                                             {"LE", "<="}, {"GT", ">"},  {"GE", ">="}};
  const std::string_view direction = compare.String("direction");
  const PrimitiveType type = OperandType(compare);
  if (IsComplexType(type)) {
    return fmt::format("To<pred>::of({}is_equal(value({}), value({})))", direction == "EQ" ? "" : "!", operands[0],
                       operands[1]);
  }
  const std::string_view sign =
      std::ranges::find(kSigns, direction, &std::pair<std::string_view, std::string_view>::first)->second;
  if (IsFloatingPointType(type) && compare.String("type") == "TOTALORDER") {
    return fmt::format("To<pred>::of(order_key<{0}>(bits_of({1})) {2} order_key<{0}>(bits_of({3})))", TypeText(type),
                       operands[0], sign, operands[1]);
  }
  return fmt::format("To<pred>::of(value({}) {} value({}))", operands[0], sign, operands[1]);
}

std::string OtherText(const HloInstruction& instruction, std::span<const std::string> operands) {
  const std::string_view op = instruction.op->name;
  const PrimitiveType type = instruction.shape.element_type();
  if (op == "compare") return CompareText(instruction, operands);
  if (op == "convert") return ConvertedText(OperandType(instruction), type, operands[0]);
  if (op == "select") return fmt::format("value({}) != 0 ? {} : {}", operands[0], operands[1], operands[2]);
  if (op == "reduce-precision") {
    return fmt::format("To<{0}>::of_bits(reduced_precision<{0}, {1}, {2}>(bits_of({3})))", TypeText(type),
                       std::min<std::int64_t>(instruction.Int64("exponent_bits"), 64),
                       std::min<std::int64_t>(instruction.Int64("mantissa_bits"), 64), operands[0]);
  }
  if (OperandType(instruction) == type) return operands[0];
  return fmt::format("To<{}>::of_bits(bits_of({}))", TypeText(type), operands[0]);
}

}  // namespace

const std::vector<std::string_view>& ElementWiseOps() {
  static const std::vector<std::string_view> ops = [] {
    std::set<std::string_view> names(std::begin(kOtherOps), std::end(kOtherOps));
    for (const ExpressionRow& row : kExpressionRows) names.insert(row.op);
    return std::vector<std::string_view>(names.begin(), names.end());
  }();
  return ops;
}

bool IsElementWise(const HloInstruction& instruction) {
  // A requested accuracy may exceed that of CUDA's functions.
  if (instruction.operands.empty() || instruction.result_accuracy) return false;
  const std::string_view op = instruction.op->name;
  const PrimitiveType type = instruction.shape.element_type();
  if (op == "bitcast-convert") {
    const bool is_same = OperandType(instruction) == type;
    return is_same || (BitWidth(OperandType(instruction)) == BitWidth(type) && !IsComplexType(type));
  }
  if (op == "convert" || op == "reduce-precision") return op == "convert" || OperandType(instruction) == type;
  if (op == "compare") return AreOfOneType(instruction, 0);
  if (op == "select") return AreOfOneType(instruction, 1) && OperandType(instruction, 1) == type;
  return !IsOther(op) && RowOf(instruction) != nullptr && AreOfOneType(instruction, 0);
}

bool IsExpensive(const HloInstruction& instruction) {
  if (instruction.op->name == "map") return true;
  const ExpressionRow* const row = IsElementWise(instruction) ? RowOf(instruction) : nullptr;
  return row != nullptr && row->cost == ExpressionRow::kExpensive;
}

std::string ConvertedText(PrimitiveType from, PrimitiveType to, const std::string& element) {
  if (from == to) return element;
  std::string number = fmt::format("value({})", element);
  if (IsComplexType(from) && to == PRED) {
    number = fmt::format("differs_from_zero({})", number);
  } else if (IsComplexType(from) && !IsComplexType(to)) {
    number += ".real";
  }
  return fmt::format("To<{}>::of({})", TypeText(to), number);
}

std::string RoundedText(PrimitiveType type, const std::string& computed) {
  // In a format without NaN, the sign of a NaN decides which zero it becomes.
  const bool has_nan = !IsFloatingPointType(type) || FloatFormatOf(type).nan != NanEncoding::kNone;
  return fmt::format("To<{}>::of({})", TypeText(type), has_nan ? computed : fmt::format("settled({})", computed));
}

bool IsRoundedOnce(const HloInstruction& instruction) {
  const ExpressionRow* const row = RowOf(instruction);
  const PrimitiveType type = OperandType(instruction);
  const std::string_view op = instruction.op->name;
  if (row == nullptr || !IsInexactType(type)) return true;
  if (IsComplexType(type)) return row->cost == ExpressionRow::kCheap && op != "multiply";
  return row->cost == ExpressionRow::kCheap || op == "divide" || op == "remainder" || op == "sqrt";
}

namespace {

// Fills in the row's expression; `computed_with` formats the number of an operand.
std::string FilledTemplate(const ExpressionRow& row, const HloInstruction& instruction,
                           std::span<const std::string> operands,
                           fmt::format_string<const std::string&> computed_with) {
  std::string text;
  for (std::size_t i = 0; i < row.expression.size(); ++i) {
    const char mark = row.expression[i];
    if (mark != '$' && mark != '%') {
      text += mark;
      continue;
    }
    const char what = row.expression[++i];
    if (what == 'W') {
      text += fmt::format("{}", BitWidth(OperandType(instruction)));
    } else if (what == 'T') {
      text += TypeText(instruction.shape.element_type());
    } else {
      const std::string& operand = operands[static_cast<std::size_t>(what - '0')];
      text += mark == '%' ? operand : fmt::format(computed_with, operand);
    }
  }
  return text;
}

}  // namespace

std::string WideText(const HloInstruction& function, std::span<const std::string> operands) {
  return FilledTemplate(*RowOf(function), function, operands, "(f64)value({})");
}

std::string ElementWiseText(const HloInstruction& instruction, std::span<const std::string> operands) {
  if (IsOther(instruction.op->name)) return OtherText(instruction, operands);
  const ExpressionRow& row = *RowOf(instruction);
  const PrimitiveType result = instruction.shape.element_type();
  std::string text = FilledTemplate(row, instruction, operands, "value({})");
  if (row.gives == ExpressionRow::kElement) return text;
  return RoundedText(result, text);
}

}  // namespace assay::cuda
