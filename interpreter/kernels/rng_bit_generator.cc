// Computes each block of random words once, in parallel.
#include <algorithm>
#include <cstring>
#include <utility>

#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/common/random_bits.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

// Stores an element of up to 32 bits: the low bits of a word.
void StoreWord(PrimitiveType type, std::uint32_t word, std::byte* element) {
  const int unused = 32 - BitWidth(type);
  word <<= unused;
  word = IsSignedIntegralType(type) ? static_cast<std::uint32_t>(static_cast<std::int32_t>(word) >> unused)
                                    : word >> unused;
  std::memcpy(element, &word, StorageBytes(type));
}

// Fills `out` from the state {key, counter}. A third word is the high half of the counter; with two words XLA uses the
// key for that half. Block i is at counter + i and has four words, or two of 64 bits, low word first.
void GeneratePhilox(std::span<std::uint64_t> state, PrimitiveType type, std::byte* out, std::int64_t count) {
  const int words_per_element = StorageBytes(type) == 8 ? 2 : 1;
  const std::int64_t elements_per_block = 4 / words_per_element;
  const std::int64_t blocks = (count + elements_per_block - 1) / elements_per_block;
  const auto key = HalvesOf(state[0]);
  const std::uint64_t low = state[1], high = state.size() == 3 ? state[2] : state[0];
  ParallelFor(blocks, kDearPerPiece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t block = begin; block < end; ++block) {
      const auto words = Philox4x32(CounterOf(low, high, block), key);
      const std::int64_t first = block * elements_per_block;
      const std::int64_t elements = std::min(elements_per_block, count - first);
      if (words_per_element == 2) {
        std::memcpy(out + first * 8, words.data(), elements * 8);
      } else {
        for (std::int64_t i = 0; i < elements; ++i) StoreWord(type, words[i], out + (first + i) * StorageBytes(type));
      }
    }
  });
  const std::uint64_t next = low + static_cast<std::uint64_t>(blocks);
  if (state.size() == 3 && next < low) ++state[2];
  state[1] = next;
}

// Fills `out` from the state {key, counter}. A 64-bit element is one block. Otherwise elements 2 i and 2 i + 1 of one
// dimension are the words of block i along it, and the blocks are counted row-major over the halved shape.
void GenerateThreeFry(std::span<std::uint64_t> state, const Shape& shape, std::byte* out) {
  const PrimitiveType type = shape.element_type();
  const auto key = HalvesOf(state[0]);
  const std::uint64_t counter = state[1];
  const auto block = [&](std::int64_t i) {
    return ThreeFry2x32(HalvesOf(counter + static_cast<std::uint64_t>(i)), key);
  };
  const int bytes = StorageBytes(type);
  if (bytes == 8) {
    const std::int64_t count = ShapeUtil::ElementsIn(shape);
    ParallelFor(count, kDearPerPiece, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const auto words = block(i);
        std::memcpy(out + i * 8, words.data(), 8);
      }
    });
    state[1] += static_cast<std::uint64_t>(count);
    return;
  }
  const Dimensions dimensions = shape.rank() == 0 ? Dimensions{1} : shape.dimensions();
  const std::int64_t split = SplitDimension(dimensions);
  const std::int64_t size = dimensions[split], half = (size + 1) / 2;
  const std::int64_t inner = Product(std::span(dimensions).subspan(split + 1));
  const std::int64_t blocks = Product(std::span(dimensions).first(split)) * half * inner;
  ParallelFor(blocks, kDearPerPiece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto words = block(i);
      const std::int64_t outer = i / (half * inner), pair = i / inner % half;
      for (std::int64_t k = 0; k < 2 && 2 * pair + k < size; ++k) {
        StoreWord(type, words[k], out + ((outer * size + 2 * pair + k) * inner + i % inner) * bytes);
      }
    }
  });
  state[1] += static_cast<std::uint64_t>(blocks);
}

Literal EvaluateRngBitGenerator(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Shape& shape = BitsShape(instruction.shape);
  Literal bits = Literal::Uninitialized(shape);
  Literal state = std::move(operands[0]);
  const auto words = state.mutable_values<std::uint64_t>();
  if (IsThreeFry(instruction)) {
    GenerateThreeFry(words, shape, bits.mutable_data());
  } else {
    GeneratePhilox(words, shape.element_type(), bits.mutable_data(), bits.element_count());
  }
  if (!instruction.shape.IsTuple()) return bits;
  return Literal::MakeTuple({std::move(state).WithShape(instruction.shape.tuple_shapes(0)), std::move(bits)});
}

}  // namespace

const OpKernel kernel_rng_bit_generator = {.op = &op_rng_bit_generator, .evaluate = EvaluateRngBitGenerator};

}  // namespace assay
