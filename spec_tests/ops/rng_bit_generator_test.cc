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
