// Instructions of every acceptance rule with random operands, to measure the checker with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// An instruction as the root of an entry whose parameters are its operands.
struct RandomInstruction {
  std::unique_ptr<HloModule> module;
  std::vector<Literal> operands;
  const HloInstruction& instruction() const { return *module->entry->root; }
};

class RandomInstructions {
 public:
  explicit RandomInstructions(std::uint64_t seed) : random_(seed) {}

  // What the instructions are of: "functions", "dot", "reduce", ...
  static std::vector<std::string_view> Families();
  // One of a family, with roughly so many elements in its result where the family has results of any size.
  RandomInstruction Next(std::string_view family, std::int64_t elements);

  // One of an op; nothing where no family has it.
  std::optional<RandomInstruction> NextOf(std::string_view op);
  // Any instruction of the text, whose operands get random values. Integers are small.
  RandomInstruction Of(const std::string& text);

 private:
  std::string Text(std::string_view family, std::int64_t elements);
  std::string FunctionText(const Op& op, std::int64_t elements);
  std::string DotText();
  std::string ConvolutionText();
  std::string ReduceText(std::int64_t elements);
  std::string WindowText();
  std::string ScatterText();
  std::string SelectText();
  std::string FourierText();
  std::string BatchNormText();
  std::string MatrixText(bool is_cholesky);
  std::string SortText();
  std::string RandomNumbersText(std::int64_t elements);
  Literal Values(const Shape& shape);
  std::vector<Literal> Range(const Shape& shape);
  Literal PositiveDefinite(const Shape& shape);

  std::int64_t Below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }
  std::int64_t Between(std::int64_t least, std::int64_t most) { return least + Below(most - least + 1); }
  template <class T>
  T OneOf(std::initializer_list<T> list) {
    return *(list.begin() + Below(static_cast<std::int64_t>(list.size())));
  }
  std::string FloatType();

  std::mt19937_64 random_;
};

}  // namespace assay
