// Every kernel against the definition of its op, on drawn instructions: equal to the last bit.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "backends/json/array_json.h"
#include "diagnosis/reduce.h"
#include "generate/instructions.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/kernels/kernels.h"
#include "spec_tests/catch.h"
#include "spec_tests/nightly.h"

namespace assay::testing {
using namespace generate;
namespace {

// Around the blocks and grains of the kernels: vectors of 4 to 64 elements, blocks of 256, 512, 1024 and 2048, and the
// numbers of elements that one thread takes.
constexpr std::int64_t kSizes[] = {1, 3, 8, 17, 33, 64, 65, 257, 513, 1025, 2049, 4097};
constexpr std::int64_t kLargeSizes[] = {4097, 8193, 16385, 32769};
// Definitions that take n steps for each of n elements, or keep a fold for each element of an operand.
constexpr std::string_view kSlowDefinitions[] = {"cholesky", "convolution",        "fft",
                                                 "scatter",  "select-and-scatter", "triangular-solve"};
// Definitions and kernels that take long for an element of a large array.
constexpr std::string_view kSlowOps[] = {"gather", "map", "scatter"};

std::vector<const Op*> OpsWithKernels() {
  std::vector<const Op*> ops;
  for (const Op* op : AllOps()) {
    if (Definitions().contains(op)) ops.push_back(op);
  }
  return ops;
}

std::optional<Literal> ValueUnder(const OpOverrides& overrides, const HloModule& module, const DeviceValues& arguments,
                                  const DeviceValues& from_host = {}) {
  EvaluationOptions options;
  options.from_host = from_host;
  Result<Literal> value = EvaluateTogether(module, arguments, options, overrides);
  if (!value) return std::nullopt;
  return *std::move(value);
}

bool Differ(const HloModule& module, const DeviceValues& arguments, const DeviceValues& from_host = {}) {
  const std::optional<Literal> kernel = ValueUnder({}, module, arguments, from_host);
  const std::optional<Literal> definition = ValueUnder(Definitions(), module, arguments, from_host);
  if (!kernel || !definition) return kernel.has_value() != definition.has_value();
  return !kernel->BitwiseEqual(*definition);
}

// Catch takes minutes to wrap a long line.
std::string Cut(std::string text) {
  constexpr std::size_t kMost = 2000;
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  return text + "\n";
}

// The smallest module that still differs, with its arguments and both values.
std::string Reduced(const DrawnInstruction& drawn) {
  Subject subject = {std::shared_ptr<const HloModule>(drawn.module.get(), [](const HloModule*) {}), drawn.operands};
  // A definition takes seconds on a large array, and a reduction hundreds of runs.
  if (drawn.from_host.empty() && SizeOf(subject).elements < 5000) {
    Search search({[](const HloModule& module, const DeviceValues& arguments) -> Result<bool> {
                    return Differ(module, arguments);
                  }},
                  /*budget_seconds=*/20);
    if (Result<Reduction> reduction = Reduce(subject, search, {}, Extent::kAll)) subject = reduction->subject;
  }
  std::string text = Cut(PrintHloModule(*subject.module, {.large_constants = true, .reads_back = true}));
  for (const std::vector<Literal>& device : subject.arguments) {
    for (const Literal& argument : device) text += Cut(ArrayToJson(argument).dump());
  }
  const auto add = [&](std::string_view name, const OpOverrides& overrides) {
    const auto value = ValueUnder(overrides, *subject.module, subject.arguments, drawn.from_host);
    text += Cut(fmt::format("{}: {}", name, value ? ArrayToJson(*value).dump() : "an error"));
  };
  add("definition", Definitions());
  add("kernel", {});
  return text;
}

// Draws of the element types of a list, `rounds` of each, with the sizes in turn.
void CheckOp(const Op& op, std::span<const PrimitiveType> types, std::span<const std::int64_t> sizes, int rounds,
             std::uint64_t seed) {
  Random random(seed);
  int compared = 0;
  for (const PrimitiveType type : types) {
    // The formula and MPC differ in the signs of complex powers whose parts are zero, or beyond every number
    // (docs/decisions.md#complex-numbers).
    const bool has_other_signs = op.name == "power" && IsComplexType(type);
    if (!op.legality.types.contains(type) || has_other_signs) continue;
    for (int i = 0; i < rounds; ++i) {
      Wishes wishes;
      wishes.types = TypesOf(type);
      wishes.most_elements = sizes[(i + static_cast<int>(type)) % std::size(sizes)];
      const Result<DrawnInstruction> drawn = TryDrawInstruction(random, op, wishes);
      if (!drawn) continue;
      ++compared;
      if (!Differ(*drawn->module, drawn->operands, drawn->from_host)) continue;
      FAIL(fmt::format("{}: kernel and definition differ\n{}", op.name, Reduced(*drawn)));
    }
  }
  CHECK(compared > 0);
}

TEST_CASE("every kernel gives the bits of its definition", "[kernels]") {
  const bool is_nightly = IsNightly("a hundred draws of each op and type");
  for (const Op* op : OpsWithKernels()) {
    const bool is_small = !is_nightly && std::ranges::count(kSlowOps, op->name) > 0;
    std::span<const std::int64_t> sizes = kSizes;
    if (is_small) sizes = sizes.first(8);
    DYNAMIC_SECTION(op->name) { CheckOp(*op, ArrayTypes(), sizes, is_nightly ? 100 : 2, 1); }
  }
}

TEST_CASE("so does every kernel on large arrays", "[kernels]") {
  const bool is_nightly = IsNightly("large arrays: twelve draws of each op and type");
  // Kernels have code of their own for these.
  const std::vector<PrimitiveType> some = {PRED, S4, S32, U64, BF16, F16, F32, F64, F8E4M3FN, C64};
  for (const Op* op : OpsWithKernels()) {
    // The evaluator cuts element-wise ops into pieces, and their kernels see one piece.
    const bool is_elementwise = op->evaluation.kernel != nullptr;
    if (is_elementwise || std::ranges::count(kSlowDefinitions, op->name) > 0) continue;
    if (!is_nightly && std::ranges::count(kSlowOps, op->name) > 0) continue;
    DYNAMIC_SECTION(op->name) { CheckOp(*op, is_nightly ? ArrayTypes() : some, kLargeSizes, is_nightly ? 12 : 1, 2); }
  }
}

}  // namespace
}  // namespace assay::testing
