// rng-bit-generator (XLA, Operation Semantics: RngBitGenerator).
#include <cstring>

#include "interpreter/ops/common/random_bits.h"
#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

// The known answers published by the authors of the generators.
TEST_CASE("Philox4x32 and Threefry2x32: known answers") {
  constexpr std::uint32_t kAll = 0xffffffff;
  CHECK(Philox4x32({0, 0, 0, 0}, {0, 0}) ==
        std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(Philox4x32({kAll, kAll, kAll, kAll}, {kAll, kAll}) ==
        std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(ThreeFry2x32({0, 0}, {0, 0}) == std::array<std::uint32_t, 2>{0x6b200159, 0x99ba4efe});
  CHECK(ThreeFry2x32({kAll, kAll}, {kAll, kAll}) == std::array<std::uint32_t, 2>{0x1cb996fc, 0xbb002be7});
}

HloInstruction& AddGenerator(Graph& g, std::string algorithm, const Shape& state, const Shape& bits) {
  return g.Add(op_rng_bit_generator, ShapeUtil::MakeTupleShape({state, bits}), {&g.Parameter(state)},
               {{"algorithm", std::move(algorithm)}});
}

struct KnownBits {
  std::string algorithm;
  std::vector<std::uint64_t> state;
  PrimitiveType type;
  Dimensions dimensions;
  std::vector<std::uint64_t> next_state, bits;
};

// The results of XLA:CPU (jaxlib 0.10.2).
const KnownBits kKnownBits[] = {
    {"rng_three_fry",
     {0x123456789abcdef, 0xfedcba9876543210},
     U32,
     {8},
     {0x123456789abcdef, 0xfedcba9876543214},
     {0xaed4a37f, 0x1130d111, 0xc3cc4d02, 0x798e402e, 0xaee5264e, 0xb089da7a, 0x49b105a8, 0xaf0a8d99}},
    {"rng_three_fry",
     {0x1, 0x2},
     U32,
     {2, 3},
     {0x1, 0x5},
     {0x296e954, 0xed3492d3, 0x63b40bd3, 0x802fd53b, 0xdf435003, 0xfcc0f261}},
    {"rng_three_fry",
     {0x1, 0x2},
     U32,
     {3, 2},
     {0x1, 0x5},
     {0x296e954, 0x802fd53b, 0xed3492d3, 0xdf435003, 0x63b40bd3, 0xfcc0f261}},
    {"rng_three_fry",
     {0x1, 0x2},
     U32,
     {2, 4},
     {0x1, 0x6},
     {0x296e954, 0xed3492d3, 0x63b40bd3, 0x7dbb1d60, 0x802fd53b, 0xdf435003, 0xfcc0f261, 0x24e4d334}},
    {"rng_three_fry",
     {0x1, 0x2},
     U32,
     {3, 3},
     {0x1, 0x8},
     {0x296e954, 0xed3492d3, 0x63b40bd3, 0x802fd53b, 0xdf435003, 0xfcc0f261, 0x7dbb1d60, 0x9718c0ad, 0xaafe5a17}},
    {"rng_three_fry",
     {0x1, 0x2},
     U32,
     {3, 5},
     {0x1, 0xb},
     {0x296e954, 0x802fd53b, 0xed3492d3, 0xdf435003, 0x63b40bd3, 0x7dbb1d60, 0x24e4d334, 0x9718c0ad, 0xe3f04ce5,
      0xaafe5a17, 0xadc273d0, 0xe52ba482, 0xbc56d765, 0xb9fa7a4e, 0x11dca6f2}},
    {"rng_three_fry", {0x1, 0x2}, U32, {}, {0x1, 0x3}, {0x296e954}},
    {"rng_three_fry",
     {0x1, 0xffffffffffffffff},
     U32,
     {5},
     {0x1, 0x2},
     {0x10902898, 0x525d7c76, 0xb435a7fa, 0x96eb2785, 0xec66872}},
    {"rng_three_fry",
     {0x7, 0xffffffff},
     U64,
     {3},
     {0x7, 0x100000002},
     {0xa43178a1cee90e53, 0x7dbdb64c3aa75e81, 0x97f16955eca70012}},
    {"rng_three_fry",
     {0x123456789abcdef, 0xfedcba9876543210},
     U8,
     {5},
     {0x123456789abcdef, 0xfedcba9876543213},
     {0x7f, 0x11, 0x2, 0x2e, 0x4e}},
    {"rng_three_fry",
     {0x123456789abcdef, 0xfedcba9876543210},
     S16,
     {3},
     {0x123456789abcdef, 0xfedcba9876543212},
     {0xa37f, 0xd111, 0x4d02}},
    {"rng_three_fry",
     {0x123456789abcdef, 0xfedcba9876543210},
     U4,
     {3},
     {0x123456789abcdef, 0xfedcba9876543212},
     {0xf, 0x1, 0x2}},
    {"rng_three_fry",
     {0x123456789abcdef, 0xfedcba9876543210},
     F64,
     {2},
     {0x123456789abcdef, 0xfedcba9876543212},
     {0x1130d111aed4a37f, 0x798e402ec3cc4d02}},
    {"rng_three_fry", {0x1, 0x2}, U32, {0}, {0x1, 0x2}, {}},
    {"rng_philox",
     {0x123456789abcdef, 0xfedcba9876543210},
     U32,
     {8},
     {0x123456789abcdef, 0xfedcba9876543212},
     {0x1ec53d42, 0xcfa390b5, 0xf2235702, 0xe71ff917, 0xcb472319, 0xd682777a, 0xa09c7b98, 0x304e9f89}},
    {"rng_philox",
     {0x1, 0x2},
     U32,
     {2, 3},
     {0x1, 0x4},
     {0x7d34a749, 0xa9b8bbe8, 0x7ba423d7, 0x2fb324d9, 0x6cf923fe, 0xbadf79c3}},
    {"rng_philox",
     {0x7, 0xffffffff},
     U64,
     {3},
     {0x7, 0x100000001},
     {0x61ec6ea45b92d385, 0xb71c867d852cd6e2, 0x63d47a2753e96fe7}},
    {"rng_philox",
     {0x1, 0xffffffffffffffff},
     U32,
     {6},
     {0x1, 0x1},
     {0x586e44b1, 0x26dab12a, 0xd8b888d9, 0xd93830cc, 0xe73404cf, 0x8cedc5d3}},
    {"rng_philox",
     {0x1, 0xffffffffffffffff},
     U64,
     {4},
     {0x1, 0x1},
     {0x26dab12a586e44b1, 0xd93830ccd8b888d9, 0x8cedc5d3e73404cf, 0xa0afddd3f071736}},
    {"rng_philox",
     {0x123456789abcdef, 0xfedcba9876543210},
     U8,
     {5},
     {0x123456789abcdef, 0xfedcba9876543212},
     {0x42, 0xb5, 0x2, 0x17, 0x19}},
    {"rng_philox",
     {0x123456789abcdef, 0xfedcba9876543210},
     S16,
     {3},
     {0x123456789abcdef, 0xfedcba9876543211},
     {0x3d42, 0x90b5, 0x5702}},
    {"rng_philox",
     {0x123456789abcdef, 0xfedcba9876543210},
     U4,
     {5},
     {0x123456789abcdef, 0xfedcba9876543212},
     {0x2, 0x5, 0x2, 0x7, 0x9}},
    {"rng_philox", {0x1, 0x2}, U32, {}, {0x1, 0x3}, {0x7d34a749}},
    {"rng_philox",
     {0x123456789abcdef, 0xfedcba9876543210},
     F16,
     {2},
     {0x123456789abcdef, 0xfedcba9876543211},
     {0x3d42, 0x90b5}},
    {"rng_default", {0x1, 0x2}, U32, {3}, {0x1, 0x3}, {0x7d34a749, 0xa9b8bbe8, 0x7ba423d7}},
    {"rng_philox",
     {0x1, 0x2, 0x3},
     U32,
     {9},
     {0x1, 0x5, 0x3},
     {0xf045e74a, 0x517630e6, 0x1d8af405, 0xb5e59a96, 0x5545ceb, 0x72471b77, 0x10946eac, 0x24a7850c, 0x4293cf74}},
    {"rng_philox",
     {0x1, 0xffffffffffffffff, 0x3},
     U32,
     {9},
     {0x1, 0x2, 0x4},
     {0xb4316140, 0x9c172d11, 0x2d7cb564, 0x5c00433a, 0xbb315460, 0x70ae55c5, 0x5fb941cd, 0xae0508c1, 0xe7d94e07}},
    {"rng_philox",
     {0x1, 0xffffffffffffffff, 0xffffffffffffffff},
     U32,
     {5},
     {0x1, 0x1, 0x0},
     {0x73223991, 0x6e77ed02, 0x5cc13728, 0xa28e2dd9, 0xe3e80670}},
    {"rng_default",
     {0x7, 0x0, 0x0},
     U64,
     {3},
     {0x7, 0x2, 0x0},
     {0xc009f9dcf4607a2d, 0x15edac821d3aba42, 0xcb97bc13682e8e9b}},
};

TEST_CASE("rng-bit-generator: the bits and the next state of XLA:CPU") {
  for (const KnownBits& c : kKnownBits) {
    Graph g;
    const Shape shape = ShapeUtil::MakeShape(c.type, c.dimensions);
    const auto words = static_cast<std::int64_t>(c.state.size());
    const Literal state = LiteralUtil::Create<std::uint64_t>(U64, {words}, c.state);
    HloInstruction& generator = AddGenerator(g, c.algorithm, state.shape(), shape);
    const Literal result = Evaluate(generator, {state});
    CAPTURE(c.algorithm, shape.ToStringWithoutLayout(), c.state);
    const auto next = result.elements()[0].values<std::uint64_t>();
    CHECK(std::vector<std::uint64_t>(next.begin(), next.end()) == c.next_state);
    const Literal& bits = result.elements()[1];
    std::vector<std::uint64_t> patterns(bits.element_count());
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const int bytes = StorageBytes(c.type);
      std::memcpy(&patterns[i], bits.data() + i * bytes, bytes);
    }
    CHECK(patterns == c.bits);
    // The state shares the operand's buffer only if the operand has no other owner.
    CHECK(state.values<std::uint64_t>()[1] == c.state[1]);
  }
}

TEST_CASE("rng-bit-generator: signed types of less than a byte are sign-extended, and one state gives one stream") {
  Graph g;
  const Literal state =
      LiteralUtil::Create<std::uint64_t>(U64, {2}, std::vector<std::uint64_t>{0x123456789abcdef, 0xfedcba9876543210});
  const auto generate = [&](PrimitiveType type, Dimensions dimensions) {
    return Evaluate(AddGenerator(g, "rng_philox", state.shape(), ShapeUtil::MakeShape(type, std::move(dimensions))),
                    {state});
  };
  CHECK(Numbers(generate(S4, {5}).elements()[1]) == std::vector<double>{2, 5, 2, 7, -7});
  const Literal all = generate(U32, {100000});
  const Literal some = generate(U32, {10, 10});
  CHECK(std::memcmp(all.elements()[1].data(), some.elements()[1].data(), some.elements()[1].byte_size()) == 0);
}

TEST_CASE("rng-bit-generator: without a tuple the result is the bits alone") {
  Graph g;
  const Shape state = ShapeUtil::MakeShape(U64, {2});
  HloInstruction& generator = g.Add(op_rng_bit_generator, ShapeUtil::MakeShape(U32, {3}), {&g.Parameter(state)},
                                    {{"algorithm", std::string("rng_default")}});
  const Literal bits =
      Evaluate(generator, {LiteralUtil::Create<std::uint64_t>(U64, {2}, std::vector<std::uint64_t>{1, 2})});
  CHECK(Numbers(bits) == std::vector<double>{0x7d34a749, 0xa9b8bbe8, 0x7ba423d7});
}

}  // namespace
}  // namespace assay::testing
