#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "conformance/orders/sum_probe.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/suggest.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/types/replace_all.h"

namespace assay {
namespace {

constexpr SumProgram kSumPrograms[] = {
    {"reduce", "the sum of a vector", R"(
ENTRY e {
  x = %T[%N] parameter(0)
  zero = %T[] constant(0)
  ROOT sum = %T[] reduce(x, zero), dimensions={0}, to_apply=add
})"},
    {"reduce-rows", "the sums of the rows of a matrix", R"(
ENTRY e {
  x = %T[16,%N] parameter(0)
  zero = %T[] constant(0)
  ROOT sum = %T[16] reduce(x, zero), dimensions={1}, to_apply=add
})"},
    {"reduce-columns", "the sums of the columns of a matrix", R"(
ENTRY e {
  x = %T[%N,16] parameter(0)
  zero = %T[] constant(0)
  ROOT sum = %T[16] reduce(x, zero), dimensions={0}, to_apply=add
})"},
    {"reduce-window", "one window over a vector", R"(
ENTRY e {
  x = %T[%N] parameter(0)
  zero = %T[] constant(0)
  ROOT sum = %T[1] reduce-window(x, zero), window={size=%N}, to_apply=add
})"},
    {"cumsum", "the last cumulative sum of a vector", R"(
ENTRY e {
  x = %T[%N] parameter(0)
  zero = %T[] constant(0)
  ROOT sum = %T[%N] reduce-window(x, zero), window={size=%N pad=%M_0}, to_apply=add
})"},
    {"dot", "a row times a column", R"(
ENTRY e {
  x = %T[1,%N] parameter(0)
  y = %T[%N,1] parameter(1)
  ROOT sum = %T[1,1] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})"},
    {"matmul", "the last element of a product of matrices, 64 rows by 64 columns", R"(
ENTRY e {
  x = %T[64,%N] parameter(0)
  y = %T[%N,64] parameter(1)
  ROOT sum = %T[64,64] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})"},
    {"convolution", "one window of a convolution", R"(
ENTRY e {
  x = %T[1,1,%N] parameter(0)
  y = %T[1,1,%N] parameter(1)
  ROOT sum = %T[1,1,1] convolution(x, y), window={size=%N}, dim_labels=bf0_io0->bf0
})"},
    {"scatter", "updates of one element", R"(
ENTRY e {
  x = %T[%N] parameter(0)
  zero = %T[1] constant({0})
  index = s32[] constant(0)
  indices = s32[%N,1] broadcast(index), dimensions={}
  ROOT sum = %T[1] scatter(zero, indices, x), update_window_dims={}, inserted_window_dims={0},
      scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
})"},
    {"all-reduce", "one term of each device", R"(
ENTRY e {
  x = %T[] parameter(0)
  ROOT sum = %T[] all-reduce(x), replica_groups={}, to_apply=add
})"},
};

// The computation of all programs that call one.
constexpr std::string_view kAddition = R"(
add {
  a = %T[] parameter(0)
  b = %T[] parameter(1)
  ROOT c = %T[] add(a, b)
}
)";

}  // namespace

std::span<const SumProgram> SumPrograms() { return kSumPrograms; }

Result<std::unique_ptr<HloModule>> MakeSumModule(const std::string& program, PrimitiveType type, std::int64_t terms) {
  const auto* const row = std::ranges::find(kSumPrograms, program, &SumProgram::name);
  if (row == std::end(kSumPrograms)) {
    std::vector<std::string_view> names;
    for (const SumProgram& known : kSumPrograms) names.push_back(known.name);
    return Error{ErrorCode::kUsage, fmt::format("unknown sum {}{}", program, Suggest(program, names))};
  }
  const bool calls = row->text.find("to_apply") != std::string_view::npos;
  const bool is_of_devices = row->text.find("%N") == std::string_view::npos;
  std::string text = fmt::format("HloModule sum{}\n{}{}\n", is_of_devices ? ", replica_count=%N" : "",
                                 calls ? kAddition : "", row->text);
  text = ReplaceAll(std::move(text), "%T", PrimitiveTypeName(type));
  text = ReplaceAll(std::move(text), "%N", std::to_string(terms));
  text = ReplaceAll(std::move(text), "%M", std::to_string(terms - 1));
  ASSAY_TRY(std::unique_ptr<HloModule> module, ParseHloModule(text));
  ASSAY_CHECK_OK(VerifyHloModule(*module));
  return module;
}

}  // namespace assay
