// Ops on arrays that several threads and many blocks compute: each element of the result is a formula of its number.
#include <algorithm>

#include "spec_tests/evaluator/module.h"
#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

using Formula = double (*)(std::int64_t i);

struct LargeRow {
  const char* text;
  std::vector<Formula> operands;  // of each parameter
  Formula result;
};

double Number(std::int64_t i) { return static_cast<double>(i); }
double SevenTimes(std::int64_t i) { return static_cast<double>(i * 7 % 1000000); }
double Digit(std::int64_t i) { return static_cast<double>(i % 100); }
double Third(std::int64_t i) { return static_cast<double>(i % 3); }
double Square(std::int64_t i) { return static_cast<double>(i * i % 1009 - 500); }
double SumOfProducts(std::int64_t) {
  double sum = 0;
  for (std::int64_t i = 0; i < 40000; ++i) sum += Digit(i) * Third(i);
  return sum;
}
double Pixel(std::int64_t i) { return static_cast<double>(i * 7919 % 41 - 20); }
double Weight(std::int64_t i) { return static_cast<double>(i * 31 % 19 - 9); }

// The definition of a convolution of [2,40,50,3] by [3,3,3,5] with features last and an edge of one.
double Convolved(std::int64_t i) {
  const std::int64_t o = i % 5, x = i / 5 % 50, y = i / 250 % 40, image = i / 10000;
  double sum = 0;
  for (std::int64_t k = 0; k < 27; ++k) {
    const std::int64_t iy = y + k / 9 - 1, ix = x + k / 3 % 3 - 1;
    if (iy < 0 || iy >= 40 || ix < 0 || ix >= 50) continue;
    sum += Pixel(((image * 40 + iy) * 50 + ix) * 3 + k % 3) * Weight(k * 5 + o);
  }
  return sum;
}

// Sums windows of 3 rows, each other row, and 2 columns of [3,300,40].
double WindowSum(std::int64_t i) {
  const std::int64_t column = i % 39, row = i / 39 % 150 * 2 - 1, plane = i / 39 / 150;
  double sum = 0;
  for (std::int64_t y = std::max<std::int64_t>(row, 0); y < row + 3; ++y) {
    sum += Square((plane * 300 + y) * 40 + column) + Square((plane * 300 + y) * 40 + column + 1);
  }
  return sum;
}

const LargeRow kLargeRows[] = {
    {R"(x = s32[1000,1000] parameter(0)
        i = u16[1000000,2] parameter(1)
        ROOT r = s32[1000000] gather(x, i), offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1},
          index_vector_dim=1, slice_sizes={1,1})",
     {Number, [](std::int64_t i) { return i % 2 == 0 ? Number(i / 2 % 1000) : Number(i / 2000); }},
     [](std::int64_t i) { return Number(i % 1000 * 1000 + i / 1000); }},
    {R"(x = s32[1000000] parameter(0)
        i = s32[1000000] parameter(1)
        ROOT r = s32[1000000] scatter(x, i, i), update_window_dims={}, inserted_window_dims={0},
          scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32)",
     {[](std::int64_t) { return 5.0; }, SevenTimes},
     [](std::int64_t i) { return Number(i + 5); }},
    {R"(x = s32[1000] parameter(0)
        i = s32[1000000] parameter(1)
        u = s32[1000000] parameter(2)
        ROOT r = s32[1000] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0},
          scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32)",
     {Number, [](std::int64_t i) { return Number(i * 7 % 1000); }, [](std::int64_t) { return 1.0; }},
     [](std::int64_t i) { return Number(i + 1000); }},
    // 2^24 - 1 + 1000000 / 2^20 rounds to 2^24.
    {R"(x = f32[2] parameter(0)
        i = s32[1000000] parameter(1)
        u = f32[1000000] parameter(2)
        ROOT r = f32[2] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0},
          scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_f32)",
     {[](std::int64_t i) { return i == 0 ? 16777215.0 : 0; }, [](std::int64_t) { return 0.0; },
      [](std::int64_t) { return 0x1p-20; }},
     [](std::int64_t i) { return i == 0 ? 16777216.0 : 0; }},
    {R"(x = s32[301,7,403] parameter(0)
        ROOT r = s32[403,7,301] transpose(x), dimensions={2,1,0})",
     {Number},
     [](std::int64_t i) { return Number((i % 301 * 7 + i / 301 % 7) * 403 + i / 2107); }},
    {R"(x = s32[2,2,2,2,2,2,2,2,2,2,2,2] parameter(0)
        ROOT r = s32[2,2,2,2,2,2,2,2,2,2,2,2] transpose(x), dimensions={11,10,9,8,7,6,5,4,3,2,1,0})",
     {Number},
     [](std::int64_t i) {
       std::int64_t reversed = 0;
       for (int bit = 0; bit < 12; ++bit) reversed = 2 * reversed + (i >> bit & 1);
       return Number(reversed);
     }},
    {R"(x = f32[100003] parameter(0)
        y = f32[100003] parameter(1)
        ROOT r = f32[100003] map(x, y), dimensions={0}, to_apply=subtract_f32)",
     {Number, Digit},
     [](std::int64_t i) { return Number(i) - Digit(i); }},
    {R"(x = f32[40000] parameter(0)
        y = f32[40000] parameter(1)
        ROOT r = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0})",
     {Digit, Third},
     SumOfProducts},
    {R"(x = s32[40000] parameter(0)
        y = s32[40000] parameter(1)
        ROOT r = s32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0})",
     {Digit, Third},
     SumOfProducts},
    {R"(x = f32[2,40,50,3] parameter(0)
        k = f32[3,3,3,5] parameter(1)
        ROOT r = f32[2,40,50,5] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f)",
     {Pixel, Weight},
     Convolved},
    {R"(x = s32[100003,3] parameter(0)
        z = s32[] constant(5)
        ROOT r = s32[3] reduce(x, z), dimensions={0}, to_apply=add_s32)",
     {Square},
     [](std::int64_t i) {
       double sum = 5;
       for (std::int64_t row = 0; row < 100003; ++row) sum += Square(3 * row + i);
       return sum;
     }},
    {R"(x = f32[3,300,40] parameter(0)
        z = f32[] constant(0)
        ROOT r = f32[3,150,39] reduce-window(x, z), window={size=1x3x2 stride=1x2x1 pad=0_0x1_0x0_0},
          to_apply=add_f32)",
     {Square},
     WindowSum},
    // The sum of 7 numbers in a row is zero.
    {R"(x = f32[100000] parameter(0)
        z = f32[] constant(0)
        ROOT r = f32[100000] reduce-window(x, z), window={size=100000 pad=99999_0}, to_apply=add_f32)",
     {[](std::int64_t i) { return Number(i % 7 - 3); }},
     [](std::int64_t i) { return Number(i % 7 * (i % 7 + 1) / 2 - 3 * (i % 7 + 1)); }},
    {R"(x = f32[1000003] parameter(0)
        ROOT r = f32[1000003] sort(x), dimensions={0}, to_apply=LT_f32)",
     {[](std::int64_t i) { return Number(i * 48271 % 1000003); }},
     Number},
};

std::vector<double> ElementsOf(std::int64_t count, Formula formula) {
  std::vector<double> numbers(count);
  for (std::int64_t i = 0; i < count; ++i) numbers[i] = formula(i);
  return numbers;
}

TEST_CASE("each element of a large result is that of its formula") {
  for (const LargeRow& row : kLargeRows) {
    INFO(row.text);
    const auto module = Parsed(row.text);
    std::vector<Literal> operands;
    for (const HloInstruction* parameter : module->entry->Parameters()) {
      const Shape& shape = parameter->shape;
      const Formula formula = row.operands[operands.size()];
      operands.push_back(
          Array(shape.element_type(), shape.dimensions(), ElementsOf(ShapeUtil::ElementsIn(shape), formula)));
    }
    const std::vector<double> found = Numbers(Evaluated(*module, std::move(operands)));
    const bool is_equal = found == ElementsOf(std::ssize(found), row.result);
    CHECK(is_equal);
  }
}

}  // namespace
}  // namespace assay::testing
