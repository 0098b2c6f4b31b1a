// ragged-dot: the three roles of the ragged dimension.
#include <cmath>
#include <random>

#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

struct Dims {
  Int64List lhs_contracting, rhs_contracting, lhs_batch, rhs_batch, ragged, group;
};

HloInstruction& MakeRaggedDot(Graph& g, const Shape& lhs, const Shape& rhs, const Shape& sizes, const Dims& dims) {
  return g.Add(op_ragged_dot, {&g.Parameter(lhs), &g.Parameter(rhs), &g.Parameter(sizes)},
               {{"lhs_contracting_dims", dims.lhs_contracting},
                {"rhs_contracting_dims", dims.rhs_contracting},
                {"lhs_batch_dims", dims.lhs_batch},
                {"rhs_batch_dims", dims.rhs_batch},
                {"lhs_ragged_dims", dims.ragged},
                {"rhs_group_dims", dims.group}});
}

Literal RaggedDot(const Literal& lhs, const Literal& rhs, const Literal& sizes, const Dims& dims) {
  Graph g;
  return Evaluate(MakeRaggedDot(g, lhs.shape(), rhs.shape(), sizes.shape(), dims), {lhs, rhs, sizes});
}

std::vector<double> SmallNumbers(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<int>(random() % 19) - 9);
  return numbers;
}

TEST_CASE("ragged-dot: each group of rows has its own matrix, rows past the groups are zero") {
  // Four rows, two of the first group, one of the second.
  const Literal lhs = Array(F32, {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Literal rhs = Array(F32, {2, 2, 1}, {1, 10, 100, 1000});
  CHECK(Numbers(RaggedDot(lhs, rhs, Array(S32, {2}, {2, 1}), {{1}, {1}, {}, {}, {0}, {0}})) ==
        std::vector<double>{21, 43, 6500, 0});
  CHECK(Numbers(RaggedDot(lhs, rhs, Array(S32, {2}, {0, 4}), {{1}, {1}, {}, {}, {0}, {0}})) ==
        std::vector<double>{2100, 4300, 6500, 8700});
  // Sizes that exceed the number of rows.
  CHECK(Numbers(RaggedDot(lhs, rhs, Array(S64, {2}, {3, 100}), {{1}, {1}, {}, {}, {0}, {0}})) ==
        std::vector<double>{21, 43, 65, 8700});
}

TEST_CASE("ragged-dot: rows past the groups are NaN in a type without zero, as the sum of no terms is") {
  const Literal lhs = Array(F8E8M0FNU, {2, 1}, {1, 2}), rhs = Array(F8E8M0FNU, {1, 1, 1}, {4});
  const auto rows = Numbers(RaggedDot(lhs, rhs, Array(S32, {1}, {1}), {{1}, {1}, {}, {}, {0}, {0}}));
  CHECK(rows[0] == 4);
  CHECK(std::isnan(rows[1]));
}

// [batch, before, rows, after, k] x [group, batch, k, n], sizes [batch, before, group]
TEST_CASE("ragged-dot: rows between other dimensions, with sizes for each batch") {
  constexpr int kB = 2, kBefore = 3, kRows = 4, kAfter = 2, kK = 3, kN = 2, kGroups = 2;
  const auto a = SmallNumbers(kB * kBefore * kRows * kAfter * kK, 1), b = SmallNumbers(kGroups * kB * kK * kN, 2);
  const std::vector<double> sizes = {1, 2, 0, 4, 3, 1, 4, 0, 2, 1, 0, 0};
  std::vector<double> expected;
  for (int batch = 0; batch < kB; ++batch) {
    for (int before = 0; before < kBefore; ++before) {
      const double first = sizes[(batch * kBefore + before) * 2], second = sizes[(batch * kBefore + before) * 2 + 1];
      for (int row = 0; row < kRows; ++row) {
        for (int after = 0; after < kAfter; ++after) {
          for (int n = 0; n < kN; ++n) {
            double sum = 0;
            const int group = row < first ? 0 : 1;
            for (int k = 0; k < kK && row < first + second; ++k) {
              sum += a[(((batch * kBefore + before) * kRows + row) * kAfter + after) * kK + k] *
                     b[((group * kB + batch) * kK + k) * kN + n];
            }
            expected.push_back(sum);
          }
        }
      }
    }
  }
  const Literal result =
      RaggedDot(Array(F32, {kB, kBefore, kRows, kAfter, kK}, a), Array(F32, {kGroups, kB, kK, kN}, b),
                Array(S32, {kB, kBefore, kGroups}, sizes), {{4}, {2}, {0}, {1}, {2}, {0}});
  CHECK(result.shape().ToStringWithoutLayout() == "f32[2,3,4,2,2]");
  CHECK(Numbers(result) == expected);
}

TEST_CASE("ragged-dot: groups of terms give a result each") {
  // 1*1 + 2*10 | 3*100 | no terms; the fourth term belongs to no group.
  const Literal lhs = Array(F32, {1, 4}, {1, 2, 3, 4}), rhs = Array(F32, {4, 1}, {1, 10, 100, 1000});
  const Literal result = RaggedDot(lhs, rhs, Array(S32, {3}, {2, 1, 0}), {{1}, {0}, {}, {}, {1}, {}});
  CHECK(result.shape().ToStringWithoutLayout() == "f32[3,1,1]");
  CHECK(Numbers(result) == std::vector<double>{21, 300, 0});
}

// [m, outer, batch, k] x [batch, outer, k, n], contracting outer and k, sizes [batch, outer, group]
TEST_CASE("ragged-dot: groups of terms for each batch and outer term") {
  constexpr int kM = 2, kOuter = 2, kB = 2, kK = 5, kN = 3, kGroups = 2;
  const auto a = SmallNumbers(kM * kOuter * kB * kK, 3), b = SmallNumbers(kB * kOuter * kK * kN, 4);
  const std::vector<double> sizes = {1, 2, 5, 0, 0, 5, 2, 2};
  std::vector<double> expected;
  for (int group = 0; group < kGroups; ++group) {
    for (int batch = 0; batch < kB; ++batch) {
      for (int m = 0; m < kM; ++m) {
        for (int n = 0; n < kN; ++n) {
          double sum = 0;
          for (int outer = 0; outer < kOuter; ++outer) {
            const double first = sizes[(batch * kOuter + outer) * 2], second = sizes[(batch * kOuter + outer) * 2 + 1];
            for (int k = 0; k < kK; ++k) {
              if (group == 0 ? k >= first : (k < first || k >= first + second)) continue;
              sum += a[((m * kOuter + outer) * kB + batch) * kK + k] * b[((batch * kOuter + outer) * kK + k) * kN + n];
            }
          }
          expected.push_back(sum);
        }
      }
    }
  }
  const Literal result = RaggedDot(Array(F32, {kM, kOuter, kB, kK}, a), Array(F32, {kB, kOuter, kK, kN}, b),
                                   Array(S32, {kB, kOuter, kGroups}, sizes), {{1, 3}, {1, 2}, {2}, {0}, {3}, {}});
  CHECK(result.shape().ToStringWithoutLayout() == "f32[2,2,2,3]");
  CHECK(Numbers(result) == expected);
}

TEST_CASE("ragged-dot: a ragged batch is a dot") {
  const Literal lhs = Array(F32, {2, 1, 2}, {1, 2, 3, 4}), rhs = Array(F32, {2, 2, 1}, {1, 10, 100, 1000});
  CHECK(Numbers(RaggedDot(lhs, rhs, Array(S32, {2}, {1, 1}), {{2}, {1}, {0}, {0}, {0}, {}})) ==
        std::vector<double>{21, 4300});
}

}  // namespace
}  // namespace assay::testing
