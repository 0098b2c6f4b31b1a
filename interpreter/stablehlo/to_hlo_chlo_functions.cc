// Functions of CHLO that have no HLO op, expanded to the formulas of XLA's conversion.
#include <cmath>
#include <limits>
#include <span>

#include "interpreter/stablehlo/to_hlo_formulas.h"

namespace assay::stablehlo {
namespace {

// Coefficients of polynomials, the highest power first. Giles, "Approximating the erfinv function" (2010), in single
// and in double precision: near the center, between, and in the tails.
constexpr double kErfInvCenterF32[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                                       -0.00125372503, -0.00417768164, 0.246640727,    1.50140941};
constexpr double kErfInvTailF32[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                                     -0.0076224613,   0.00943887047,  1.00167406,    2.83297682};
constexpr double kErfInvCenter[] = {
    -3.64441206401782e-21,   -1.6850591381820166e-19, 1.28584807152564e-18,    1.1157877678025181e-17,
    -1.3331716628546209e-16, 2.0972767875968562e-17,  6.6376381343583238e-15,  -4.0545662729752069e-14,
    -8.1519341976054722e-14, 2.6335093153082323e-12,  -1.2975133253453532e-11, -5.4154120542946279e-11,
    1.0512122733215323e-09,  -4.1126339803469837e-09, -2.9070369957882005e-08, 4.2347877827932404e-07,
    -1.3654692000834679e-06, -1.3882523362786469e-05, 0.00018673420803405714,  -0.000740702534166267,
    -0.0060336708714301491,  0.24015818242558962,     1.6536545626831027};
constexpr double kErfInvMiddle[] = {
    2.2137376921775787e-09,  9.0756561938885391e-08, -2.7517406297064545e-07, 1.8239629214389228e-08,
    1.5027403968909828e-06,  -4.013867526981546e-06, 2.9234449089955446e-06,  1.2475304481671779e-05,
    -4.7318229009055734e-05, 6.8284851459573175e-05, 2.4031110387097894e-05,  -0.00035503752036284748,
    0.0009532893797373805,   -0.0016882755560235047, 0.0024914420961078508,   -0.0037512085075692412,
    0.0053709145535900636,   1.0052589676941592,     3.0838856104922208};
constexpr double kErfInvTail[] = {-2.7109920616438573e-11, -2.5556418169965252e-10, 1.5076572693500548e-09,
                                  -3.789465440126737e-09,  7.61570120807834e-09,    -1.496002662714924e-08,
                                  2.9147953450901081e-08,  -6.7711997758452339e-08, 2.2900482228026655e-07,
                                  -9.9298272942317e-07,    4.5260625972231537e-06,  -1.9681778105531671e-05,
                                  7.5995277030017761e-05,  -0.00021503011930044477, -0.00013871931833623122,
                                  1.0103004648645344,      4.8499064014085844};

// Cephes: erf and erfc in single precision, and as quotients in double precision.
constexpr double kErfF32[] = {7.85386146e-05, -0.000801019371, 0.00518832775, -0.0268538129,
                              0.112835854,    -0.37612626,     1.12837911};
constexpr double kErfcNearF32[] = {0.0232682,    -0.138703942, 0.368742466,  -0.582473278, 0.621000469,
                                   -0.494451523, 0.340488,     -0.274112701, 0.563825965};
constexpr double kErfcFarF32[] = {-10.477664,  12.9772,    -7.49551868,  2.92101908,
                                  -1.01526523, 0.42184633, -0.282076746, 0.564189494};
constexpr double kErfNumerator[] = {9.6049737398705162, 90.026019720384269, 2232.0053459468431, 7003.3251411280507,
                                    55592.301301039493};
constexpr double kErfDenominator[] = {
    1, 33.561714164750313, 521.35794978015269, 4594.3238297098014, 22629.000061389095, 49267.394260863592};
constexpr double kErfcNearNumerator[] = {2.4619698147353052e-10, 0.56418956483106886, 7.4632105644226989,
                                         48.637197098568137,     196.5208329560771,   526.44519499547732,
                                         934.52852717195765,     1027.5518868951572,  557.53533536939938};
constexpr double kErfcNearDenominator[] = {1,
                                           13.228195115474499,
                                           86.707214088598974,
                                           354.93777888781989,
                                           975.70850174320549,
                                           1823.9091668790973,
                                           2246.3376081871097,
                                           1656.6630919416134,
                                           557.53534081772773};
constexpr double kErfcFarNumerator[] = {0.56418958354775506, 1.275366707599781,  5.0190504225118051,
                                        6.160210979930536,   7.4097426995044895, 2.9788666537210022};
constexpr double kErfcFarDenominator[] = {1,
                                          2.2605286322011726,
                                          9.3960352493800148,
                                          12.048953980809666,
                                          17.081445074756591,
                                          9.6089680906328585,
                                          3.3690764510008151};

// Cephes: Chebyshev series of i1e up to 8 and above. Single precision has the last 17 and 7.
constexpr double kBesselNear[] = {
    2.7779141127610464e-18, -2.111421214358166e-17,  1.5536319577362005e-16, -1.1055969477353862e-15,
    7.6006842947354077e-15, -5.0421855047279118e-14, 3.2237933659455748e-13, -1.9839743977649436e-12,
    1.1736186298890901e-11, -6.6634897235020271e-11, 3.6255902815521172e-10, -1.8872497517228294e-09,
    9.3815373864957726e-09, -4.4450591287963281e-08, 2.0032947535521353e-07, -8.5687202646954547e-07,
    3.4702513081376785e-06, -1.3273163656039436e-05, 4.7815651075500542e-05, -0.00016176081582589674,
    0.00051228595616857576, -0.0015135724506312532,  0.0041564229443128882,  -0.010564084894626197,
    0.024726449030626516,   -0.052945981208094989,   0.10264365868984709,    -0.17641651835783406,
    0.25258718644363365};
constexpr double kBesselFar[] = {
    7.5172963108421052e-18,  4.4143483230717077e-18,  -4.6503053684893586e-17, -3.2095259219934238e-17,
    2.96262899764595e-16,    3.3082023109209285e-16,  -1.8803547755107825e-15, -3.8144030724370075e-15,
    1.0420276984128802e-14,  4.272440016711951e-14,   -2.1015418427726643e-14, -4.0835511110921974e-13,
    -7.1985517762459084e-13, 2.0356285441470896e-12,  1.4125807436613782e-11,  3.2526035830154884e-11,
    -1.8974958123505413e-11, -5.5897434621965838e-10, -3.835380385964237e-09,  -2.6314688468895196e-08,
    -2.5122362378702088e-07, -3.8825648088776906e-06, -0.00011058893876262371, -0.0097610974913614687,
    0.77857623501828011};

// Lanczos' approximation with g = 7.
constexpr double kLanczosBase = 0.99999999999980993;
constexpr double kLanczos[] = {676.5203681218851,      -1259.1392167224028,   771.32342877765313,
                               -176.61502916214059,    12.507343278686905,    -0.13857109526572012,
                               9.9843695780195716e-06, 1.5056327351493116e-07};
constexpr double kLanczosGamma = 7;

// B(2k) / (2k)! of Euler and Maclaurin's formula, k from 12 down to 1.
constexpr double kBernoulli[] = {-1.3954464685812522e-19, 5.5090028283602295e-18,  -2.1748686985580617e-16,
                                 8.5860620562778452e-15,  -3.3896802963225832e-13, 1.3382536530684679e-11,
                                 -5.2841901386874932e-10, 2.08767569878681e-08,    -8.2671957671957675e-07,
                                 3.3068783068783071e-05,  -0.0013888888888888889,  0.083333333333333329};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = 3.14159265358979323846;

Term Polynomial(const Term& x, std::span<const double> coefficients) {
  Term sum = x.Same(coefficients[0]);
  for (const double c : coefficients.subspan(1)) sum = sum * x + c;
  return sum;
}

Term ErfInv(const Term& x) {
  const Term w = -LogPlusOne(x * -x);
  Term sum = x;
  if (x.type() == F64) {
    const Term is_center = w < 6.25, is_middle = w < 16;
    const Term root = Sqrt(w);
    sum = Select(is_center, Polynomial(w - 3.125, kErfInvCenter),
                 Select(is_middle, Polynomial(root - 3.25, kErfInvMiddle), Polynomial(root - 5, kErfInvTail)));
  } else {
    sum = Select(w < 5, Polynomial(w - 2.5, kErfInvCenterF32), Polynomial(Sqrt(w) - 3, kErfInvTailF32));
  }
  return Select(Abs(x) == 1, x * kInfinity, sum * x);
}

Term Erfc(const Term& x) {
  const bool is_double = x.type() == F64;
  const Term square = x * x, magnitude = Abs(x), power = Exp(-square);
  Term erf = x, tail = x;
  if (is_double) {
    erf = x * Polynomial(square, kErfNumerator) / Polynomial(square, kErfDenominator);
    const Term near = power * Polynomial(magnitude, kErfcNearNumerator) / Polynomial(magnitude, kErfcNearDenominator);
    const Term far = power * Polynomial(magnitude, kErfcFarNumerator) / Polynomial(magnitude, kErfcFarDenominator);
    tail = Select(magnitude < 8, near, far);
  } else {
    const Term inverse = x.Same(1) / square;
    erf = x * Polynomial(square, kErfF32);
    tail = power * (x.Same(1) / magnitude) *
           Select(magnitude < 2, Polynomial(inverse, kErfcNearF32), Polynomial(inverse, kErfcFarF32));
  }
  tail = Select(-square < (is_double ? -709.782712893384 : -88.7228394), x.Same(0), tail);
  return Select(magnitude < 1, x.Same(1) - erf, Select(x < 0, x.Same(2) - tail, tail));
}

// Lanczos' sum and its parts at x - 1, or at -x for x below 1/2; shared by lgamma and digamma.
struct Lanczos {
  Term argument, sum, shifted, log_shifted;
};

Lanczos LanczosOf(const Term& x) {
  const Term argument = Select(x < 0.5, -x, x - 1);
  Term sum = argument.Same(kLanczosBase);
  double n = 0;
  for (const double c : kLanczos) sum = sum + x.Same(c) / (argument + ++n);
  const Term log_shifted = LogPlusOne(argument / (kLanczosGamma + 0.5)) + std::log(kLanczosGamma + 0.5);
  return {argument, sum, argument + (kLanczosGamma + 0.5), log_shifted};
}

Term Lgamma(const Term& x) {
  const Lanczos at = LanczosOf(x);
  const Term log_y =
      (at.argument + 0.5 - at.shifted / at.log_shifted) * at.log_shifted + 0.91893853320467267 + Log(at.sum);
  const Term magnitude = Abs(x), rest = magnitude - Floor(magnitude);
  const Term log_sine = Log(Sine(Select(rest > 0.5, x.Same(1) - rest, rest) * kPi));
  const Term reflected = Select(IsFinite(log_sine), x.Same(std::log(kPi)) - log_sine - log_y, -log_sine);
  return Select(Abs(x) == kInfinity, x.Same(kInfinity), Select(x < 0.5, reflected, log_y));
}

Term Digamma(const Term& x) {
  const Lanczos at = LanczosOf(x);
  Term derivative = x.Same(0);
  double n = 0;
  for (const double c : kLanczos) {
    const Term term = at.argument + ++n;
    derivative = derivative - x.Same(c) / (term * term);
  }
  const Term y = at.log_shifted + derivative / at.sum - x.Same(kLanczosGamma) / at.shifted;
  const Term reduced = (x + Abs(Floor(x + 0.5))) * kPi;
  const Term reflected = y - Cosine(reduced) * kPi / Sine(reduced);
  const Term is_pole = (x <= 0) && (x == Floor(x));
  return Select(is_pole, x.Same(kNan), Select(x < 0.5, reflected, y));
}

Term Zeta(const Term& x, const Term& q) {
  Term sum = Power(q, -x), a = q;
  for (int i = 1; i < 10; ++i) {
    a = a + 1;
    sum = sum + Power(a, -x);
  }
  a = a + 1;
  const Term last = Power(a, -x), inverse_square = x.Same(1) / (a * a);
  Term series = x.Same(0);
  double k = 22;
  for (const double c : std::span(kBernoulli).first(11)) {
    const Term inner = k == 22 ? inverse_square * c : inverse_square * (series + c);
    series = (x + k) * (x + (k - 1)) * inner;
    k -= 2;
  }
  series = (x / a) * (series + kBernoulli[11]);
  const Term corrected = sum + last * a / (x - 1) + last * (series + 0.5);
  const double least = x.type() == F64 ? std::numeric_limits<double>::denorm_min() : 1.40129846e-45;
  const Term value = Select(Abs(last) < Abs(sum) * least, sum, corrected);
  const Term is_even = (x == Floor(x)) && (Remainder(x, x.Same(2)) == 0);
  const Term at_pole = Select(is_even, x.Same(kInfinity), x.Same(kNan));
  const Term is_undefined = (q <= 0) && (x != Floor(x));
  const Term inside = Select(is_undefined, x.Same(kNan), Select(x < 1, x.Same(kNan), value));
  return Select(x == 1, x.Same(kInfinity), Select((q <= 0) && (q == Floor(q)), at_pole, inside));
}

Term Polygamma(const Term& n, const Term& x) {
  const Term next = n + 1;
  const Term sign = Remainder(n, n.Same(2)) * 2 - 1;
  const Term value = sign * Exp(Lgamma(next)) * Zeta(next, x);
  const Term is_undefined = (n != Floor(n)) || (n < 0);
  return Select(is_undefined, n.Same(kNan), Select(n == 0, Digamma(x), value));
}

Term Chebyshev(const Term& x, std::span<const double> coefficients) {
  Term last = x.Same(0), before = x.Same(0), older = x.Same(0);
  for (const double c : coefficients) {
    older = before;
    before = last;
    last = x * before - older + c;
  }
  return (last - older) * 0.5;
}

Term BesselI1e(const Term& x) {
  const bool is_double = x.type() == F64;
  const std::span<const double> near(kBesselNear), far(kBesselFar);
  const Term magnitude = Abs(x);
  const Term below = magnitude * Chebyshev(magnitude * 0.5 - 2, is_double ? near : near.last(17));
  const Term above = Chebyshev(x.Same(32) / magnitude - 2, is_double ? far : far.last(7)) / Sqrt(magnitude);
  return Sign(x) * Select(magnitude <= 8, below, above);
}

// Steps the bit pattern: for numbers of one sign its order is that of the magnitudes.
Term NextAfter(const Term& from, const Term& to) {
  const int width = BitWidth(from.type());
  const PrimitiveType type = width == 64 ? S64 : width == 32 ? S32 : width == 16 ? S16 : S8;
  const double least = -std::ldexp(1.0, width - 1);
  const Term x = BitcastTo(from, type), y = BitcastTo(to, type);
  const Term x_sign = x & x.Same(least), y_sign = y & y.Same(least);
  const Term not_sign = ~x.Same(least);
  const Term x_magnitude = x & not_sign, y_magnitude = y & not_sign;
  const Term from_zero = Select(y_magnitude == 0, y, y_sign | x.Same(1));
  const Term is_back = (x_magnitude > y_magnitude) || (x_sign != y_sign);
  const Term stepped = x + Select(is_back, x.Same(-1), x.Same(1));
  const Term bits = Select(from == to, y, Select(x_magnitude == 0, from_zero, stepped));
  const Term is_nan = (from != from) || (to != to);
  return BitcastTo(Select(is_nan, BitcastTo(from.Same(kNan), type), bits), from.type());
}

// Computes in single precision, or in double precision if the operands have it.
Term InWideType(const std::vector<Term>& x, Term (*unary)(const Term&),
                Term (*binary)(const Term&, const Term&) = nullptr) {
  const PrimitiveType type = x[0].type();
  const PrimitiveType wide = type == F64 ? F64 : F32;
  const Term result =
      binary == nullptr ? unary(ConvertTo(x[0], wide)) : binary(ConvertTo(x[0], wide), ConvertTo(x[1], wide));
  return ConvertTo(result, type);
}

Result<Term> FunctionOf(const Lowering& lowering, const std::vector<Term>& x) {
  const std::string_view name = lowering.row.name;
  const bool is_complex = IsComplexType(x[0].type());
  if (name == "chlo.square") return x[0] * x[0];
  if (name == "chlo.conj") return is_complex ? Conjugate(x[0]) : x[0];
  if (!IsFloatingPointType(x[0].type())) return lowering.Unsupported("the operands must be of a floating-point type");
  if (name == "chlo.is_inf") return Abs(x[0]) == kInfinity;
  if (name == "chlo.is_pos_inf") return x[0] == kInfinity;
  if (name == "chlo.is_neg_inf") return x[0] == -kInfinity;
  if (name == "chlo.next_after") return NextAfter(x[0], x[1]);
  if (name == "chlo.erf_inv") return InWideType(x, ErfInv);
  if (name == "chlo.erfc") return InWideType(x, Erfc);
  if (name == "chlo.lgamma") return InWideType(x, Lgamma);
  if (name == "chlo.digamma") return InWideType(x, Digamma);
  if (name == "chlo.bessel_i1e") return InWideType(x, BesselI1e);
  if (name == "chlo.zeta") return InWideType(x, nullptr, Zeta);
  return InWideType(x, nullptr, Polygamma);
}

}  // namespace

Status LowerChloFunction(const Lowering& lowering) {
  std::vector<Term> operands;
  for (HloInstruction* operand : lowering.operands) {
    if (!operand->shape.IsFixedArray() || !ShapeUtil::SameDimensions(operand->shape, lowering.operands[0]->shape)) {
      return lowering.Illegal("the operands must be tensors of one shape");
    }
    if (operand->shape.element_type() != lowering.operands[0]->shape.element_type()) {
      return lowering.Illegal("the operands must have one element type");
    }
    operands.emplace_back(lowering.translator, *operand);
  }
  ASSAY_TRY(const Term result, FunctionOf(lowering, operands));
  lowering.translator.BindResults(lowering.operation, result.instruction());
  return {};
}

}  // namespace assay::stablehlo
