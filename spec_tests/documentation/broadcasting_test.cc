// The examples of XLA, Broadcasting, in the order of the text. Each case is named after its section; the numbers are
// those of the page.
#include "interpreter/hlo/broadcasting.h"

#include <cstdint>
#include <vector>

#include "spec_tests/catch.h"

using namespace assay;

namespace {

using Values = std::vector<std::int32_t>;

Literal Array(Dimensions dimensions, const Values& values) {
  return LiteralUtil::Create<std::int32_t>(S32, std::move(dimensions), values);
}

Values ValuesOf(const Literal& literal) {
  const auto values = literal.values<std::int32_t>();
  return {values.begin(), values.end()};
}

struct Sum {
  Dimensions dimensions;
  Values values;
  bool operator==(const Sum&) const = default;
};

// Computes lhs + rhs with broadcasting by hand, because the addition is not tested here.
Sum Add(const Literal& lhs, const Literal& rhs, std::vector<std::int64_t> broadcast_dimensions = {}) {
  const auto plan = PlanBroadcast(lhs.shape(), rhs.shape(), broadcast_dimensions);
  REQUIRE(plan.has_value());
  const Dimensions& dimensions = plan->result.dimensions();
  const Literal left = BroadcastInDim(lhs, plan->lhs.broadcast_dimensions, dimensions);
  const Literal right = BroadcastInDim(rhs, plan->rhs.broadcast_dimensions, dimensions);
  REQUIRE(left.shape().dimensions() == dimensions);
  REQUIRE(right.shape().dimensions() == dimensions);
  Values sum = ValuesOf(left);
  const Values addend = ValuesOf(right);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += addend[i];
  return {dimensions, sum};
}

Shape Of(Dimensions dimensions) { return ShapeUtil::MakeShape(S32, std::move(dimensions)); }

Dimensions Inferred(Dimensions lhs, Dimensions rhs, std::vector<std::int64_t> broadcast_dimensions = {}) {
  const auto plan = PlanBroadcast(Of(std::move(lhs)), Of(std::move(rhs)), broadcast_dimensions);
  INFO((plan.has_value() ? "" : plan.error().message));
  REQUIRE(plan.has_value());
  return plan->result.dimensions();
}

std::string Rejected(Dimensions lhs, Dimensions rhs, std::vector<std::int64_t> broadcast_dimensions = {}) {
  const auto plan = PlanBroadcast(Of(std::move(lhs)), Of(std::move(rhs)), broadcast_dimensions);
  REQUIRE_FALSE(plan.has_value());
  CHECK(plan.error().code == ErrorCode::kIllegal);
  return plan.error().message;
}

const Literal kMatrix = Array({2, 3}, {1, 2, 3, 4, 5, 6});
const Literal kVector = Array({3}, {7, 8, 9});
const Literal kSquareOfZeros = Array({3, 3}, Values(9, 0));

}  // namespace

TEST_CASE("broadcasting: What is broadcasting?") {
  CHECK(Add(kMatrix, kVector, {1}) == Sum{{2, 3}, {8, 10, 12, 11, 13, 15}});
}

TEST_CASE("broadcasting: What is broadcasting? - the vector's length has to match a dimension") {
  CHECK(Rejected({2, 3}, {4}, {1}) ==
        "dimension 0 of s32[4] is matched to dimension 1 of s32[2,3]: sizes must be equal or one of them 1, found 4 "
        "and 3");
}

TEST_CASE("broadcasting: Principles - operands of different ranks need an explicit specification") {
  CHECK(Rejected({2, 3}, {3}) == "operands of different ranks need broadcast_dimensions, found s32[3] and s32[2,3]");
  CHECK(Rejected({3}, {2, 3}) == "operands of different ranks need broadcast_dimensions, found s32[3] and s32[2,3]");
}

TEST_CASE("broadcasting: Broadcasting a lower-rank array onto a higher-rank array - scalars") {
  const Literal seven = Array({}, {7});
  CHECK(Add(kMatrix, seven) == Sum{{2, 3}, {8, 9, 10, 11, 12, 13}});
  CHECK(Add(seven, kMatrix) == Sum{{2, 3}, {8, 9, 10, 11, 12, 13}});
  CHECK(Add(seven, seven) == Sum{{}, {14}});
}

TEST_CASE("broadcasting: Broadcasting a lower-rank array onto a higher-rank array - matrix and vector") {
  // "|7 8 9| ==> |7 8 9|
  //              |7 8 9|"
  CHECK(ValuesOf(BroadcastInDim(kVector, std::vector<std::int64_t>{1}, {2, 3})) == Values{7, 8, 9, 7, 8, 9});
}

TEST_CASE("broadcasting: Broadcasting a lower-rank array onto a higher-rank array - two ways for 3x3") {
  CHECK(Add(kSquareOfZeros, kVector, {1}) == Sum{{3, 3}, {7, 8, 9, 7, 8, 9, 7, 8, 9}});
  CHECK(Add(kSquareOfZeros, kVector, {0}) == Sum{{3, 3}, {7, 7, 7, 8, 8, 8, 9, 9, 9}});
}

TEST_CASE("broadcasting: Note - a 2x3 matrix and a 3-element vector, broadcasting dimension 0 is invalid") {
  CHECK(Rejected({2, 3}, {3}, {0}) ==
        "dimension 0 of s32[3] is matched to dimension 0 of s32[2,3]: sizes must be equal or one of them 1, found 3 "
        "and 2");
}

TEST_CASE("broadcasting: a 2x3x4 cuboid and a 3x4 matrix, broadcasting tuple (1,2)") {
  CHECK(Inferred({2, 3, 4}, {3, 4}, {1, 2}) == Dimensions{2, 3, 4});
  const auto plan = PlanBroadcast(Of({2, 3, 4}), Of({3, 4}), std::vector<std::int64_t>{1, 2});
  CHECK(plan->rhs.broadcast_dimensions == std::vector<std::int64_t>{1, 2});
  Values matrix(12);
  for (int i = 0; i < 12; ++i) matrix[i] = i;
  Values twice = matrix;
  twice.insert(twice.end(), matrix.begin(), matrix.end());
  CHECK(Add(Array({2, 3, 4}, Values(24, 0)), Array({3, 4}, matrix), {1, 2}) == Sum{{2, 3, 4}, twice});
}

TEST_CASE("broadcasting: Formal definition - a vector T on MxNxPxQ") {
  const Dimensions mnpq = {2, 3, 4, 5};
  for (std::int64_t dimension = 0; dimension < 4; ++dimension) {
    INFO("dim " << dimension);
    CHECK(Inferred(mnpq, {mnpq[dimension]}, {dimension}) == mnpq);
    // T has to be equal to the matching dimension.
    Rejected(mnpq, {mnpq[dimension] + 1}, {dimension});
  }
  CHECK(Rejected(mnpq, {5}, {4}) == "broadcast dimension 4 is not a dimension of the higher-rank operand s32[2,3,4,5]");
  CHECK(Rejected(mnpq, {5}, {-1}) ==
        "broadcast dimension -1 is not a dimension of the higher-rank operand s32[2,3,4,5]");
}

TEST_CASE("broadcasting: Formal definition - a matrix TxV on MxNxPxQ") {
  const Dimensions mnpq = {2, 3, 4, 5};
  // The page lists (2,3), (1,2), (0,3) and "etc.": the other increasing pairs.
  for (const auto& [t, v] : {std::pair{2, 3}, {1, 2}, {0, 3}, {0, 1}, {0, 2}, {1, 3}}) {
    INFO("dim " << t << "," << v);
    CHECK(Inferred(mnpq, {mnpq[t], mnpq[v]}, {t, v}) == mnpq);
  }
}

TEST_CASE("broadcasting: Formal definition - strictly increasing") {
  // Every size is 2, so that only the order can be wrong. T and V are dimensions 0 and 1 of the matrix.
  const Dimensions mnpq = {2, 2, 2, 2};
  // "it is illegal to match V to N and T to P"
  CHECK(Rejected(mnpq, {2, 2}, {2, 1}) == "broadcast_dimensions must be strictly increasing, found {2,1}");
  // "it is also illegal to match V to both P and N"
  CHECK(Rejected(mnpq, {2, 2}, {1, 1}) == "broadcast_dimensions must be strictly increasing, found {1,1}");
  CHECK(Rejected(mnpq, {2, 2}, {1, 2, 3}) ==
        "broadcast_dimensions must have one entry for each dimension of the lower-rank operand s32[2,2]: expected 2, "
        "found 3");
}

TEST_CASE("broadcasting: Broadcasting similar-rank arrays with degenerate dimensions - examples 1 to 4") {
  CHECK(Inferred({2, 1}, {2, 3}) == Dimensions{2, 3});
  CHECK(Inferred({1, 2, 5}, {7, 2, 5}) == Dimensions{7, 2, 5});
  CHECK(Inferred({7, 2, 5}, {7, 1, 5}) == Dimensions{7, 2, 5});
  CHECK(Rejected({7, 2, 5}, {7, 2, 6}) ==
        "dimension 2 of s32[7,2,5] and s32[7,2,6] is not compatible: sizes must be equal or one of them 1, found 5 and "
        "6");
}

TEST_CASE("broadcasting: Broadcasting similar-rank arrays with degenerate dimensions - outer operation") {
  CHECK(Inferred({2, 1}, {1, 3}) == Dimensions{2, 3});
  CHECK(Add(Array({2, 1}, {10, 20}), Array({1, 3}, {1, 2, 3})) == Sum{{2, 3}, {11, 12, 13, 21, 22, 23}});
}

TEST_CASE("broadcasting: Broadcast composition - a vector of size 4 and a 1x2 matrix") {
  const Literal vector = Array({4}, {1, 2, 3, 4});
  const Literal matrix = Array({1, 2}, {5, 6});
  CHECK(Add(vector, matrix, {0}) == Sum{{4, 2}, {6, 7, 7, 8, 8, 9, 9, 10}});

  const auto plan = PlanBroadcast(vector.shape(), matrix.shape(), std::vector<std::int64_t>{0});
  CHECK(plan->lhs.in_dim_shape.dimensions() == Dimensions{4, 2});  // "a 4x2 matrix is produced"
  CHECK(plan->lhs.degenerate_dimensions.empty());
  CHECK(plan->rhs.in_dim_shape.dimensions() == Dimensions{1, 2});
  CHECK(plan->rhs.degenerate_dimensions == std::vector<std::int64_t>{0});  // "broadcasts dimension zero"
  CHECK(ValuesOf(BroadcastInDim(vector, plan->lhs.broadcast_dimensions, plan->lhs.in_dim_shape.dimensions())) ==
        Values{1, 1, 2, 2, 3, 3, 4, 4});
}

TEST_CASE("broadcasting: Broadcast composition - a 1x2 matrix and a 4x3x1 array, broadcast dimensions (1,2)") {
  const auto plan = PlanBroadcast(Of({1, 2}), Of({4, 3, 1}), std::vector<std::int64_t>{1, 2});
  REQUIRE(plan.has_value());
  CHECK(plan->lhs.in_dim_shape.dimensions() == Dimensions{4, 1, 2});  // "a 4x1x2 intermediate array"
  CHECK(plan->lhs.degenerate_dimensions == std::vector<std::int64_t>{1});
  CHECK(plan->rhs.degenerate_dimensions == std::vector<std::int64_t>{2});
  CHECK(plan->result.dimensions() == Dimensions{4, 3, 2});

  Values array(12);
  for (int i = 0; i < 12; ++i) array[i] = 10 * i;
  Values sum;
  for (int i = 0; i < 12; ++i) sum.insert(sum.end(), {10 * i + 1, 10 * i + 2});
  CHECK(Add(Array({1, 2}, {1, 2}), Array({4, 3, 1}, array), {1, 2}) == Sum{{4, 3, 2}, sum});
}

TEST_CASE("broadcasting: beyond the text of XLA's documentation") {
  // Operands of equal rank take no broadcast_dimensions, or the identity.
  CHECK(Inferred({2, 3}, {2, 3}, {0, 1}) == Dimensions{2, 3});
  CHECK(Rejected({2, 2}, {2, 2}, {1, 0}) ==
        "broadcast_dimensions of operands of equal rank must be empty or the identity, found {1,0} for s32[2,2] and "
        "s32[2,2]");
  // An empty array stays empty against a degenerate dimension, and fits nothing else.
  CHECK(Inferred({0}, {1}) == Dimensions{0});
  CHECK(Add(Array({0}, {}), Array({1}, {5})) == Sum{{0}, {}});
  Rejected({0}, {2});

  const Shape bounded = ShapeUtil::MakeShape(S32, {4, 3}, {true, false});
  const auto dynamic = PlanBroadcast(bounded, Of({1, 3}), {});
  REQUIRE(dynamic.has_value());
  CHECK(dynamic->result.ToStringWithoutLayout() == "s32[<=4,3]");
  CHECK(PlanBroadcast(Of({4, 3}), bounded, {})->result.ToStringWithoutLayout() == "s32[<=4,3]");
  CHECK_FALSE(PlanBroadcast(ShapeUtil::MakeTokenShape(), Of({}), {}).has_value());
}
