// Ops that return all elements of their operand in order: the result is the operand's buffer.
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

struct SharingRow {
  const char *operand, *result;
};

constexpr SharingRow kSharing[] = {
    {"f32[2,3]", "f32[3,2] bitcast(x)"},
    {"f32[2,3]{0,1}", "f32[2,3]{0,1} bitcast(x)"},
    {"f64[5]", "f64[1,5,1] broadcast(x), dimensions={1}"},
    {"s32[2]", "s32[2] concatenate(x), dimensions={0}"},
    {"f32[2,3]", "f32[2,3]{0,1} copy(x)"},
    {"s32[3]", "s32[3] dynamic-slice(x, zero), dynamic_slice_sizes={3}"},
    {"s32[1]", "s32[1] pad(x, zero), padding=0_0"},
    {"f32[4,2,3]", "f32[3,8] reshape(x)"},
    {"s32[1,3]", "s32[1,3] reverse(x), dimensions={}"},
    {"s32[1,3]", "s32[1,3] reverse(x), dimensions={0}"},
    {"f32[10]", "f32[<=10] set-dimension-size(x, ten), dimensions={0}"},
    {"s32[7]", "s32[7] slice(x), slice={[0:7]}"},
    {"f32[3,1]", "f32[3,1] sort(x), dimensions={1}, to_apply=LT_f32"},
    {"f32[1,3,1,2]", "f32[3,1,2,1] transpose(x), dimensions={1,0,3,2}"},
    {"f32[1,3,1,2]", "f32[1,3,1,2] transpose(x), dimensions={0,1,2,3}"},
    // The only update is out of bounds, or there is none.
    {"s32[3]",
     "s32[3] scatter(x, far, one), update_window_dims={}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32"},
    {"s32[3]",
     "s32[3] scatter(x, none, none), update_window_dims={}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32"},
};

TEST_CASE("ops that return the elements of their operand in order share its buffer") {
  for (const auto& [operand, result] : kSharing) {
    INFO(result);
    const auto module = Parsed(fmt::format(R"(  x = {} parameter(0)
  zero = s32[] constant(0)
  ten = s32[] constant(10)
  one = s32[1] constant({{1}})
  far = s32[1] constant({{3}})
  none = s32[0] constant({{}})
  ROOT r = {})",
                                           operand, result));
    const Literal x(module->entry->instructions[0]->shape);
    CHECK(Evaluated(*module, {x}).data() == x.data());
  }
}

}  // namespace
}  // namespace assay::testing
