#include "generate/random_instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

// Scalar computations by which arrays are folded and rows compared.
std::string Computations(std::string_view type) {
  return fmt::format(R"(HloModule random
sum {{ a = {0}[] parameter(0)
  b = {0}[] parameter(1)
  ROOT r = {0}[] add(a, b) }}
larger {{ a = {0}[] parameter(0)
  b = {0}[] parameter(1)
  ROOT r = {0}[] maximum(a, b) }}
)",
                     type);
}

// Only where an order exists: complex numbers have none.
std::string OrderComputations(std::string_view type) {
  return fmt::format(R"(
at_least {{ a = {0}[] parameter(0)
  b = {0}[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=GE }}
less {{ a = {0}[] parameter(0)
  b = {0}[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  ROOT r = pred[] compare(a, b), direction=LT }}
)",
                     type);
}

bool TakesRealNumbers(const Op& op) {
  const bool needs_attributes =
      std::ranges::any_of(op.syntax.attributes, [](const AttributeSpec& a) { return a.required; });
  return op.evaluation.kernel != nullptr && op.syntax.shape_is_inferable && !needs_attributes &&
         op.legality.arity.min >= 1 && op.legality.arity.max <= 2 && op.legality.arity.min == op.legality.arity.max &&
         op.legality.types.contains(F32);
}

const std::vector<const Op*>& RealFunctions() {
  static const std::vector<const Op*> functions = [] {
    std::vector<const Op*> taking;
    for (const Op* op : AllOps()) {
      if (TakesRealNumbers(*op)) taking.push_back(op);
    }
    return taking;
  }();
  return functions;
}

// How the numbers of an array are spread.
enum class Spread { kNormal, kAnyBits, kWide, kPositive, kCancelling, kTiny, kHuge, kSmallIntegers };

}  // namespace

std::vector<std::string_view> RandomInstructions::Families() {
  return {
      "functions", "dot",        "convolution", "reduce",           "reduce-window", "scatter", "select-and-scatter",
      "fft",       "batch-norm", "cholesky",    "triangular-solve", "sort",          "rng"};
}

RandomInstruction RandomInstructions::Next(std::string_view family, std::int64_t elements) {
  while (true) {
    const std::string text = Text(family, elements);
    const auto parsed = ParseHloModule(text);
    // Not every op takes every type; those that do not are drawn again.
    if (parsed && FindIllegal(**parsed).empty()) {
      RandomInstruction drawn = Of(text);
      if (family == "rng") drawn.operands = Range(drawn.operands[0].shape());
      if (family == "cholesky") drawn.operands[0] = PositiveDefinite(drawn.operands[0].shape());
      return drawn;
    }
  }
}

std::optional<RandomInstruction> RandomInstructions::NextOf(std::string_view op) {
  constexpr std::int64_t kElements = 64;
  if (const auto found = std::ranges::find(RealFunctions(), op, &Op::name); found != RealFunctions().end()) {
    while (true) {
      const std::string text = FunctionText(**found, kElements);
      const auto parsed = ParseHloModule(text);
      if (parsed && FindIllegal(**parsed).empty()) return Of(text);
    }
  }
  for (const std::string_view family : Families()) {
    // The three of batch normalization are one family.
    if (op != family && !op.starts_with(std::string(family) + "-")) continue;
    if (FindOp(family) != nullptr && op != family) continue;
    while (true) {
      RandomInstruction drawn = Next(family, kElements);
      if (drawn.instruction().op->name == op) return drawn;
    }
  }
  return std::nullopt;
}

RandomInstruction RandomInstructions::Of(const std::string& text) {
  RandomInstruction drawn{*ParseHloModule(text), {}};
  for (const HloInstruction* parameter : drawn.module->entry->Parameters()) {
    drawn.operands.push_back(Values(parameter->shape));
  }
  return drawn;
}

std::string RandomInstructions::Text(std::string_view family, std::int64_t elements) {
  if (family == "functions") {
    return FunctionText(*RealFunctions()[Below(static_cast<std::int64_t>(RealFunctions().size()))], elements);
  }
  if (family == "dot") return DotText();
  if (family == "convolution") return ConvolutionText();
  if (family == "reduce") return ReduceText(elements);
  if (family == "reduce-window") return WindowText();
  if (family == "scatter") return ScatterText();
  if (family == "select-and-scatter") return SelectText();
  if (family == "fft") return FourierText();
  if (family == "batch-norm") return BatchNormText();
  if (family == "sort") return SortText();
  if (family == "rng") return RandomNumbersText(elements);
  return MatrixText(family == "cholesky");
}

std::string RandomInstructions::FloatType() {
  return std::string(OneOf<std::string_view>({"f32", "f32", "f32", "f64", "bf16", "f16", "f8e5m2", "f8e4m3fn"}));
}

std::string RandomInstructions::FunctionText(const Op& op, std::int64_t elements) {
  const std::string type =
      Below(4) == 0 ? OneOf<std::string>({"c64", "c128", "f8e3m4", "f8e4m3b11fnuz", "f4e2m1fn"}) : FloatType();
  const std::string second =
      op.legality.arity.max == 2 ? fmt::format("  b = {}[{}] parameter(1)\n", type, elements) : "";
  return fmt::format("HloModule random\nENTRY e {{\n  a = {}[{}] parameter(0)\n{}  ROOT r = {}(a{})\n}}\n", type,
                     elements, second, op.name, second.empty() ? "" : ", b");
}

std::string RandomInstructions::DotText() {
  const std::string type = Below(5) == 0 ? OneOf<std::string>({"c64", "c128"}) : FloatType();
  const std::int64_t m = Between(1, 24), n = Between(1, 24), k = OneOf<std::int64_t>({1, 2, 3, 7, 32, 100, 257, 1000});
  return fmt::format(R"(HloModule random
ENTRY e {{
  a = {0}[2,{1},{2}] parameter(0)
  b = {0}[2,{2},{3}] parameter(1)
  ROOT r = {0}[2,{1},{3}] dot(a, b), lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, lhs_contracting_dims={{2}}, rhs_contracting_dims={{1}}
}})",
                     type, m, k, n);
}

std::string RandomInstructions::ConvolutionText() {
  return fmt::format(R"(HloModule random
ENTRY e {{
  a = {0}[2,9,8,4] parameter(0)
  b = {0}[3,2,{1},6] parameter(1)
  ROOT r = convolution(a, b), window={{size=3x2 stride={2}x1 pad=1_1x{3}_0 lhs_dilate=1x{4} rhs_dilate={5}x1 rhs_reversal={6}x0}}, dim_labels=b01f_01io->b01f{7}
}})",
                     FloatType(), 4, Between(1, 2), Between(0, 2), Between(1, 2), Between(1, 2), Below(2), "");
}

std::string RandomInstructions::ReduceText(std::int64_t elements) {
  const std::string type = Below(6) == 0 ? "c64" : FloatType();
  const std::int64_t n = OneOf<std::int64_t>({1, 2, 3, 10, 64, 300, 1000, 5000});
  const std::int64_t rows = std::max<std::int64_t>(1, std::min(elements, 200000 / n));
  return fmt::format(R"({}
ENTRY e {{
  a = {}[{},{}] parameter(0)
  i = {}[] parameter(1)
  ROOT r = reduce(a, i), dimensions={{1}}, to_apply=sum
}})",
                     type == "c64" ? fmt::format("HloModule random\nsum {{ a = c64[] parameter(0)\n  b = c64[] "
                                                 "parameter(1)\n  ROOT r = c64[] add(a, b) }}\n")
                                   : Computations(type),
                     type, rows, n, type);
}

std::string RandomInstructions::WindowText() {
  const std::string type = FloatType();
  return fmt::format(R"({}
ENTRY e {{
  a = {}[20,30] parameter(0)
  i = {}[] parameter(1)
  ROOT r = reduce-window(a, i), window={{size={}x{} stride={}x2 pad=1_2x0_1 lhs_dilate={}x1 rhs_dilate=1x{}}}, to_apply={}
}})",
                     Computations(type), type, type, Between(1, 7), Between(1, 9), Between(1, 3), Between(1, 2),
                     Between(1, 2), OneOf<std::string_view>({"sum", "sum", "sum", "larger"}));
}

std::string RandomInstructions::ScatterText() {
  const std::string type = FloatType();
  return fmt::format(R"({}
ENTRY e {{
  a = {}[6,16] parameter(0)
  b = s32[{}] parameter(1)
  c = {}[{},16] parameter(2)
  ROOT r = scatter(a, b, c), update_window_dims={{1}}, inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=sum
}})",
                     Computations(type), type, 40, type, 40);
}

std::string RandomInstructions::SelectText() {
  const std::string type = FloatType();
  return fmt::format(R"({}{}
ENTRY e {{
  a = {}[16,16] parameter(0)
  b = {}[14,14] parameter(1)
  i = {}[] parameter(2)
  ROOT r = select-and-scatter(a, b, i), window={{size=3x3}}, select=at_least, scatter=sum
}})",
                     Computations(type), OrderComputations(type), type, type, type);
}

std::string RandomInstructions::FourierText() {
  const bool is_wide = Below(3) == 0;
  const std::string real = is_wide ? "f64" : "f32", complex = is_wide ? "c128" : "c64";
  const std::int64_t n = OneOf<std::int64_t>({1, 2, 3, 5, 8, 15, 16, 31, 64, 100, 128, 512, 1024});
  const std::string kind = OneOf<std::string>({"FFT", "IFFT", "RFFT", "IRFFT"});
  return fmt::format(
      "HloModule random\nENTRY e {{\n  a = {}[4,{}] parameter(0)\n  ROOT r = fft(a), fft_type={}, "
      "fft_length={{{}}}\n}}\n",
      kind == "RFFT" ? real : complex, kind == "IRFFT" ? n / 2 + 1 : n, kind, n);
}

std::string RandomInstructions::BatchNormText() {
  const std::string type = FloatType();
  const std::string kind = OneOf<std::string>({"training", "inference", "grad"});
  const std::string x = fmt::format("{}[{},{}]", type, OneOf<std::int64_t>({1, 2, 5, 16, 100}), 8);
  const std::string feature = type + "[8]";
  const double epsilon = OneOf<double>({0, 1e-5, 1e-3});
  std::string parameters =
      fmt::format("  a = {} parameter(0)\n  b = {} parameter(1)\n  c = {} parameter(2)\n", x, feature, feature);
  std::string operands = "a, b, c";
  if (kind != "training") {
    parameters += fmt::format("  d = {} parameter(3)\n  f = {} parameter(4)\n", feature, kind == "grad" ? x : feature);
    operands += ", d, f";
  }
  return fmt::format("HloModule random\nENTRY e {{\n{}  ROOT r = batch-norm-{}({}), epsilon={}, feature_index=1\n}}\n",
                     parameters, kind, operands, epsilon);
}

std::string RandomInstructions::MatrixText(bool is_cholesky) {
  const std::string type = OneOf<std::string>({"f32", "f32", "f64", "c64", "c128", "bf16", "f16"});
  const std::int64_t n = OneOf<std::int64_t>({1, 2, 3, 5, 8, 16});
  if (is_cholesky) {
    return fmt::format(
        "HloModule random\nENTRY e {{\n  a = {}[3,{},{}] parameter(0)\n  ROOT r = cholesky(a), "
        "lower={}\n}}\n",
        type, n, n, Below(2) == 0);
  }
  const bool is_left = Below(2) == 0;
  return fmt::format(R"(HloModule random
ENTRY e {{
  a = {0}[3,{1},{1}] parameter(0)
  b = {0}[3,{2},{3}] parameter(1)
  ROOT r = triangular-solve(a, b), left_side={4}, lower={5}, unit_diagonal={6}, transpose_a={7}
}})",
                     type, n, is_left ? n : 4, is_left ? 4 : n, is_left, Below(2) == 0, Below(4) == 0,
                     OneOf<std::string>({"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}));
}

std::string RandomInstructions::SortText() {
  const std::string type = FloatType();
  return fmt::format(R"({}{}
ENTRY e {{
  a = {}[5,40] parameter(0)
  b = s32[5,40] parameter(1)
  ROOT r = ({}[5,40], s32[5,40]) sort(a, b), dimensions={{1}}, to_apply=less
}})",
                     Computations(type), OrderComputations(type), type, type);
}

std::string RandomInstructions::RandomNumbersText(std::int64_t elements) {
  const std::string type = OneOf<std::string>({"f32", "f64", "bf16", "f16"});
  return fmt::format(R"(HloModule random
ENTRY e {{
  a = {0}[] parameter(0)
  b = {0}[] parameter(1)
  ROOT r = {0}[{1}] rng(a, b), distribution={2}
}})",
                     type, elements, OneOf<std::string>({"rng_uniform", "rng_normal"}));
}

Literal RandomInstructions::Values(const Shape& shape) {
  const PrimitiveType type = ComplexComponentType(shape.element_type());
  Literal literal(shape);
  const std::int64_t count = literal.element_count() * (IsComplexType(shape.element_type()) ? 2 : 1);
  std::byte* out = literal.mutable_data();
  if (!IsFloatingPointType(type)) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint64_t value = type == PRED ? Below(2) : Between(IsSignedIntegralType(type) ? -1 : 0, 7);
      std::memcpy(out + i * StorageBytes(type), &value, StorageBytes(type));
    }
    return literal;
  }
  const FloatFormat& format = FloatFormatOf(type);
  const auto spread = static_cast<Spread>(Below(8));
  const double width = static_cast<double>(Between(1, std::min(60, 1 << (format.exponent_bits - 1))));
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> unit;
  double previous = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    double x = normal(random_);
    switch (spread) {
      case Spread::kNormal:
        break;
      case Spread::kAnyBits: {
        const std::uint64_t mask = format.sign_mask() | format.magnitude_mask();
        x = ToDouble(format, random_() & mask);
        break;
      }
      case Spread::kWide:
        x = std::copysign(std::exp2(width * (2 * unit(random_) - 1)), x);
        break;
      case Spread::kPositive:
        x = 1 + unit(random_);
        break;
      case Spread::kCancelling:
        x = i % 2 == 0 ? x * std::exp2(width / 2 * unit(random_)) : -previous * (1 + unit(random_) * 0x1p-10);
        break;
      case Spread::kTiny:
        x = std::ldexp(x, format.min_exponent() + static_cast<int>(Between(-3, 3)));
        break;
      case Spread::kHuge:
        x = std::ldexp(x, format.bias - static_cast<int>(Between(0, 8)));
        break;
      case Spread::kSmallIntegers:
        x = std::nearbyint(4 * x);
        break;
    }
    previous = x;
    const std::uint64_t bits = RoundDouble(format, x);
    std::memcpy(out + i * StorageBytes(type), &bits, StorageBytes(type));
  }
  return literal;
}

// Ends of an interval, or a mean and a deviation.
std::vector<Literal> RandomInstructions::Range(const Shape& shape) {
  std::vector<Literal> range(2, Literal(shape));
  const double numbers[] = {OneOf<double>({-1, 0}), OneOf<double>({1, 2, 1000})};
  for (int i = 0; i < 2; ++i) StoreReals(shape.element_type(), &numbers[i], range[i].mutable_data(), 1);
  return range;
}

// B B^H + I for random B, rounded: positive definite but for the rounding.
Literal RandomInstructions::PositiveDefinite(const Shape& shape) {
  const bool is_complex = IsComplexType(shape.element_type());
  const PrimitiveType type = ComplexComponentType(shape.element_type());
  const std::int64_t n = shape.dimensions().back(), parts = is_complex ? 2 : 1;
  std::normal_distribution<double> normal;
  Literal literal(shape);
  std::vector<double> reals;
  for (std::int64_t matrix = 0; matrix < shape.dimensions(0); ++matrix) {
    std::vector<double> b(2 * n * n);
    for (double& x : b) x = normal(random_);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        double real = i == j ? 1 : 0, imaginary = 0;
        for (std::int64_t k = 0; k < n; ++k) {
          const double *x = &b[2 * (i * n + k)], *y = &b[2 * (j * n + k)];
          real += x[0] * y[0] + (is_complex ? x[1] * y[1] : 0);
          imaginary += x[1] * y[0] - x[0] * y[1];
        }
        reals.push_back(real);
        if (is_complex) reals.push_back(i == j ? 0 : imaginary);
      }
    }
  }
  StoreReals(type, reals.data(), literal.mutable_data(), shape.dimensions(0) * n * n * parts);
  return literal;
}

}  // namespace assay
