// The kernels of the backend simd against the reference's, on every instruction set of this machine.
#include "backends/simd/simd.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "backends/simd/elementwise.h"
#include "backends/simd/functions.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/join_text.h"
#include "spec_tests/backends/simd_targets.h"
#include "spec_tests/nightly.h"

namespace assay::simd {
namespace {

Literal Run(const HloModule& module, const std::vector<Literal>& arguments, const OpOverrides& overrides) {
  return Evaluate(module, arguments, {}, overrides).value();
}

// Returns one op on arrays of n elements.
std::unique_ptr<HloModule> ModuleOf(std::string_view op, PrimitiveType type, std::int64_t n,
                                    PrimitiveType result_type) {
  std::string text, operands;
  const auto array = [&](PrimitiveType of) { return fmt::format("{}[{}]", PrimitiveTypeName(of), n); };
  for (int i = 0; i < FindOp(op)->legality.arity.max; ++i) {
    text += fmt::format("p{0} = {1} parameter({0})\n", i, array(type));
    operands += fmt::format("{}p{}", i > 0 ? ", " : "", i);
  }
  return testing::Parsed(text + fmt::format("ROOT r = {} {}({})", array(result_type), op, operands));
}

// Returns numbers of every kind: special ones and their neighbors, any bits, moderate ones.
Literal Numbers(PrimitiveType type, std::int64_t n, std::uint64_t seed) {
  const FloatFormat& format = FloatFormatOf(type);
  std::vector<double> special = {0, 1, 0.5, 2, 1e300, 1e-300, 88.7, 709.8, 745.2, M_PI, M_PI / 2, 1e5, 1e22};
  special.push_back(std::numeric_limits<double>::infinity());
  special.push_back(std::numeric_limits<double>::quiet_NaN());
  special.push_back(ToDouble(format, 1));
  special.push_back(ToDouble(format, format.max_finite_bits()));
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  Literal array = Literal::Uninitialized(ShapeUtil::MakeShape(type, {n}));
  const int bytes = StorageBytes(type);
  for (std::int64_t i = 0; i < n; ++i) {
    std::uint64_t bits = random() & (format.sign_mask() | format.magnitude_mask());
    if (i % 16 == 0) {
      bits = RoundDouble(format, std::copysign(special[random() % special.size()], unit(random)));
      bits += random() % 3 - 1;
      bits &= format.sign_mask() | format.magnitude_mask();
    } else if (i % 16 != 1) {
      bits = RoundDouble(format, std::ldexp(unit(random), static_cast<int>(random() % 12)));
    }
    std::copy_n(reinterpret_cast<const std::byte*>(&bits), bytes, array.mutable_data() + i * bytes);
  }
  return array;
}

Literal Filled(PrimitiveType type, const Dimensions& dimensions, std::uint64_t seed) {
  Literal array = Literal::Uninitialized(ShapeUtil::MakeShape(type, dimensions));
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (std::int64_t i = 0; i < array.element_count(); ++i) {
    const std::uint64_t bits = IsFloatingPointType(type) ? RoundDouble(FloatFormatOf(type), unit(random))
                               : type == PRED            ? random() % 2
                                                         : random();
    std::copy_n(reinterpret_cast<const std::byte*>(&bits), StorageBytes(type),
                array.mutable_data() + i * StorageBytes(type));
  }
  return array;
}

// Returns the position of a number in the order of its format.
std::int64_t Rank(const FloatFormat& format, std::uint64_t bits) {
  const auto magnitude = static_cast<std::int64_t>(bits & format.magnitude_mask());
  return (bits & format.sign_mask()) != 0 ? -magnitude : magnitude;
}

std::uint64_t BitsAt(const Literal& array, std::int64_t i) {
  std::uint64_t bits = 0;
  const int bytes = StorageBytes(array.element_type());
  std::copy_n(array.data() + i * bytes, bytes, reinterpret_cast<std::byte*>(&bits));
  return bits;
}

// Returns the largest difference of two arrays in steps of their format. NaN and the sign of zero must be equal.
std::int64_t StepsApart(const Literal& got, const Literal& want) {
  if (!IsFloatingPointType(want.element_type())) return got.BitwiseEqual(want) ? 0 : INT64_MAX;
  const FloatFormat& format = FloatFormatOf(want.element_type());
  std::int64_t most = 0;
  for (std::int64_t i = 0; i < want.element_count(); ++i) {
    const std::uint64_t a = BitsAt(got, i), b = BitsAt(want, i);
    if (a == b || (format.is_nan(a) && format.is_nan(b))) continue;
    if (format.is_nan(a) || format.is_nan(b) || ((a ^ b) & format.sign_mask()) != 0) return INT64_MAX;
    most = std::max(most, std::abs(Rank(format, a) - Rank(format, b)));
  }
  return most;
}

// Returns the largest difference of a module's results on every instruction set from the reference's.
std::int64_t MostStepsApart(const HloModule& module) {
  std::vector<Literal> arguments;
  for (const HloInstruction* parameter : module.entry->Parameters()) {
    const PrimitiveType type = parameter->shape.element_type();
    const std::uint64_t seed = arguments.size() + 1;
    arguments.push_back(IsFloatingPointType(type) ? Numbers(type, parameter->shape.dimensions(0), seed)
                                                  : Filled(type, parameter->shape.dimensions(), seed));
  }
  const Literal want = Run(module, arguments, {});
  std::int64_t most = 0;
  OnEveryTarget([&] {
    const std::int64_t apart = StepsApart(Run(module, arguments, Overrides()), want);
    if (apart > 4)
      UNSCOPED_INFO("far apart on " << hwy::TargetName(
                        static_cast<std::int64_t>(hwy::SupportedTargets() & -hwy::SupportedTargets())));
    most = std::max(most, apart);
  });
  return most;
}

bool AreClose(const Literal& got, const Literal& want, double bound) {
  for (std::int64_t i = 0; i < want.element_count(); ++i) {
    const double a = ToDouble(FloatFormatOf(got.element_type()), BitsAt(got, i));
    const double b = ToDouble(FloatFormatOf(want.element_type()), BitsAt(want, i));
    if (!(std::abs(a - b) <= bound)) return false;
  }
  return true;
}

// Checks that the result on every instruction set is within `bound` of the reference's; 0: the same bits.
void CheckAgainstReference(const std::string& text, double bound) {
  INFO(text);
  const auto module = testing::Parsed(text);
  std::vector<Literal> arguments;
  for (const HloInstruction* parameter : module->entry->Parameters()) {
    arguments.push_back(Filled(parameter->shape.element_type(), parameter->shape.dimensions(), arguments.size() + 1));
  }
  const Literal want = Run(*module, arguments, {});
  OnEveryTarget([&] {
    const Literal got = Run(*module, arguments, Overrides());
    if (bound == 0)
      CHECK(got.BitwiseEqual(want));
    else
      CHECK(AreClose(got, want, bound));
    CHECK(Run(*module, arguments, Overrides()).BitwiseEqual(got));
  });
}

}  // namespace

TEST_CASE("simd has kernels for these ops") {
  const std::string expected =
      "abs acos acosh add and asin asinh atan atan2 atanh cbrt ceil cholesky clamp compare convert "
      "convolution cosh cosine divide dot erf exponential exponential-minus-one fft floor fusion gather log "
      "log-plus-one logistic maximum minimum multiply negate not or power reduce reduce-window "
      "round-nearest-afz round-nearest-even rsqrt scatter select sine sinh sort sqrt subtract tan tanh "
      "transpose triangular-solve while xor";
  CHECK(JoinText(AcceleratedOps(), " ") == expected);
  CHECK(Overrides().size() == AcceleratedOps().size());
}

TEST_CASE("simd's functions are within their bounds") {
  const std::int64_t wide = testing::IsNightly("functions of a million numbers on simd") ? 1 << 20 : 1 << 16;
  const std::map<PrimitiveType, std::int64_t> steps = {{F32, 1}, {F64, 4}, {BF16, 1}, {F16, 1}, {F8E4M3FN, 1}};
  for (const auto& [type, most] : steps) {
    const std::int64_t n = StorageBytes(type) >= 4 ? wide : 1 << 16;
    for (const std::string_view op : kFunctions.ops) {
      INFO(op << ' ' << PrimitiveTypeName(type));
      CHECK(MostStepsApart(*ModuleOf(op, type, n, type)) <= most);
    }
  }
}

TEST_CASE("simd's arithmetic has the bits of the reference") {
  for (const PrimitiveType type : {F32, F64, BF16, F16, S8, U8, S16, U16, S32, U32, S64, PRED}) {
    for (const std::string_view op : kArithmetic.ops) {
      if (!FindOp(op)->legality.types.contains(type)) continue;
      INFO(op << ' ' << PrimitiveTypeName(type));
      CHECK(MostStepsApart(*ModuleOf(op, type, 70001, type)) == 0);
    }
  }
}

TEST_CASE("simd's conversions have the bits of the reference") {
  const PrimitiveType types[] = {F32, F64, BF16, F16, F8E4M3FN, S8, U8, S32, U32, S64, PRED};
  for (const PrimitiveType from : types) {
    for (const PrimitiveType to : types) {
      INFO(PrimitiveTypeName(from) << " to " << PrimitiveTypeName(to));
      CHECK(MostStepsApart(*ModuleOf("convert", from, 70001, to)) == 0);
    }
  }
}

TEST_CASE("simd's conversions saturate at every power of two") {
  for (const PrimitiveType to : {S8, U8, S32}) {
    std::vector<float> numbers;
    for (int k = 0; k < 128; ++k) {
      const auto power = std::ldexp(1.0f, k);
      for (const float x : {power - 1, power, power + 1}) numbers.insert(numbers.end(), {x, -x});
    }
    Literal operand(ShapeUtil::MakeShape(F32, {std::ssize(numbers)}));
    std::ranges::copy(numbers, operand.mutable_values<float>().begin());
    const auto module = ModuleOf("convert", F32, std::ssize(numbers), to);
    CHECK(Run(*module, {operand}, Overrides()).BitwiseEqual(Run(*module, {operand}, {})));
  }
}

TEST_CASE("simd's dot is within a bound of the reference's, and exact for integers") {
  struct Case {
    std::string_view lhs, rhs, result;
    double bound;  // for products of up to 700 numbers below 1
  };
  for (const Case& c : {Case{"f32", "f32", "f32", 1e-3}, Case{"f64", "f64", "f64", 1e-11},
                        Case{"bf16", "bf16", "f32", 1e-3}, Case{"f16", "f16", "f16", 0.1}, Case{"s8", "s8", "s32", 0},
                        Case{"s32", "s32", "s32", 0}, Case{"u16", "u16", "u16", 0}, Case{"u32", "u32", "u32", 0},
                        Case{"s64", "s64", "s64", 0}, Case{"s16", "s16", "s32", 0}, Case{"u8", "s8", "s32", 0},
                        Case{"u8", "u8", "s32", 0}, Case{"s4", "u8", "s16", 0}, Case{"s16", "u2", "s8", 0}}) {
    for (const auto& [m, n, k] :
         {std::array{1, 1, 700}, {7, 33, 300}, {100, 1, 5}, {1, 65, 3}, {97, 70, 257}, {9, 20, 0}}) {
      CheckAgainstReference(fmt::format(R"(a = {0}[{3},{5}] parameter(0)  b = {1}[{5},{4}] parameter(1)
  ROOT r = {2}[{3},{4}] dot(a, b), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}})",
                                        c.lhs, c.rhs, c.result, m, n, k),
                            c.bound);
    }
    CheckAgainstReference(fmt::format(R"(a = {0}[5,3,4,6] parameter(0)  b = {1}[6,7,5,3] parameter(1)
  ROOT r = {2}[3,4,7] dot(a, b), lhs_batch_dims={{1}}, rhs_batch_dims={{3}}, lhs_contracting_dims={{0,3}},
    rhs_contracting_dims={{2,0}})",
                                      c.lhs, c.rhs, c.result),
                          c.bound);
  }
}

TEST_CASE("simd's products of the least numbers of a type without zero are none") {
  const auto module = testing::Parsed(R"(a = f8e8m0fnu[2] parameter(0)
  ROOT r = f8e8m0fnu[] dot(a, a), lhs_contracting_dims={0}, rhs_contracting_dims={0})");
  Literal least(ShapeUtil::MakeShape(F8E8M0FNU, {2}));  // 2^-127
  CHECK(BitsAt(Run(*module, {least}, {}), 0) == 0);
  OnEveryTarget([&] { CHECK(BitsAt(Run(*module, {least}, Overrides()), 0) == 0); });
}

TEST_CASE("simd's convolution is within a bound of the reference's, whatever its attributes") {
  struct Case {
    std::string_view input, kernel, output, attributes;
  };
  for (const Case& c : {
           Case{"[2,9,11,3]", "[3,4,3,5]", "[2,9,12,5]", "window={size=3x4 pad=1_1x2_2}, dim_labels=b01f_01io->b01f"},
           Case{"[2,4,9,10]", "[6,2,3,3]", "[2,6,5,3]",
                "window={size=3x3 stride=2x3 pad=1_1x0_0}, dim_labels=bf01_oi01->bf01, feature_group_count=2"},
           Case{"[9,10,4,2]", "[3,2,4,5]", "[17,17,5,2]",
                "window={size=3x2 pad=1_1x0_-1 lhs_dilate=2x2 rhs_reversal=1x0}, dim_labels=01fb_01io->01fb"},
           Case{"[4,20,3]", "[4,3,6]", "[2,11,6]",
                "window={size=4 rhs_dilate=3}, dim_labels=b0f_0io->b0f, batch_group_count=2"},
           Case{"[1,8,8,8]", "[3,3,1,8]", "[1,6,6,8]",
                "window={size=3x3}, dim_labels=b01f_01io->b01f, feature_group_count=8"},
       }) {
    for (const std::string_view type : {"f32", "f64", "s32", "f16"}) {
      CheckAgainstReference(fmt::format(R"(a = {0}{1} parameter(0)  b = {0}{2} parameter(1)
  ROOT r = {0}{3} convolution(a, b), {4})",
                                        type, c.input, c.kernel, c.output, c.attributes),
                            type == "s32"   ? 0
                            : type == "f64" ? 1e-12
                            : type == "f32" ? 1e-4
                                            : 0.05);
    }
  }
}

TEST_CASE("simd's transpose moves elements as the reference does") {
  for (const std::string_view type : {"s8", "bf16", "f32", "f64"}) {
    for (const std::string_view c :
         {"[70,33] [33,70] {1,0}", "[3,40,50] [50,3,40] {2,0,1}", "[3,40,50] [40,3,50] {1,0,2}",
          "[2,3,4,5,6] [6,4,5,2,3] {4,2,3,0,1}", "[1,7,1,9] [9,1,7,1] {3,2,1,0}", "[0,3] [3,0] {1,0}"}) {
      const std::size_t first = c.find(' '), second = c.rfind(' ');
      CheckAgainstReference(
          fmt::format("a = {0}{1} parameter(0)  ROOT r = {0}{2} transpose(a), dimensions={3}", type, c.substr(0, first),
                      c.substr(first + 1, second - first - 1), c.substr(second + 1)),
          0);
    }
  }
}

TEST_CASE("simd's transpose moves the elements of arrays that the caches do not hold") {
  for (const std::string_view type : {"s8", "f16", "s32", "c64"}) {
    // Vectors of 16 bytes fill rows of the result, or they do not.
    const std::int64_t rows = 8 * 1024 / (3 * StorageBytes(PrimitiveTypeFromName(type).value())) / 16 * 16 + 16;
    for (const std::int64_t n : {rows, rows + 1}) {
      CheckAgainstReference(fmt::format("a = {0}[{1},3,1024] parameter(0)\n"
                                        "ROOT r = {0}[1024,3,{1}] transpose(a), dimensions={{2,1,0}}",
                                        type, n),
                            0);
    }
  }
}

TEST_CASE("simd's reductions are near the reference's, and exact for integers") {
  struct Case {
    std::string_view array, dimensions, result;
  };
  for (const Case& c :
       {Case{"[7,1000]", "{1}", "[7]"}, Case{"[1000,7]", "{0}", "[7]"}, Case{"[3,50,1500]", "{1}", "[3,1500]"},
        Case{"[40000]", "{0}", "[]"}, Case{"[3,40,5,6]", "{1,3}", "[3,5]"}, Case{"[3,40,5,6]", "{2,1}", "[3,6]"},
        Case{"[2,3]", "{0,1}", "[]"}, Case{"[0,3]", "{0}", "[3]"}}) {
    for (const std::string_view type : {"f32", "f64", "bf16", "s32", "u32", "s8", "pred"}) {
      for (const std::string_view op : {"add", "multiply", "maximum", "minimum", "and", "or"}) {
        const bool is_bitwise = op == "and" || op == "or", is_real = type[0] == 'f' || type[0] == 'b';
        if (is_real && is_bitwise) continue;
        const double bound = !is_real || op.starts_with('m') ? 0 : type == "f64" ? 1e-10 : type == "f32" ? 0.05 : 2;
        CheckAgainstReference(fmt::format(R"(a = {0}{2} parameter(0)  i = {0}[] parameter(1)
  ROOT r = {0}{4} reduce(a, i), dimensions={3}, to_apply={1}_{0})",
                                          type, op, c.array, c.dimensions, c.result),
                              op == "multiply" && is_real ? 1e-6 : bound);
      }
    }
  }
}

TEST_CASE("simd compares and selects as the reference does") {
  for (const std::string_view type : {"f32", "s32", "u32", "f64", "bf16", "s64"}) {
    for (const std::string_view direction : {"EQ", "NE", "LT", "LE", "GT", "GE"}) {
      for (const std::string_view order : {"", ", type=TOTALORDER"}) {
        if (!order.empty() && type[0] != 'f') continue;
        // The numbers are close, so that each relation holds for some.
        CheckAgainstReference(
            fmt::format(R"(a = {0}[1003] parameter(0)  b = {0}[1003] parameter(1)  c = {0}[1003] maximum(a, b)
  l = pred[1003] compare(a, c), direction={1}{2}
  s = {0}[1003] select(l, b, a)  ROOT t = (pred[1003], {0}[1003]) tuple(l, s))",
                        type, direction, order),
            0);
      }
    }
  }
}

TEST_CASE("simd's Fourier transforms are near the reference's") {
  struct Case {
    std::string_view operand, type, lengths, result;
  };
  for (const Case& c :
       {Case{"f32[3,16]", "RFFT", "{16}", "c64[3,9]"}, Case{"f64[3,15]", "RFFT", "{15}", "c128[3,8]"},
        Case{"f32[2,6,10]", "RFFT", "{6,10}", "c64[2,6,6]"}, Case{"f32[5,7]", "RFFT", "{7}", "c64[5,4]"},
        Case{"f32[2,1024]", "RFFT", "{1024}", "c64[2,513]"}}) {
    // Forward and back, so that the operand of the inverse is a spectrum.
    CheckAgainstReference(
        fmt::format(R"(a = {0} parameter(0)  s = {3} fft(a), fft_type={1}, fft_length={2}
  t = {3} fft(s), fft_type=FFT, fft_length={{{4}}}
  u = {3} fft(t), fft_type=IFFT, fft_length={{{4}}}
  ROOT r = {0} fft(u), fft_type=IRFFT, fft_length={2})",
                    c.operand, c.type, c.lengths, c.result,
                    c.result.substr(c.result.rfind(',') + 1, c.result.size() - c.result.rfind(',') - 2)),
        c.operand[1] == '6' ? 1e-13 : 1e-5);
  }
}

}  // namespace assay::simd
