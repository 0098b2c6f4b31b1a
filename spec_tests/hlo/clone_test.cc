#include "interpreter/hlo/clone.h"

#include "interpreter/hlo/printer.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

constexpr std::string_view kTwoPrograms =
    "HloModule m, input_output_alias={ {0}: (1, {}, may-alias) }, buffer_donor={ (0, {}) }, "
    "allow_spmd_sharding_propagation_to_parameters={true,false}, allow_spmd_sharding_propagation_to_output={true,true}"
    R"(
other {
  y = f32[2]{0} parameter(0)
  ROOT n = f32[2]{0} negate(y)
}
ENTRY e {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = (s32[], s32[]) tuple(a, b)
})";

TEST_CASE("a module with another entry has a header that fits it", "[hlo]") {
  const auto module = Parsed(std::string(kTwoPrograms));
  const auto cut = CloneWithEntry(*module, *module->FindComputation("other"));
  CHECK(VerifyHloModule(*cut));
  CHECK(cut->header_attributes.empty());
  CHECK(PrintHloModule(*cut).find("HloModule m, entry_computation_layout={(f32[2]{0})->f32[2]{0}}\n\nENTRY %other ") ==
        0);
}

TEST_CASE("a module with its own entry keeps its header", "[hlo]") {
  const auto module = Parsed(std::string(kTwoPrograms));
  const auto cut = CloneWithEntry(*module, *module->entry);
  CHECK(cut->header_attributes == module->header_attributes);
  CHECK(cut->header_attributes.size() == 4);
  CHECK(cut->entry_parameter_layouts == module->entry_parameter_layouts);
  CHECK(cut->FindComputation("other") == nullptr);
}

}  // namespace
}  // namespace assay::testing
