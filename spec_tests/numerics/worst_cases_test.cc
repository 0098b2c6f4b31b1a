// Arguments whose f64 results are so close to an f64 number, or to the middle between two, that rounding needs 100 bits
// or more; and arguments close to multiples of pi / 2. Expected values: MPFR at 500 bits.
#include <bit>
#include <cmath>

#include "spec_tests/catch.h"
#include "spec_tests/numerics/function_reference.h"
#include "spec_tests/numerics/rounding_reference.h"

namespace assay {
namespace {

constexpr mpfr_prec_t kPrecision = 500;

struct Arguments {
  std::string_view name;
  std::vector<double> operands;
};

// Lefevre and Muller, "Worst cases for correct rounding of the elementary functions in double precision" (2001, 2003),
// as OpenJDK's tests list them; from tanh on the lists of the CORE-MATH project (Sibidanov, Zimmermann et al.).
const std::vector<Arguments> kWorstCases = {
    {"exp", {-0x1.e8bdbfcd9144ep3,   -0x1.71e0b869b5e79p2,   -0x1.02393d5976769p1,   -0x1.2a9cad9998262p0,
             -0x1.cc37ef7de7501p0,   -0x1.22e24fa3d5cf9p-1,  -0x1.dc2b5df1f7d3dp-1,  -0x1.290ea09e36479p-3,
             -0x1.a2fefefd580dfp-13, -0x1.ed318efb627eap-27, -0x1.4bd46601ae1efp-31, -0x1.1000000000242p-42,
             0x1.fffffffffffffp-53,  0x1.fffffffffffe0p-48,  0x1.7ffe7ffee0024p-32,  0x1.80017ffedffdcp-32,
             0x1.9e9cbbfd6080bp-31,  0x1.d7a7d893609e5p-26,  0x1.ba07d73250de7p-14,  0x1.d77fd13d27fffp-11,
             0x1.6a4d1af9cc989p-8,   0x1.accfbe46b4ef0p-1,   0x1.aca7ae8da5a7bp0,    0x1.d6336a88077aap0,
             0x2.85dc78fb8928cp0,    0x1.76e7e5d7b6eacp3,    0x1.a8ead058bc6b8p3,    0x1.1d5c2daebe367p4,
             0x1.c44ce0d716a1ap4,    0x1.00091a4a0dae5p2,    0x1.7a60ee15e3e9dp6,    -0x1.59f038076039cp6,
             0x1.005ae04256babp-1,   0x1.79c2a7777bee7p-10}},
    {"log",
     {0x1.0000000000001p0, 0x2.0012ecb039c9cp0, 0x6.46a37fd503fdcp0, 0x7.78dfecc7f57fp0, 0x9.588ccf24bb9c8p0,
      0xa.af87550d97e4p0, 0xc.76f2496cb039p0, 0x11.1867637cbd03p0, 0x13.d9d7d597a9ddp0, 0x17.f3825778aaafp0,
      0x1ac.50b409c8aeep0, 0x1.de7cd6751029ap16, 0x1.12527095bbd08p+0, 0x1.01465ece08736p+0, 0x1.fffbea169bd8dp-1,
      0x1.ffe7dbdd678a1p-1, 0x1.03b88d9bb35e2p+0}},
    {"sin",
     {0x1.e0000000001c2p-20, 0x1.598bae9e632f6p-7, 0x1.9283586503fep-5, 0x1.d7bdcd778049fp-5, 0x1.a202b3fb84788p-4,
      0x1.d037cb27ee6dfp-3, 0x1.d5064e6fe82c5p-3, 0x1.fe767739d0f6dp-2, 0x1.d98c4c612718dp-1, 0x1.6756745770a51p1,
      0x1.e9c91bda0960ap-11, 0x1.fccc87cd00ff6p+0, 0x1.63f6ee4484cd2p+1021, 0x1.19477d693b136p+1023,
      0x1.ffb7d8e7709b2p+1023}},
    {"cos",
     {0x1.8000000000009p-23, 0x1.8000000000024p-22, 0x1.2000000000f30p-18, 0x1.06b505550e6b2p-9, 0x1.97ccd3d2c438fp-6,
      0x1.549ec0c0c5afap-5, 0x1.16e534ee36580p-4, 0x1.efeef61d39ac2p-3, 0x1.feb1f7920e248p-2, 0x1.7cb7648526f99p-1,
      0x1.c65a170474549p-1, 0x1.6b8a6273d7c21p+0}},
    {"tan",
     {0x1.dffffffffff1fp-22, 0x1.67fffffffa114p-18, 0x1.50486b2f87014p-5, 0x1.52c39ef070cadp-4, 0x1.a33f32ac5ceb5p-3,
      0x1.d696bfa988db9p-2, 0x1.46ac372243536p-1, 0x0.a3561b9121a9bp+0}},
    {"asin",
     {0x1.dfffffffff02ep-20, 0x1.dffffffffc0b8p-19, 0x1.9259e3708bd3ap-5, 0x1.d77b117f230d6p-5, 0x1.a1490c8c06ba7p-4,
      0x1.9697cb602c582p-3, 0x1.d0ef799001ba9p-3, 0x1.e9950730c4696p-2, 0x1.1ed06d50f7e88p-1, 0x1.d5b05a89d3e77p-1,
      0x1.e264357ea0e29p-1}},
    {"acos", {0x1.fd737be914578p-11, 0x1.4182199998587p-1, 0x1.e45a1c93651ecp-1, 0x1.f10fc61e2c78fp-1}},
    {"atan",
     {0x1.e000000000546p-21, 0x1.22e8d75e2bc7fp-11, 0x1.0fc9f1fabe658p-5, 0x1.1bbe9c255698dp-5, 0x1.8ddd25ab90ca1p-5,
      0x1.5389e6df41979p-4, 0x1.a933fe176b375p-3, 0x1.0f6e5d9960397p-2, 0x1.7ba49f739829fp-1, 0x0.bdd24fb9cc14f8p+0}},
    {"sinh",
     {0x1.dfffffffffe3ep-20, 0x1.dffffffffe3e0p-18, 0x1.135e31fdd05d3p-5, 0x1.0dc68d5e8f959p-3, 0x1.616cc75d49226p-2,
      0x1.3ffc12b81cbc2p+0, 0x2.fe008c44baca2p+0, 0x1.c089fcf166171p+4, 0x1.e07e71bfcf06fp+5, 0x1.54cd1fea7663ap+7,
      0x1.d6479eba7c971p+8}},
    {"cosh",
     {0x1.17d8a9f206217p-6, 0x1.bf0305e2c6c37p-3, 0x1.03923f2b47c07p-1, 0x1.a6031cd5f93bap-1, 0x1.104b648f113a1p+0,
      0x1.ea5f2f2e4b0c5p+1}},
    {"tanh",
     {0x1.000b47bdb383fp-9, 0x1.0017d47cec425p-12, 0x1.002b19915b12bp-7, 0x1.004524207fad9p-3, 0x1.00a0f3cf999acp+2,
      0x1.015bdb2761717p+4, 0x1.015cee8026857p+1, 0x1.01885ae3c818ap+0, 0x1.018a1e31f3a2fp-4, 0x1.30fc1931f09c9p+4,
      0x1.61246d6ad9aeep-25, 0x1.0e000000280b9p-16, 0x1.4a000000491d3p-16, 0x1.59cd55a2ee967p-1}},
    {"expm1",
     {0x1.c64f70710aa7cp+3, -0x1.723f3a00a0652p-20, -0x1.000000000000ep-50, -0x1.6a09e667f3b7ap-52,
      0x1.77cfddb7c009fp+5, -0x1.001ffe004000bp-42, -0x1.19003a4e59a87p-35, -0x1.196b3000b57e7p-23}},
    {"log1p",
     {-0x1.3a65ca2af5e5fp-2, -0x1.3e11e59dd69b7p-1, -0x1.4012e8cae88efp-1, -0x1.3d90a15be5035p-3, -0x1.618386d980495p-1,
      -0x1.67ae001c53364p-3, -0x1.3d73e2d9d75c4p-1, -0x1.ffffffffffffbp-50, -0x1.59d21b0708f3cp-2,
      -0x1.3fdc96d590b36p-5}},
    {"rsqrt", {0x1.fab88e8284d9p+0, 0x1.fcb0f532cc96dp+0, 0x1.ff92b3c01855ap+0, 0x1.fcbd5f9640a0fp+0}},
    {"asinh", {0x1.6e1755d079307p+1023, 0x1.782301271cb0ep+1023, 0x1.edf3606885937p+1023}},
    {"acosh", {0x1.77743b22cef78p+1023, 0x1.dca8a3de5d43ep+1023, 0x1.ed646d0f12e65p+1023}},
    {"atanh", {0x1.fa4bd41ada8cp-1, 0x1.fb579802e25cap-1, 0x1.fd86297b1aad7p-1, 0x1.fdfc242e11011p-1}},
    {"cbrt",
     {0x1.1f12f5fd4ac24p1, 0x1.5f2470d0a7588p1, 0x1.ef0f10c6e893ap1, 0x1.2739ccb60a93ep1, 0x1.e71ea7e91c5f5p1,
      0x1.8f6476593fdedp1, 0x1.434967cdd9a87p1, 0x1.bb6ed102eaeb8p1, 0x1.9b78223aa307cp1, 0x1.7b97ec4239e11p1,
      0x1.cbe22cd82013fp1, 0x1.d7c1819bc932ep1}},
};

// The last one is the double closest to a multiple of pi / 2 (Kahan; Smith): to within 2^-60.
constexpr double kClosest = 6381956970095103 * 0x1p797;
const std::vector<double> kHugeAngles = {0x1p27,
                                         0x1.0000000000001p27,
                                         0x1p30,
                                         0x1.921fb54442d18p30,
                                         0x1p100,
                                         0x1.3f06778c3c6a1p+104,
                                         0x1p1023,
                                         0x1.fffffffffffffp1023,
                                         0x1.6ac5b262ca1fep849,
                                         -kClosest,
                                         kClosest};

struct Powers {
  double base;
  double exponent;
};
// 2^x from Lefevre and Muller, the others from CORE-MATH: 102 to 153 equal bits after the one that rounds.
const std::vector<Powers> kWorstPowers = {
    {2, 0x1.16a76ec41b516p-1},
    {2, 0x1.3e34fa6ab969ep-1},
    {2, 0x1.4a63ff1d53f53p-1},
    {2, 0x1.b32a6c92d1185p-1},
    {2, 0x1.25dd9eedac79ap+0},
    {0x1.ffffffffffffcp-1, 0x1.fffffffffffffp-2},
    {0x1.ffffffffffffcp-1, -0x1.ffffffffffffdp-2},
    {0x1.ffffffffffffp-1, -0x1.ffffffffffff6p-3},
    {0x1.ffffffffffff8p-1, -0x1.ffffffffffffbp-3},
};

// Returns the distance of a number from the nearest one of 54 bits (the numbers of f64 and the middles between them),
// in units of the last place of f64.
double DistanceFromTie(mpfr_srcptr value) {
  mpfr_t nearest;
  mpfr_init2(nearest, kPrecision);
  mpfr_set(nearest, value, MPFR_RNDN);
  mpfr_prec_round(nearest, 54, MPFR_RNDN);
  mpfr_prec_round(nearest, kPrecision, MPFR_RNDN);
  mpfr_sub(nearest, value, nearest, MPFR_RNDN);
  mpfr_mul_2si(nearest, nearest, 53 - mpfr_get_exp(value), MPFR_RNDN);
  const double distance = std::fabs(mpfr_get_d(nearest, MPFR_RNDN));
  mpfr_clear(nearest);
  return distance;
}

struct Value {
  std::uint64_t rounded;
  double distance;
};

template <class Case, class... Operands>
Value Expected(const Case& function, Operands... operands) {
  mpfr_t arguments[sizeof...(operands)];
  mpfr_t value;
  mpfr_init2(value, kPrecision);
  std::size_t count = 0;
  for (const double operand : {operands...}) {
    mpfr_init2(arguments[count], 53);
    mpfr_set_d(arguments[count++], operand, MPFR_RNDN);
  }
  if constexpr (sizeof...(operands) == 1) {
    function.reference(value, arguments[0]);
  } else {
    function.reference(value, arguments[0], arguments[1]);
  }
  const Value result = {RoundByMpfr(FloatFormatOf(F64), value), DistanceFromTie(value)};
  for (mpfr_t& argument : arguments) mpfr_clear(argument);
  mpfr_clear(value);
  return result;
}

template <class Function, class... Operands>
std::uint64_t ResultOf(const Function& function, Phases phases, const Operands&... operands) {
  std::uint64_t bits = 0;
  Apply(phases, function, F64, reinterpret_cast<const std::byte*>(&operands)..., reinterpret_cast<std::byte*>(&bits),
        1);
  return bits;
}

const UnaryCase& CaseOf(std::string_view name) {
  for (const UnaryCase& unary : UnaryCases()) {
    if (unary.name == name) return unary;
  }
  FAIL("no such function");
  return UnaryCases()[0];
}

TEST_CASE("The worst cases of f64 functions round correctly") {
  for (const auto& [name, operands] : kWorstCases) {
    const UnaryCase& unary = CaseOf(name);
    for (const double operand : operands) {
      const Value value = Expected(unary, operand);
      CAPTURE(name, operand, value.distance, std::log2(value.distance));
      // A copying mistake would make it an ordinary argument.
      CHECK(value.distance < 0x1p-40);
      CHECK(ResultOf(*unary.function, Phases::kBoth, operand) == value.rounded);
      CHECK(ResultOf(*unary.function, Phases::kExact, operand) == value.rounded);
    }
  }
}

TEST_CASE("The worst cases of f64 powers round correctly") {
  const BinaryCase& pow = BinaryCases()[0];
  REQUIRE(pow.name == "pow");
  for (const auto& [base, exponent] : kWorstPowers) {
    const Value value = Expected(pow, base, exponent);
    CAPTURE(base, exponent, value.distance);
    CHECK(value.distance < 0x1p-40);
    CHECK(ResultOf(kPow, Phases::kBoth, base, exponent) == value.rounded);
    CHECK(ResultOf(kPow, Phases::kExact, base, exponent) == value.rounded);
  }
}

TEST_CASE("Huge angles are reduced exactly, by the approximate phase too") {
  for (const std::string_view name : {"sin", "cos", "tan"}) {
    const UnaryCase& unary = CaseOf(name);
    for (const double angle : kHugeAngles) {
      const Value value = Expected(unary, angle);
      Ball ball;
      unary.function->enclose(&angle, &ball, 1);
      CAPTURE(name, angle);
      CHECK(std::bit_cast<std::uint64_t>(RoundedToF64(ball)) == value.rounded);
      CHECK(ResultOf(*unary.function, Phases::kBoth, angle) == value.rounded);
      CHECK(ResultOf(*unary.function, Phases::kExact, angle) == value.rounded);
    }
  }
  CHECK(std::fabs(std::bit_cast<double>(ResultOf(kCos, Phases::kBoth, kClosest))) < 0x1p-60);
}

}  // namespace
}  // namespace assay
