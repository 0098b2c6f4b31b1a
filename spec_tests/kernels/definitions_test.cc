// Every kernel against the definition of its op, on drawn instructions: equal to the last bit.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/json/array_json.h"
#include "conformance/diagnosis/reduce.h"
#include "fuzz/generate/instructions.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"
#include "spec_tests/evaluator/module.h"
#include "spec_tests/nightly.h"

namespace assay::testing {
using namespace generate;
namespace {

// Around the blocks and grains of the kernels: vectors of 4 to 64 elements, blocks of 256, 512, 1024 and 2048, and the
// numbers of elements that one thread takes.
constexpr std::int64_t kSizes[] = {1, 3, 8, 17, 33, 64, 65, 257, 513, 1025, 2049, 4097};
constexpr std::int64_t kLargeSizes[] = {4097, 8193, 16385, 32769};
// Definitions that need n steps for each of n elements, or keep a fold for each element of an operand.
constexpr std::string_view kSlowDefinitions[] = {"cholesky", "convolution",        "fft",
                                                 "scatter",  "select-and-scatter", "triangular-solve"};
// Definitions and kernels that are slow on the elements of a large array.
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

// Catch2 needs minutes to wrap a long line.
std::string Cut(std::string text) {
  constexpr std::size_t kMost = 2000;
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  return text + "\n";
}

// Returns the smallest module that still differs, with its arguments and both values.
std::string Reduced(const DrawnInstruction& drawn) {
  Subject subject = {std::shared_ptr<const HloModule>(drawn.module.get(), [](const HloModule*) {}), drawn.operands};
  // A definition needs seconds on a large array, and a reduction hundreds of runs.
  if (drawn.from_host.empty() && SizeOf(subject).elements < 5000) {
    Search search({[](const HloModule& module, const DeviceValues& arguments) -> Result<bool> {
                    return Differ(module, arguments);
                  }},
                  /*budget_seconds=*/20);
    if (Result<Reduction> reduction = Reduce(subject, search, {}, ReductionScope::kAll)) subject = reduction->subject;
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

// Checks draws of the element types of a list, `rounds` of each, with the sizes in turn.
void CheckOp(const Op& op, std::span<const PrimitiveType> types, std::span<const std::int64_t> sizes, int rounds,
             std::uint64_t seed) {
  Random random(seed);
  int compared = 0;
  for (const PrimitiveType type : types) {
    if (!op.legality.types.contains(type)) continue;
    for (int i = 0; i < rounds; ++i) {
      DrawConstraints constraints;
      constraints.types = TypesOf(type);
      constraints.most_elements = sizes[(i + static_cast<int>(type)) % std::size(sizes)];
      const Result<DrawnInstruction> drawn = TryDrawInstruction(random, op, constraints);
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

TEST_CASE("every kernel gives the bits of its definition on large arrays", "[kernels]") {
  const bool is_nightly = IsNightly("large arrays: twelve draws of each op and type");
  // Kernels have special code for these types.
  const std::vector<PrimitiveType> some = {PRED, S4, S32, U64, BF16, F16, F32, F64, F8E4M3FN, C64};
  for (const Op* op : OpsWithKernels()) {
    // The evaluator splits element-wise ops into pieces, and their kernels see one piece.
    const bool is_elementwise = op->evaluation.kernel != nullptr;
    if (is_elementwise || std::ranges::count(kSlowDefinitions, op->name) > 0) continue;
    if (!is_nightly && std::ranges::count(kSlowOps, op->name) > 0) continue;
    DYNAMIC_SECTION(op->name) { CheckOp(*op, is_nightly ? ArrayTypes() : some, kLargeSizes, is_nightly ? 12 : 1, 2); }
  }
}

// Forms with special code in a kernel that draws seldom produce.
constexpr std::string_view kSeldomDrawn[] = {
    // Many slices of few lanes: halves are folded onto each other, if the order does not matter. That of products does.
    R"(ENTRY e { p = f32[701,3] parameter(0) i = f32[] parameter(1)
                 ROOT r = f32[3] reduce(p, i), dimensions={0}, to_apply=multiply_f32 })",
    R"(ENTRY e { p = f32[701,3] parameter(0) i = f32[] parameter(1)
                 ROOT r = f32[3] reduce(p, i), dimensions={0}, to_apply=maximum_f32 })",
    // More slices of more lanes than one piece has.
    R"(ENTRY e { p = s16[3,2500] parameter(0) i = s16[] parameter(1)
                 ROOT r = s16[2500] reduce(p, i), dimensions={0}, to_apply=subtract_s16 })",
    // Windows that slide: terms come and go, infinities and NaNs among them.
    R"(ENTRY e { p = f32[310] parameter(0) i = f32[] parameter(1)
                 ROOT r = f32[241] reduce-window(p, i), window={size=150 pad=40_40}, to_apply=add_f32 })",
    R"(ENTRY e { p = f16[2,180,2] parameter(0) i = f16[] parameter(1)
                 ROOT r = f16[2,133,2] reduce-window(p, i),
                          window={size=1x128x1 stride=1x2x1 pad=0_0x30_4x0_0 lhs_dilate=1x2x1}, to_apply=add_f16 })",
    // Cells that lie on padding at every position, below the base and above it.
    R"(ENTRY e { p = f32[3] parameter(0) i = f32[] parameter(1)
                 ROOT r = f32[2] reduce-window(p, i), window={size=5 stride=2 pad=7_6 rhs_dilate=3},
                          to_apply=add_f32 })",
    R"(ENTRY e { p = f32[9] parameter(0) i = f32[] parameter(1)
                 ROOT r = f32[2] reduce-window(p, i), window={size=3 pad=-2_-1 rhs_dilate=2}, to_apply=add_f32 })",
    R"(ENTRY e { p = f32[1,6,7,2] parameter(0) k = f32[3,2,2,3] parameter(1)
                 ROOT r = f32[1,5,6,3] convolution(p, k), dim_labels=b01f_01io->b01f,
                          window={size=3x2 stride=2x1 pad=4_3x1_-1 lhs_dilate=1x1 rhs_dilate=2x1 rhs_reversal=1x0} })",
    // A comparator whose answers are no order: segments of a merge do not begin where the ones before them ended.
    R"(f { a = s32[] parameter(0) b = s32[] parameter(1) c = s32[] multiply(a, b) d = s32[] constant(3)
           g = s32[] and(c, d) h = s32[] constant(1) ROOT r = pred[] compare(g, h), direction=GT }
       ENTRY e { p = s32[1500] parameter(0) ROOT r = s32[1500] sort(p), dimensions={0}, to_apply=f })",
    R"(ENTRY e { a = c64[700] parameter(0) b = c64[700] parameter(1) ROOT r = pred[700] compare(a, b), direction=EQ })",
    R"(ENTRY e { a = f32[700] parameter(0) b = f32[700] parameter(1)
                 ROOT r = pred[700] compare(a, b), direction=LT, type=TOTALORDER })",
    // Cumulative sums of more lanes than a block has.
    R"(f { x = f16[300] parameter(0) y = f16[300] parameter(1) z = f16[300] add(y, x)
           ROOT t = (f16[300], f16[300]) tuple(z, z) }
       ENTRY e { p = f16[4,300] parameter(0) i = f16[300] parameter(1)
                 ROOT r = (f16[4,300], f16[300]) scan(p, i), dimensions={0}, num_carries=1, to_apply=f })",
    // Zeros of both signs, equal and unequal, in both parts.
    R"(ENTRY e { p = pred[4,99] parameter(0) q = pred[4,99] parameter(1) n = f32[] constant(-0) z = f32[] constant(0)
                 ns = f32[4,99] broadcast(n), dimensions={} zs = f32[4,99] broadcast(z), dimensions={}
                 x = f32[4,99] select(p, ns, zs) y = f32[4,99] select(q, ns, zs) c = c64[4,99] complex(x, y)
                 a = c64[1,99] slice(c), slice={[0:1], [0:99]} b = c64[1,99] slice(c), slice={[1:2], [0:99]}
                 d = c64[1,99] slice(c), slice={[2:3], [0:99]} ROOT r = c64[1,99] clamp(a, b, d) })",
    // Blocks that are counted over a halved dimension between others.
    R"(ENTRY e { s = u64[2] parameter(0)
                 ROOT r = (u64[2], u16[3,4,5]) rng-bit-generator(s), algorithm=rng_three_fry })",
    R"(ENTRY e { s = u64[2] parameter(0)
                 ROOT r = (u64[2], u8[3,7,5]) rng-bit-generator(s), algorithm=rng_three_fry })",
    // Random numbers between any two: most are drawn again, the interval is empty or infinite, its length is no number.
    R"(ENTRY e { a = f8e4m3fn[] parameter(0) b = f8e4m3fn[] parameter(1)
                 ROOT r = f8e4m3fn[300] rng(a, b), distribution=rng_uniform })",
    R"(ENTRY e { a = f64[] parameter(0) b = f64[] parameter(1)
                 ROOT r = f64[300] rng(a, b), distribution=rng_uniform })",
    R"(ENTRY e { a = f64[] constant(-1.7e308) b = f64[] constant(1.7e308)
                 ROOT r = f64[300] rng(a, b), distribution=rng_uniform })",
    R"(ENTRY e { a = bf16[] constant(1) b = bf16[] constant(1.0078125)
                 ROOT r = bf16[300] rng(a, b), distribution=rng_uniform })",
    R"(ENTRY e { a = bf16[] parameter(0) b = bf16[] parameter(1)
                 ROOT r = bf16[300] rng(a, b), distribution=rng_normal })",
    R"(ENTRY e { a = s64[] parameter(0) b = s64[] parameter(1)
                 ROOT r = s64[300] rng(a, b), distribution=rng_uniform })",
    R"(ENTRY e { a = u4[] parameter(0) b = u4[] parameter(1) ROOT r = u4[300] rng(a, b), distribution=rng_uniform })",
    // Sums without irrational roots, which are halfway between two numbers or cancel.
    R"(ENTRY e { p = c64[90,4] parameter(0) ROOT r = c64[90,4] fft(p), fft_type=FFT, fft_length={4} })",
    R"(ENTRY e { p = f32[60,8] parameter(0) ROOT r = c64[60,5] fft(p), fft_type=RFFT, fft_length={8} })",
    // More transforms than one thread takes at a time, and more positions of a window.
    R"(ENTRY e { p = c64[1100,8] parameter(0) ROOT r = c64[1100,8] fft(p), fft_type=IFFT, fft_length={8} })",
    R"(ENTRY e { p = f32[1,27,21,1] parameter(0) k = f32[1,2,1,2] parameter(1)
                 ROOT r = f32[1,27,20,2] convolution(p, k), dim_labels=b01f_01io->b01f, window={size=1x2} })",
    // More updates than one call of the combiner takes, and more sums than are rounded together.
    R"(ENTRY e { p = s32[4300] parameter(0) i = s32[4200] iota(), iota_dimension=0 u = s32[4200] parameter(1)
                 ROOT r = s32[4300] scatter(p, i, u), update_window_dims={}, inserted_window_dims={0},
                          scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=subtract_s32 })",
    R"(ENTRY e { p = f16[1300] parameter(0) i = s32[1250] iota(), iota_dimension=0 u = f16[1250] parameter(1)
                 ROOT r = f16[1300] scatter(p, i, u), update_window_dims={}, inserted_window_dims={0},
                          scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_f16 })",
    // Windows that are rows: several updates of one, rows of complex numbers, and rows that overlap in part.
    R"(ENTRY e { p = f32[7,12] parameter(0) i = s32[9,1] constant({ {3}, {0}, {3}, {6}, {-1}, {3}, {7}, {0}, {5} })
                 u = f32[9,12] parameter(1)
                 ROOT r = f32[7,12] scatter(p, i, u), update_window_dims={1}, inserted_window_dims={0},
                          scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_f32 })",
    R"(ENTRY e { p = c64[5,2,4] parameter(0) i = u8[6,1] constant({ {4}, {4}, {0}, {2}, {4}, {9} })
                 u = c64[6,2,4] parameter(1)
                 ROOT r = c64[5,2,4] scatter(p, i, u), update_window_dims={1,2}, inserted_window_dims={0},
                          scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_c64 })",
    R"(ENTRY e { p = bf16[60] parameter(0) i = s64[4,1] constant({ {3}, {40}, {8}, {40} }) u = bf16[4,10] parameter(1)
                 ROOT r = bf16[60] scatter(p, i, u), update_window_dims={1}, inserted_window_dims={},
                          scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_bf16 })",
    // Sums longer than a block of a row, rows with a rest, and initial values of each result.
    R"(ENTRY e { p = f32[3,1100] parameter(0) z = f32[] parameter(1)
                 ROOT r = f32[3] reduce(p, z), dimensions={1}, to_apply=add_f32 })",
    R"(ENTRY e { p = f16[70,45] parameter(0) z = f16[] parameter(1)
                 ROOT r = f16[70] reduce(p, z), dimensions={1}, to_apply=add_f16 })",
    R"(ENTRY e { p = f64[3,700,3] parameter(0) z = f64[] parameter(1)
                 ROOT r = f64[3,3] reduce(p, z), dimensions={1}, to_apply=add_f64 })",
    // An inverse transform to real numbers, several rows of half a spectrum.
    R"(ENTRY e { p = c64[9,6,5] parameter(0) ROOT r = f32[9,6,8] fft(p), fft_type=IRFFT, fft_length={6,8} })",
    R"(ENTRY e { p = c64[9,38] parameter(0) ROOT r = f32[9,75] fft(p), fft_type=IRFFT, fft_length={75} })",
    // More rows and more lanes than a block of a product has.
    R"(ENTRY e { a = f32[131,3] parameter(0) b = f32[3,150] parameter(1)
                 ROOT r = f32[131,150] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} })",
    // Products that f64 holds exactly, with a NaN among them.
    R"(ENTRY e { a = f8e4m3fnuz[3,2] parameter(0) b = f8e4m3fnuz[2,4] parameter(1)
                 ROOT r = f64[3,4] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} })",
    R"(ENTRY e { a = f8e4m3fnuz[1,2] parameter(0) b = f8e4m3fnuz[4,2] constant(
                   { {1, 2}, {3, 4}, {nan, 1}, {5, 6} })
                 ROOT r = f64[1,4] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={1} })",
    // Tiles of elements of several bytes, padding included, and their bytes as another type.
    R"(ENTRY e { a = s16[3,5]{1,0:T(2,4)} parameter(0) ROOT r = s16[32]{0} bitcast(a) })",
    R"(ENTRY e { a = c64[32]{0} parameter(0) ROOT r = f64[5,3]{0,1:T(2,4)} bitcast(a) })",
    R"(ENTRY e { p = f32[1,601,2] parameter(0) k = f32[2,2,1] parameter(1)
                 ROOT r = f32[1,600,1] convolution(p, k), dim_labels=b0f_0io->b0f, window={size=2} })",
    // Batches before a ragged dimension that has others around it.
    R"(ENTRY e { a = f32[2,3,6,4] parameter(0) b = f32[2,2,4,5] parameter(1) g = s32[2,3,2] constant(
                   { { {4, 2}, {1, 5}, {0, 6} }, { {3, 3}, {6, 0}, {2, 2} } })
                 ROOT r = f32[2,3,6,5] ragged-dot(a, b, g), lhs_batch_dims={0}, rhs_batch_dims={1},
                          lhs_contracting_dims={3}, rhs_contracting_dims={2}, lhs_ragged_dims={2},
                          rhs_group_dims={0} })",
};

// Checks a module on operands of every class.
void CheckText(const std::string& text) {
  INFO(text);
  const auto module = Parsed(text);
  Random random(3);
  for (const EdgeClass edge_class : AllEdgeClasses()) {
    std::vector<Literal> arguments;
    for (const HloInstruction* parameter : module->entry->Parameters()) {
      arguments.push_back(DrawValue(random, parameter->shape, edge_class));
    }
    INFO(EdgeClassName(edge_class));
    CHECK_FALSE(Differ(*module, {arguments}));
  }
}

TEST_CASE("every kernel gives the bits of its definition on forms that draws seldom have", "[kernels]") {
  for (const std::string_view text : kSeldomDrawn) CheckText(std::string(text));
}

// Draws have few rows that are much longer than k, and only the largest elements.
TEST_CASE("the least of many NaNs is the one that the definition gives, of either sign", "[kernels]") {
  for (const std::string_view step : {"minimum(a, b)", "minimum(b, a)", "maximum(a, b)"}) {
    INFO(step);
    const auto module = Parsed(fmt::format(R"(step {{ a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] {} }}
ENTRY e {{ x = f32[3,2700] parameter(0)
  z = f32[] parameter(1)
  ROOT r = f32[3] reduce(x, z), dimensions={{1}}, to_apply=step }})",
                                           step));
    Literal x(ShapeUtil::MakeShape(F32, {3, 2700}));
    const auto bits = x.mutable_values<std::uint32_t>();
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = i * 7919 % 5 < 2 ? 0x7fc00000 : i % 3 == 0 ? 0xffc00000 : 0;
    CHECK_FALSE(Differ(*module, {{x, LiteralUtil::CreateR0(0.0F)}}, {}));
  }
}

TEST_CASE("topk's kernel gives the bits of the definition for rows of any length and any k", "[kernels]") {
  for (const PrimitiveType type : ArrayTypes()) {
    if (!op_topk.legality.types.contains(type)) continue;
    for (const bool largest : {true, false}) {
      for (const auto& [n, k] : std::vector<std::pair<int, int>>{{700, 1}, {711, 9}, {320, 64}, {300, 300}}) {
        CheckText(fmt::format(
            "ENTRY e {{ a = {0}[2,1,{1}] parameter(0)\n ROOT r = ({0}[2,1,{2}], s32[2,1,{2}]) topk(a), k={2}, "
            "largest={3} }}",
            PrimitiveTypeName(type), n, k, largest));
      }
    }
  }
}

}  // namespace
}  // namespace assay::testing
