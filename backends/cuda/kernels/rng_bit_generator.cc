// Rng-bit-generator: one thread computes the words of one block of the generator.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/emitter.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/text.h"
#include "interpreter/types/index_util.h"

namespace assay::cuda {
namespace {

class Generator {
 public:
  explicit Generator(const HloComputation& fused)
      : fused_(fused),
        root_(*fused.root),
        shape_(root_.shape.IsTuple() ? root_.shape.tuple_shapes(1) : root_.shape),
        array_(root_.shape.IsTuple() ? "r1" : "r0"),
        type_(shape_.element_type()),
        is_three_fry_(root_.String("algorithm") == "rng_three_fry"),
        body_(IsWide(fused)),
        emitter_(body_) {}

  KernelProgram Make() {
    const std::int64_t count = ShapeUtil::ElementsIn(shape_);
    KernelProgram program;
    if (count == 0 && !root_.shape.IsTuple()) return program;
    emitter_.AddType(type_);
    blocks_ = is_three_fry_ ? ThreeFryBlocks() : (count + PhiloxElements() - 1) / PhiloxElements();
    DeclareThread(body_, std::max<std::int64_t>(blocks_, 1));
    const std::int64_t words = root_.operand(0).shape.dimensions(0);
    for (std::int64_t k = 0; k < words; ++k) {
      state_.push_back(emitter_.Element(root_.operand(0), IndexText::AtOffset(fmt::format("{}", k))));
    }
    // If the state has two words, the key is also the high half of Philox's counter.
    if (words == 2) state_.push_back(state_[0]);
    if (root_.shape.IsTuple()) WriteState(words);
    if (count > 0) is_three_fry_ ? WriteThreeFry(count) : WritePhilox(count);
    const EntryText entry = {.fused = fused_};
    program.launches.push_back(LaunchOf(entry, emitter_, body_, BlocksFor(std::max<std::int64_t>(blocks_, 1))));
    return program;
  }

 private:
  bool HasTwoWords() const { return StorageBytes(type_) == 8; }
  std::int64_t PhiloxElements() const { return HasTwoWords() ? 2 : 4; }

  void WriteState(std::int64_t words) {
    body_.Open("if (i == 0) {");
    const std::string next = body_.Name("u64", fmt::format("{} + {}ull", state_[1], blocks_));
    body_.Line(fmt::format("r0[0] = {};", state_[0]));
    body_.Line(fmt::format("r0[1] = {};", next));
    if (words == 3) body_.Line(fmt::format("r0[2] = {} + ({} < {} ? 1 : 0);", state_[2], next, state_[1]));
    body_.Close();
  }

  // Returns the element with the low bits from word `first` on.
  std::string ElementOf(int first) const {
    if (HasTwoWords()) {
      return fmt::format("To<{}>::of_bits((u64)block.words[{}] << 32 | block.words[{}])", TypeText(type_), first + 1,
                         first);
    }
    return fmt::format("To<{}>::of_bits(block.words[{}] & {:#x}u)", TypeText(type_), first,
                       (std::uint64_t{1} << BitWidth(type_)) - 1);
  }

  void WritePhilox(std::int64_t count) {
    const std::string low = body_.Name("u64", fmt::format("{} + i", state_[1]));
    body_.Line(fmt::format("const random_words block = philox({0}, {1} + ({0} < {2} ? 1 : 0), {3});", low, state_[2],
                           state_[1], state_[0]));
    for (std::int64_t k = 0; k < PhiloxElements(); ++k) {
      const std::string to = body_.Sum(body_.Product("i", PhiloxElements()), k);
      const bool is_certain = count % PhiloxElements() == 0 || k == 0;
      body_.Line(fmt::format("{}{}[{}] = {};", is_certain ? "" : fmt::format("if ({} < {}) ", to, count), array_, to,
                             ElementOf(static_cast<int>(HasTwoWords() ? 2 * k : k))));
    }
  }

  // The dimension that holds the two words of a block as elements 2 i and 2 i + 1: the first dimension of even size, or
  // otherwise the first of the largest ones.
  struct Split {
    std::int64_t outer, size, inner;
    std::int64_t half() const { return (size + 1) / 2; }
  };
  Split SplitOf() const {
    const Dimensions dimensions = shape_.rank() == 0 ? Dimensions{1} : shape_.dimensions();
    auto split = std::ranges::find_if(dimensions, [](std::int64_t size) { return size % 2 == 0; });
    if (split == dimensions.end()) split = std::ranges::max_element(dimensions);
    const auto d = static_cast<std::size_t>(split - dimensions.begin());
    return {assay::Product(std::span(dimensions).first(d)), *split,
            assay::Product(std::span(dimensions).subspan(d + 1))};
  }
  std::int64_t ThreeFryBlocks() const {
    if (HasTwoWords()) return ShapeUtil::ElementsIn(shape_);
    const Split split = SplitOf();
    return split.outer * split.half() * split.inner;
  }

  void WriteThreeFry(std::int64_t) {
    body_.Line(fmt::format("const random_words block = three_fry({} + i, {});", state_[1], state_[0]));
    if (HasTwoWords()) {
      body_.Line(fmt::format("{}[i] = {};", array_, ElementOf(0)));
      return;
    }
    const Split split = SplitOf();
    const std::string outer = body_.Quotient("i", split.half() * split.inner);
    const std::string pair = body_.Remainder(body_.Quotient("i", split.inner), split.half());
    const std::string inner = body_.Remainder("i", split.inner);
    for (int k = 0; k < 2; ++k) {
      const std::string at = body_.Sum(body_.Product(pair, 2), k);
      const std::string line = body_.Sum(body_.Product(outer, split.size), at);
      const std::string to = body_.Sum(body_.Product(line, split.inner), inner);
      const bool is_certain = split.size % 2 == 0 || k == 0;
      body_.Line(fmt::format("{}{}[{}] = {};", is_certain ? "" : fmt::format("if ({} < {}) ", at, split.size), array_,
                             to, ElementOf(k)));
    }
  }

  const HloComputation& fused_;
  const HloInstruction& root_;
  const Shape& shape_;
  std::string_view array_;
  PrimitiveType type_;
  bool is_three_fry_;
  Body body_;
  ElementEmitter emitter_;
  std::int64_t blocks_ = 0;
  std::vector<std::string> state_;
};

}  // namespace

const KernelKind kRngBitGeneratorKind = {.name = "rng-bit-generator",
                                         .takes = TakesAll,
                                         .reads_elements = ReadsAll,
                                         .reads_again = ReadsAll,
                                         .is_exact = IsAlwaysExact,
                                         .make = MakeBy<Generator>};

}  // namespace assay::cuda
