// usage: functions_sweep COUNT [SEED [FUNCTION]]
// Compares COUNT random f32 numbers (and COUNT / 10 of f64) of each real function with MPFR. Not part of the suite:
// ten million take ten minutes.
#include <fmt/format.h>

#include <cstdlib>

#include "spec_tests/numerics/function_reference.h"

namespace assay {
namespace {

// Calls `check` with blocks of random numbers until `count` have been checked; returns the sum of its results.
template <class Check>
std::size_t InBlocks(PrimitiveType type, std::int64_t count, std::uint64_t seed, Check check) {
  std::mt19937_64 random(seed);
  std::size_t wrong = 0;
  while (count > 0) {
    std::vector<double> first;
    std::vector<double> second;
    for (; count > 0 && first.size() < 4096; --count) {
      first.push_back(RandomReal(type, random));
      second.push_back(RandomReal(type, random));
    }
    wrong += check(first, second);
  }
  return wrong;
}

int Sweep(std::int64_t count, std::uint64_t seed, std::string_view only) {
  std::size_t total = 0;
  const auto report = [&](std::string_view name, PrimitiveType type, std::int64_t cases, std::size_t wrong) {
    fmt::print("{} {}: {} cases, {} wrong\n", PrimitiveTypeName(type), name, cases, wrong);
    total += wrong;
  };
  for (const PrimitiveType type : {F32, F64}) {
    const std::int64_t cases = type == F32 ? count : count / 10;
    for (const UnaryCase& unary : UnaryCases()) {
      if (!only.empty() && unary.name != only) continue;
      report(unary.name, type, cases, InBlocks(type, cases, seed, [&](const auto& operands, const auto&) {
               return WrongResults(unary, type, operands);
             }));
    }
    for (const BinaryCase& binary : BinaryCases()) {
      if (!only.empty() && binary.name != only) continue;
      report(binary.name, type, cases, InBlocks(type, cases, seed, [&](const auto& lhs, const auto& rhs) {
               return WrongResults(binary, type, lhs, rhs);
             }));
    }
  }
  return total == 0 ? 0 : 1;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  return assay::Sweep(std::atoll(argv[1]), seed, argc > 3 ? argv[3] : "");
}
