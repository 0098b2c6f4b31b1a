// usage: complex_helper FUNCTION TYPE COUNT both|exact
// Reads COUNT complex numbers of TYPE (twice as many for a function of two) from standard input, writes the results of
// both phases, or of the exact one alone.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "spec_tests/numerics/exact_phase.h"

namespace assay {
namespace {

const std::map<std::string, const ComplexUnary*> kUnary = {
    {"exp", &kComplexExp},     {"expm1", &kComplexExpm1}, {"log", &kComplexLog},     {"log1p", &kComplexLog1p},
    {"sqrt", &kComplexSqrt},   {"rsqrt", &kComplexRsqrt}, {"cbrt", &kComplexCbrt},   {"logistic", &kComplexLogistic},
    {"sin", &kComplexSin},     {"cos", &kComplexCos},     {"tan", &kComplexTan},     {"sign", &kComplexSign},
    {"asin", &kComplexAsin},   {"acos", &kComplexAcos},   {"atan", &kComplexAtan},   {"sinh", &kComplexSinh},
    {"cosh", &kComplexCosh},   {"tanh", &kComplexTanh},   {"asinh", &kComplexAsinh}, {"acosh", &kComplexAcosh},
    {"atanh", &kComplexAtanh},
};

const std::map<std::string, const ComplexBinary*> kBinary = {
    {"pow", &kComplexPow}, {"atan2", &kComplexAtan2}, {"multiply", &kComplexMultiply}, {"divide", &kComplexDivide}};

int Run(const std::string& name, PrimitiveType type, std::size_t count, Phases phases) {
  const bool binary = kBinary.contains(name), is_both = phases == Phases::kBoth;
  const std::size_t bytes = count * static_cast<std::size_t>(StorageBytes(type));
  std::vector<std::byte> in(binary ? 2 * bytes : bytes);
  if (std::fread(in.data(), 1, in.size(), stdin) != in.size()) return 3;
  std::vector<std::byte> out(bytes);
  const std::byte* rhs = in.data() + (binary ? bytes : 0);
  const auto n = static_cast<std::int64_t>(count);
  if (name == "multiply" && is_both) {
    ComplexMultiply(type, in.data(), rhs, out.data(), n);
  } else if (name == "divide" && is_both) {
    ComplexDivide(type, in.data(), rhs, out.data(), n);
  } else if (const auto unary = kUnary.find(name); unary != kUnary.end()) {
    Apply(phases, *unary->second, type, std::as_const(in).data(), out.data(), n);
  } else if (const auto two = kBinary.find(name); two != kBinary.end()) {
    Apply(phases, *two->second, type, std::as_const(in).data(), rhs, out.data(), n);
  } else if (name == "abs") {
    (is_both ? ComplexAbs : ComplexAbsExactly)(type, in.data(), out.data(), n);
    out.resize(bytes / 2);
  } else {
    return 2;
  }
  return std::fwrite(out.data(), 1, out.size(), stdout) == out.size() ? 0 : 3;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const auto type = assay::PrimitiveTypeFromName(argv[2]);
  if (!type || !assay::IsComplexType(*type)) return 2;
  const std::string phases = argv[4];
  if (phases != "both" && phases != "exact") return 2;
  return assay::Run(argv[1], *type, static_cast<std::size_t>(std::atoll(argv[3])),
                    phases == "both" ? assay::Phases::kBoth : assay::Phases::kExact);
}
