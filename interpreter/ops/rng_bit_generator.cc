#include <utility>

#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/random_bits.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferRngBitGenerator(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& state = instruction.operand(0).shape;
  const Shape& result = instruction.shape;
  const bool is_three_fry = IsThreeFry(instruction);
  if (state.element_type() != U64 || state.rank() != 1 ||
      (state.dimensions(0) != 2 && (is_three_fry || state.dimensions(0) != 3))) {
    return Illegal(instruction, "the state must be {}, found {}", is_three_fry ? "u64[2]" : "u64[2] or u64[3]",
                   state.ToStringWithoutLayout());
  }
  if (result.IsTuple() &&
      (result.tuple_shapes().size() != 2 || !ShapeUtil::Compatible(result.tuple_shapes(0), state))) {
    return Illegal(instruction, "the result must be a tuple of the state {} and the bits, found {}",
                   state.ToStringWithoutLayout(), result.ToStringWithoutLayout());
  }
  const PrimitiveType type = BitsShape(result).element_type();
  if (!BitsShape(result).IsArray() || !(kIntegral | kFloats).contains(type)) {
    return Illegal(instruction, "the bits must be an array of integers or floats, found {}",
                   BitsShape(result).ToStringWithoutLayout());
  }
  return result;
}

// Returns the row-major position of an index among those below `bounds`.
std::int64_t Ordinal(const Index& index, const Dimensions& bounds) {
  std::int64_t ordinal = 0;
  for (std::size_t d = 0; d < index.size(); ++d) ordinal = ordinal * bounds[d] + index[d];
  return ordinal;
}

// Fills `bits`, row-major, with the words of blocks counter, counter + 1, ... A 64-bit element has two words, the low
// one first. A state of two words has the key in place of the high half of the counter.
std::uint64_t Philox(std::span<const std::uint64_t> state, Literal& bits) {
  const PrimitiveType type = bits.element_type();
  const std::uint64_t high = state.size() == 3 ? state[2] : state[0];
  const std::int64_t words_each = BitWidth(type) == 64 ? 2 : 1;
  const Dimensions& bounds = bits.shape().dimensions();
  ForEachIndex(bounds, [&](const Index& index) {
    const std::int64_t first = Ordinal(index, bounds) * words_each;
    const auto words = Philox4x32(CounterOf(state[1], high, first / 4), HalvesOf(state[0]));
    const std::uint64_t upper = words_each == 2 ? words[first % 4 + 1] : 0;
    Set(bits, index, WithBits(type, upper << 32 | words[first % 4]));
  });
  return (Product(bounds) * words_each + 3) / 4;
}

// Fills `bits`. A 64-bit element is the two words of a block. Otherwise these are elements 2 i and 2 i + 1 along one
// dimension, and blocks are counted row-major over the array with that dimension halved.
std::uint64_t ThreeFry(std::span<const std::uint64_t> state, Literal& bits) {
  const PrimitiveType type = bits.element_type();
  const bool is_block = BitWidth(type) == 64;
  const Dimensions& bounds = bits.shape().dimensions();
  Dimensions blocks = bounds;
  const std::int64_t split = bounds.empty() || is_block ? -1 : SplitDimension(bounds);
  if (split >= 0) blocks[split] = (bounds[split] + 1) / 2;
  ForEachIndex(bounds, [&](const Index& index) {
    Index block = index;
    if (split >= 0) block[split] /= 2;
    const auto words = ThreeFry2x32(HalvesOf(state[1] + Ordinal(block, blocks)), HalvesOf(state[0]));
    const std::uint64_t both = std::uint64_t{words[1]} << 32 | words[0];
    Set(bits, index, WithBits(type, is_block ? both : split < 0 ? words[0] : words[index[split] % 2]));
  });
  return Product(blocks);
}

// Returns (state', bits). The state is {key, counter}, or {key, low half, high half}. The counter advances by one for
// each block.
Literal EvaluateRngBitGenerator(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  Literal bits(BitsShape(instruction.shape));
  const auto state = operands[0].values<std::uint64_t>();
  const std::uint64_t blocks = IsThreeFry(instruction) ? ThreeFry(state, bits) : Philox(state, bits);
  if (!instruction.shape.IsTuple()) return bits;
  Literal next = operands[0].WithShape(instruction.shape.tuple_shapes(0));
  Set(next, {1}, WithBits(U64, state[1] + blocks));
  const bool has_wrapped = state[1] + blocks < state[1];
  if (state.size() == 3) Set(next, {2}, WithBits(U64, state[2] + (has_wrapped ? 1 : 0)));
  return Literal::MakeTuple({std::move(next), std::move(bits)});
}

}  // namespace

const Op op_rng_bit_generator = {
    .name = "rng-bit-generator",
    .meaning = "Random bits and the next state of a counter-based generator.",
    .syntax =
        {
            .attributes = {OneOf("algorithm", {"rng_default", "rng_three_fry", "rng_philox"}, /*required=*/true)},
            .shape_is_inferable = false,
        },
    .legality = {.arity = Exactly(1), .types = TypesOf(U64), .infer = InferRngBitGenerator},
    .evaluation = {.evaluate = EvaluateRngBitGenerator},
};

}  // namespace assay
