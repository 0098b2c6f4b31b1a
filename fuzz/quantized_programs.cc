#include "fuzz/quantized_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "fuzz/quantized_draws.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/stablehlo/operation.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/to_hlo.h"
#include "interpreter/types/join_text.h"

namespace assay {
using namespace generate;
namespace {

using stablehlo::Quantization;
using stablehlo::TensorType;

std::string TextOf(const TensorType& type) { return stablehlo::ToText(stablehlo::Type{type}); }

bool IsSameStorage(const Quantization& a, const Quantization& b) {
  return a.storage_type == b.storage_type && a.storage_min == b.storage_min && a.storage_max == b.storage_max;
}

bool IsSymmetric(const Quantization& quantization) {
  return std::ranges::all_of(quantization.zero_points, [](std::int64_t zero_point) { return zero_point == 0; });
}

class QuantizedProgram {
 public:
  explicit QuantizedProgram(Random& random)
      : random_(random),
        expressed_(random.OneOf({F32, F32, F32, BF16, F16, F64})),
        storages_{DrawStorage(random, expressed_), DrawStorage(random, expressed_)},
        sizes_{random.Between(1, 4), random.Between(1, 4), random.Between(1, 4)} {}

  // Adds the operations of a step.
  void Add(std::string_view step) {
    bound_.clear();
    storage_.reset();
    any_sizes_.reset();
    while (!step.empty()) AddOperation(Take(step, "\n"));
  }

  DrawnModule Finish();

 private:
  struct Value {
    std::string name;
    TensorType type;
    bool is_used = false;
  };

  // The products of the scales of q1 and w1, which must be numbers of the expressed type.
  std::vector<double> ScalesOfProducts() const {
    std::vector<double> scales = bound_.at("w1").scales;
    for (double& scale : scales) scale *= bound_.at("q1").scales[0];
    return scales;
  }

  // Draws a type of a kind, with a scale for each of `slices`.
  Quantization DrawQuantization(char kind, std::int64_t slices) {
    const bool is_sum = kind == 'a' || kind == 's';
    Quantization type = is_sum        ? WholeStorage(S32, expressed_)
                        : kind == 'o' ? random_.OneOf(storages_)
                                      : storage_.value_or(random_.OneOf(storages_));
    type.scales.clear();
    type.zero_points.clear();
    type.dimension.reset();
    const bool has_zero = type.storage_min <= 0 && type.storage_max >= 0;
    if (kind == 'w' && !has_zero) type = WholeStorage(type.storage_type, expressed_);
    const bool is_symmetric = kind == 'w' || is_sum || (has_zero && random_.OneIn(3));
    for (std::int64_t i = 0; i < slices; ++i) {
      type.scales.push_back(DrawScale(random_, type.storage_type));
      type.zero_points.push_back(is_symmetric ? 0 : DrawZeroPoint(random_, type));
    }
    if (kind == 's') type.scales = ScalesOfProducts();
    if (kind == 'q' && !storage_) storage_ = type;
    return type;
  }

  std::vector<std::int64_t> SizesOf(std::string_view text) {
    if (text == "X" && !any_sizes_) any_sizes_ = AnySizes();
    if (text == "X") return *any_sizes_;
    std::vector<std::int64_t> sizes;
    while (!text.empty()) {
      std::string_view sum = Take(text, ",");
      std::int64_t size = 0;
      while (!sum.empty()) {
        std::string_view product = Take(sum, "+");
        std::int64_t term = 1;
        while (!product.empty()) term *= SizeOf(Take(product, "*")[0]);
        size += term;
      }
      sizes.push_back(size);
    }
    return sizes;
  }
  std::int64_t SizeOf(char name) const {
    constexpr std::string_view kNames = "NMK";
    const std::size_t index = kNames.find(name);
    return index == std::string_view::npos ? name - '0' : sizes_[index];
  }
  std::vector<std::int64_t> AnySizes() {
    return values_.empty() ? std::vector{sizes_[0], sizes_[1]} : random_.OneOf(values_).type.dimensions;
  }

  // Returns a type, and draws and binds its quantization if that is new.
  TensorType TypeOf(const TypeSpec& spec) {
    TensorType type;
    type.dimensions = SizesOf(spec.sizes);
    switch (spec.kind()) {
      case 'f':
        type.element_type = expressed_;
        return type;
      case 'i':
        type.element_type = S32;
        return type;
      case 'b':
        type.element_type = PRED;
        return type;
      default:
        break;
    }
    const auto bound = bound_.find(spec.name);
    const std::int64_t slices = spec.dimension ? type.dimensions[*spec.dimension] : 1;
    Quantization quantization = bound != bound_.end() ? bound->second : DrawQuantization(spec.kind(), slices);
    if (spec.dimension) quantization.dimension = spec.dimension;
    type.element_type = quantization.storage_type;
    if (spec.has_number()) bound_[std::string(spec.name)] = quantization;
    type.quantized.value = std::make_shared<const Quantization>(std::move(quantization));
    return type;
  }

  // True if a value may be an operand of the spec, whose sizes it has.
  bool Fits(const TypeSpec& spec, const TensorType& type) const {
    const Quantization* quantization = type.quantized.value.get();
    if (spec.kind() == 'f') return quantization == nullptr && type.element_type == expressed_;
    if (spec.kind() == 'i') return false;
    if (spec.kind() == 'b') return type.element_type == PRED;
    if (quantization == nullptr || quantization->dimension != spec.dimension) return false;
    if (const auto bound = bound_.find(spec.name); bound != bound_.end()) {
      Quantization wanted = bound->second;
      wanted.dimension = spec.dimension;
      return *quantization == wanted;
    }
    // The products of a sum as a factor of another sum may have smaller scales.
    const auto is_factor = [](double scale) { return scale >= kLeastScale; };
    if ((spec.kind() == 'w' || spec.kind() == 'q') && !std::ranges::all_of(quantization->scales, is_factor))
      return false;
    if (spec.kind() == 'w') {
      return IsSymmetric(*quantization) && (!storage_ || storage_->storage_type == quantization->storage_type);
    }
    return spec.kind() == 'o' || !storage_ || IsSameStorage(*storage_, *quantization);
  }

  // Returns the name of an operand: an earlier value, rather one of the last ones, or a new argument or constant.
  Value Operand(const TypeSpec& spec) {
    if (spec.kind() == 'k' || spec.kind() == 'p') return AddList(spec);
    const std::vector<std::int64_t> sizes = SizesOf(spec.sizes);
    std::vector<Value*> fitting;
    for (Value& value : values_) {
      if (value.type.dimensions == sizes && Fits(spec, value.type)) fitting.push_back(&value);
    }
    if (fitting.empty() || random_.OneIn(5)) return AddGiven(TypeOf(spec));
    if (fitting.size() > 2 && random_.Flip()) fitting.erase(fitting.begin(), fitting.end() - 2);
    Value& value = *random_.OneOf(fitting);
    value.is_used = true;
    const Quantization* quantization = value.type.quantized.value.get();
    if (quantization != nullptr && spec.has_number()) bound_[std::string(spec.name)] = *quantization;
    if (quantization != nullptr && spec.kind() == 'q' && !storage_) storage_ = *quantization;
    return value;
  }

  Value AddList(const TypeSpec& spec) {
    const std::vector<std::int64_t> numbers = SizesOf(spec.sizes);
    TensorType type;
    type.element_type = S64;
    type.dimensions = {std::ssize(numbers)};
    if (spec.kind() == 'p') type.dimensions.insert(type.dimensions.begin(), 1);
    const std::string list = fmt::format("[{}]", JoinText(numbers, ", "));
    return AddConstant(spec.kind() == 'p' ? fmt::format("[{}]", list) : list, type, type);
  }

  Value AddConstant(const std::string& elements, const TensorType& written, TensorType type) {
    Value constant = {fmt::format("%v{}", ++count_), std::move(type), true};
    text_ += fmt::format("  {} = \"stablehlo.constant\"() {{value = dense<{}> : {}}} : () -> {}\n", constant.name,
                         elements, TextOf(written), TextOf(constant.type));
    return constant;
  }

  // Adds an argument, or a constant with one quantized number. In MLIR its elements are signless.
  Value AddGiven(TensorType type) {
    const Quantization* quantization = type.quantized.value.get();
    if (quantization != nullptr && random_.OneIn(6)) {
      const int bits = BitWidth(type.element_type);
      std::int64_t integer = DrawInteger(random_, *quantization);
      if (integer >= std::int64_t{1} << (bits - 1)) integer -= std::int64_t{1} << bits;
      TensorType written = type;
      written.quantized = {};
      written.element_type = bits == 4 ? S4 : bits == 8 ? S8 : bits == 16 ? S16 : S32;
      values_.push_back(AddConstant(std::to_string(integer), written, std::move(type)));
      return values_.back();
    }
    const Value argument = {fmt::format("%a{}", arguments_.size()), type, true};
    parameters_.push_back(fmt::format("{}: {}", argument.name, TextOf(type)));
    std::vector<const Quantization*> types;
    for (const Value& value : values_) {
      if (value.type.quantized.value != nullptr) types.push_back(value.type.quantized.value.get());
    }
    arguments_.push_back(DrawArgument(random_, type, types));
    values_.push_back(argument);
    return argument;
  }

  void AddOperation(std::string_view line);
  std::string Expand(std::string_view text, const std::vector<Value>& operands, const std::string& result);
  std::string Region(char kind, std::string_view type);

  Random& random_;
  PrimitiveType expressed_;
  std::vector<Quantization> storages_;
  std::vector<std::int64_t> sizes_;
  std::vector<Value> values_;
  std::vector<std::string> parameters_;
  std::vector<Literal> arguments_;
  std::string text_;
  int count_ = 0;
  // The state of a step.
  std::map<std::string, Quantization, std::less<>> bound_;
  std::optional<Quantization> storage_;
  std::optional<std::vector<std::int64_t>> any_sizes_;
};

// Returns a region on two scalars of a type that is bound: a fold ('+' by any function, '^' by the largest or the
// smallest), or a comparison ('>').
std::string QuantizedProgram::Region(char kind, std::string_view name) {
  TensorType scalar;
  scalar.quantized.value = std::make_shared<const Quantization>(bound_.find(name)->second);
  scalar.element_type = scalar.quantized.value->storage_type;
  const std::string type = TextOf(scalar), result = kind == '>' ? "tensor<i1>" : type;
  const std::string operation = kind == '>'   ? "compare"
                                : kind == '^' ? random_.OneOf({"maximum", "minimum"})
                                              : random_.OneOf({"add", "add", "multiply", "maximum", "minimum"});
  const std::string direction = kind == '>' ? " {comparison_direction = #stablehlo<comparison_direction GE>}" : "";
  return fmt::format(
      "{{ ^bb0(%x: {0}, %y: {0}): %s = \"stablehlo.{1}\"(%x, %y){2} : ({0}, {0}) -> {3} \"stablehlo.return\"(%s) : "
      "({3}) "
      "-> () }}",
      type, operation, direction, result);
}

// Fills the marks of a text: quantized_programs.h has them.
std::string QuantizedProgram::Expand(std::string_view text, const std::vector<Value>& operands,
                                     const std::string& result) {
  std::string expanded(Take(text, "$"));
  while (!text.empty()) {
    const char mark = text[0];
    if (std::string_view("+^>").find(mark) != std::string_view::npos) {
      expanded += Region(mark, text.substr(1, 2));
      text.remove_prefix(3);
    } else if (mark == 'r' || std::string_view("NMK0123456789").find(mark) != std::string_view::npos) {
      expanded += mark == 'r'                  ? result
                  : mark >= '0' && mark <= '9' ? operands[mark - '0'].name
                                               : std::to_string(SizeOf(mark));
      text.remove_prefix(1);
    } else {
      expanded += TextOf(TypeOf(TypeSpec::Read(text)));
    }
    const std::size_t next = std::min(text.find('$'), text.size());
    expanded += text.substr(0, next);
    text.remove_prefix(std::min(next + 1, text.size()));
  }
  return expanded;
}

void QuantizedProgram::AddOperation(std::string_view line) {
  const std::string_view name = Take(line, "|");
  std::string_view captured = Take(line, "|");
  const std::vector<TypeSpec> specs = ReadSpecs(Take(captured, ";"));
  const std::vector<TypeSpec> results = ReadSpecs(Take(line, "|"));
  std::vector<Value> operands;
  for (const TypeSpec& spec : specs) operands.push_back(Operand(spec));
  for (const TypeSpec& spec : ReadSpecs(captured)) operands.push_back(Operand(spec));
  std::vector<std::string> names, types, result_types;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    names.push_back(operands[i].name);
    types.push_back(TextOf(operands[i].type));
  }
  const std::string result = fmt::format("%v{}", ++count_);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string of_result = results.size() == 1 ? result : fmt::format("{}#{}", result, i);
    values_.push_back({of_result, TypeOf(results[i])});
    result_types.push_back(TextOf(values_.back().type));
  }
  std::string rest = Expand(line, operands, result);
  if (!line.starts_with(" $r")) {
    const std::string count = results.size() == 1 ? "" : fmt::format(":{}", results.size());
    rest = fmt::format("{}{} = \"stablehlo.{}\"({}) {} : ({}) -> ({})", result, count, name, JoinText(names, ", "),
                       rest, JoinText(types, ", "), JoinText(result_types, ", "));
  }
  text_ += fmt::format("  {}\n", rest);
}

DrawnModule QuantizedProgram::Finish() {
  std::vector<std::string> names, types;
  for (const Value& value : values_) {
    if (value.is_used) continue;
    names.push_back(value.name);
    types.push_back(TextOf(value.type));
  }
  const std::string results = JoinText(types, ", ");
  const auto text = std::make_shared<const std::string>(
      fmt::format("func.func @main({}) -> ({}) {{\n{}  return {} : {}\n}}\n", JoinText(parameters_, ", "), results,
                  text_, JoinText(names, ", "), results));
  const auto module = [&]() -> Result<std::unique_ptr<HloModule>> {
    ASSAY_TRY(const stablehlo::Program program, stablehlo::ParseText(*text));
    return stablehlo::ToHlo(program);
  };
  Result<std::unique_ptr<HloModule>> made = module();
  if (!made) throw std::logic_error(fmt::format("{}:\n{}", made.error().message, *text));
  SetSource(**made, text);
  return {*std::move(made), {std::move(arguments_)}, {{}}};
}

}  // namespace

DrawnModule DrawQuantizedProgram(Random& random) {
  QuantizedProgram program(random);
  for (std::int64_t i = random.Between(2, 7); i > 0; --i) program.Add(random.OneOf(QuantizedSteps()));
  return program.Finish();
}

}  // namespace assay
