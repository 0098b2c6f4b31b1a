#include "interpreter/stablehlo/text_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

// Enumerations that are numbers in the generic form.
constexpr std::array<std::string_view, 4> kPropagationDirections = {"NONE", "FORWARD", "BACKWARD", "BOTH"};
constexpr std::array<std::string_view, 3> kReductions = {"sum", "max", "min"};

// Reads an operation by the words of its form.
class FormReader {
 public:
  FormReader(MlirParser& parser, Operation& operation) : parser_(parser), operation_(operation) {}

  Status Read(const std::vector<std::string_view>& words);

  // The readers of words.
  Status ReadOperand();
  Status ReadOperandsWithCommas();
  Status ReadOperandTypes();
  Status ReadFunction();
  Status ReadResult();
  Status ReadState();
  Status ReadSame();
  Status ReadTuple();
  Status ReadComplex();
  Status ReadSelect();

 private:
  Status ReadWord(std::string_view word);
  Status ReadTypesOfBoth(std::string_view between);
  Result<Attribute> ReadValue(std::string_view kind);
  Result<Attribute> ReadNumberOf(std::span<const std::string_view> words);
  Status CheckOperands(const std::vector<Type>& types);
  Status SetOneType(const Type& operand, const Type& result);

  MlirParser& parser_;
  Operation& operation_;
  std::size_t begin_ = 0;  // of the types
};

Status FormReader::Read(const std::vector<std::string_view>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "(?") {
      const bool is_slot = words[i + 1][0] == '$';
      const bool is_there = is_slot ? parser_.Is(MlirTokenKind::kWord) : parser_.At(words[i + 1]);
      // A comma begins the next group as well: the word after it decides.
      const bool is_next = !is_there || words[i + 1] != "," || words[i + 2][0] == '$' || parser_.IsBefore(words[i + 2]);
      if (!is_there || !is_next) i = std::find(words.begin() + i, words.end(), ")?") - words.begin();
    } else if (words[i] != ")?") {
      ASSAY_CHECK_OK(ReadWord(words[i]));
    }
  }
  return {};
}

Status FormReader::ReadOperand() {
  ASSAY_TRY(operation_.operands.emplace_back(), parser_.ParseOperand());
  return {};
}

Status FormReader::ReadOperandsWithCommas() {
  while (parser_.Is(MlirTokenKind::kValue)) {
    ASSAY_CHECK_OK(ReadOperand());
    ASSAY_CHECK_OK(parser_.Expect(","));
  }
  return {};
}

Result<Attribute> FormReader::ReadValue(std::string_view kind) {
  if (kind == "i64" || kind == "i32") {
    ASSAY_TRY(const std::int64_t value, parser_.ParseInteger());
    return Attribute{IntegerAttribute{value, kind == "i64" ? S64 : S32}};
  }
  if (kind == "integers") {
    ASSAY_TRY(std::vector<std::int64_t> values, parser_.ParseIntegers());
    return Attribute{DenseArray{S64, std::move(values)}};
  }
  if (kind == "boolean") {
    ASSAY_TRY(const bool value, parser_.ParseBoolean());
    return Attribute{value};
  }
  if (kind == "string") {
    ASSAY_TRY(std::string value, parser_.ParseString());
    return Attribute{std::move(value)};
  }
  if (kind == "name" || kind == "symbol") {
    ASSAY_TRY(std::string name, parser_.ParseSymbolName());
    if (kind == "name") return Attribute{std::move(name)};
    return Attribute{SymbolReference{std::move(name), {}}};
  }
  if (kind == "precisions") return ParsePrecisions(parser_);
  if (kind == "mesh") return parser_.ParseMesh();
  if (kind == "sharding") return parser_.ParseSharding();
  if (kind == "shardings") return parser_.ParseShardings();
  if (kind == "stablehlo.conv") return parser_.ParseConvolutionNumbers();
  if (kind == "direction") return ReadNumberOf(kPropagationDirections);
  if (kind == "reduction") return ReadNumberOf(kReductions);
  if (MlirParser::IsShardyList(kind)) return parser_.ParseShardyList(kind);
  if (!parser_.Is(MlirTokenKind::kWord)) return parser_.Expected(fmt::format("a word of {}", kind));
  Attribute word = EnumerationOf(kind, parser_.token().text);
  parser_.Next();
  return word;
}

Result<Attribute> FormReader::ReadNumberOf(std::span<const std::string_view> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (parser_.Take(words[i])) return Attribute{IntegerAttribute{static_cast<std::int64_t>(i), S32}};
  }
  return parser_.Expected(fmt::format("one of {}", JoinText(words, ", ")));
}

Status FormReader::CheckOperands(const std::vector<Type>& types) {
  if (types.size() != operation_.operands.size()) {
    return parser_.FailAt(
        begin_, fmt::format("expected the types of {} operands, found {}", operation_.operands.size(), types.size()));
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    ASSAY_CHECK_OK(parser_.CheckType(operation_.operands[i], types[i], begin_));
  }
  return {};
}

// Sets the type of the one result; all operands have one type too.
Status FormReader::SetOneType(const Type& operand, const Type& result) {
  for (const ValueId value : operation_.operands) ASSAY_CHECK_OK(parser_.CheckType(value, operand, begin_));
  return parser_.SetResultTypes(operation_, {result}, begin_);
}

Status FormReader::ReadOperandTypes() {
  ASSAY_TRY(const std::vector<Type> types, parser_.At("(") ? parser_.ParseTypeOrTypes() : parser_.ParseTypes());
  return CheckOperands(types);
}

// Reads the types of the operands, `between`, and the types of the results.
Status FormReader::ReadTypesOfBoth(std::string_view between) {
  ASSAY_CHECK_OK(ReadOperandTypes());
  ASSAY_CHECK_OK(parser_.Expect(between));
  ASSAY_TRY(const std::vector<Type> types, parser_.At("(") ? parser_.ParseTypeOrTypes() : parser_.ParseTypes());
  return parser_.SetResultTypes(operation_, types, begin_);
}

Status FormReader::ReadFunction() { return parser_.ParseTypeOf(operation_); }

Status FormReader::ReadResult() {
  ASSAY_TRY(const Type type, parser_.ParseType());
  return parser_.SetResultTypes(operation_, {type}, begin_);
}

Status FormReader::ReadSame() {
  ASSAY_TRY(const Type type, parser_.ParseType());
  if (const auto* function = std::get_if<FunctionType>(&type.value)) {
    return parser_.SetFunctionType(operation_, *function, begin_);
  }
  return SetOneType(type, type);
}

Status FormReader::ReadState() { return parser_.SetResultTypes(operation_, {Type{TensorType{U64, {2}, {}}}}, begin_); }

Status FormReader::ReadTuple() {
  ASSAY_TRY(const Type type, parser_.ParseType());
  const auto* tuple = std::get_if<TupleType>(&type.value);
  if (tuple == nullptr) return parser_.FailAt(begin_, "expected the type of a tuple");
  ASSAY_CHECK_OK(CheckOperands(tuple->elements));
  return parser_.SetResultTypes(operation_, {type}, begin_);
}

Status FormReader::ReadComplex() {
  ASSAY_TRY(const Type type, parser_.ParseType());
  if (const auto* function = std::get_if<FunctionType>(&type.value)) {
    return parser_.SetFunctionType(operation_, *function, begin_);
  }
  const auto* tensor = std::get_if<TensorType>(&type.value);
  if (tensor == nullptr || !IsComplexType(tensor->element_type)) {
    return parser_.FailAt(begin_, "expected the type of a tensor of complex numbers");
  }
  TensorType part = *tensor;
  part.element_type = ComplexComponentType(tensor->element_type);
  return SetOneType({std::move(part)}, type);
}

Status FormReader::ReadSelect() {
  ASSAY_TRY(const std::vector<Type> types, parser_.ParseTypes());
  if (const auto* function = std::get_if<FunctionType>(&types[0].value); function != nullptr && types.size() == 1) {
    return parser_.SetFunctionType(operation_, *function, begin_);
  }
  if (types.size() != 2) {
    return parser_.FailAt(begin_, "expected the types of the predicate and of the result, or the type of a function");
  }
  ASSAY_CHECK_OK(CheckOperands({types[0], types[1], types[1]}));
  return parser_.SetResultTypes(operation_, {types[1]}, begin_);
}

using WordReader = Status (FormReader::*)();
constexpr std::pair<std::string_view, WordReader> kWordReaders[] = {
    {"%", &FormReader::ReadOperand},
    {"%*,", &FormReader::ReadOperandsWithCommas},
    {"complex", &FormReader::ReadComplex},
    {"function", &FormReader::ReadFunction},
    {"operands", &FormReader::ReadOperandTypes},
    {"result", &FormReader::ReadResult},
    {"same", &FormReader::ReadSame},
    {"select", &FormReader::ReadSelect},
    {"state", &FormReader::ReadState},
    {"tuple", &FormReader::ReadTuple},
};
constexpr std::pair<std::string_view, FormParser*> kWordParsers[] = {
    {"<body>", ParseBody}, {"<format>", ParseFormat}, {"<ranges>", ParseRanges}, {"<window>", ParseWindow}};

Status FormReader::ReadWord(std::string_view word) {
  begin_ = parser_.token().begin;
  for (const auto& [special, read] : kWordReaders) {
    if (word == special) return (this->*read)();
  }
  for (const auto& [special, parse] : kWordParsers) {
    if (word == special) return parse(parser_, operation_);
  }
  if (word == "%*") return parser_.ParseOperands(operation_.operands);
  if (word == "{}") return parser_.ParseOptionalDictionary(operation_.attributes);
  if (word == "arrow" || word == "cast") return ReadTypesOfBoth(word == "arrow" ? "->" : "to");
  if (word[0] != '$') return parser_.Expect(word);
  const std::size_t colon = word.find(':');
  ASSAY_TRY(Attribute value, ReadValue(word.substr(colon + 1)));
  AddAttribute(operation_, std::string(word.substr(1, colon - 1)), std::move(value));
  return {};
}

}  // namespace

std::vector<std::string_view> WordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find(' '), text.size());
    if (size != 0) words.push_back(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return words;
}

void AddAttribute(Operation& operation, std::string name, Attribute value) {
  operation.attributes.entries.push_back({std::move(name), std::move(value)});
}

bool IsIsolated(std::string_view name) {
  return name == "func.func" || name == "builtin.module" || name == "sdy.manual_computation" ||
         name == "sdy.named_computation";
}

// Accepts operations of unknown dialects; the translator rejects them by name.
Status CheckName(const MlirParser& parser, std::size_t position, std::string_view name) {
  const std::string_view dialect = name.substr(0, name.find('.'));
  if (dialect != "stablehlo" && dialect != "chlo" && dialect != "func" && dialect != "sdy") return {};
  if (FindForm(name) != nullptr) return {};
  return UnknownOperation(parser, position, name);
}

Status ParseForm(MlirParser& parser, Operation& operation) {
  const std::size_t begin = parser.token().begin;
  operation.name = parser.token().text;
  if (operation.name == "module") operation.name = "builtin.module";
  if (operation.name == "return" || operation.name == "call") operation.name.insert(0, "func.");
  const Form* form = FindForm(operation.name);
  if (form == nullptr) return UnknownOperation(parser, begin, operation.name);
  parser.Next();
  if (form->parser != nullptr) return form->parser(parser, operation);
  if (!form->words.empty()) return FormReader(parser, operation).Read(form->words);
  return parser.FailAt(begin, fmt::format("{0} has the generic form alone: expected \"{0}\"(...)", operation.name));
}

}  // namespace assay::stablehlo
