// Operations in the generic form, values, blocks and regions.
#include <fmt/format.h>

#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/text_forms.h"
#include "interpreter/stablehlo/text_parser.h"

namespace assay::stablehlo {
namespace {

constexpr std::int64_t kMostResults = 100'000;

}  // namespace

ValueId MlirParser::NewValue(const Type& type) {
  types_.push_back(type);
  return static_cast<ValueId>(types_.size() - 1);
}

Status MlirParser::Bind(std::string_view name, std::size_t position, ValueId first, int count) {
  Binding& binding = bindings_[name];
  if (binding.count > 0 && binding.region == region_) {
    return FailAt(position, fmt::format("the value {} is defined twice", name));
  }
  shadowed_.emplace_back(&binding, binding);
  binding = {first, count, region_};
  return {};
}

void MlirParser::LeaveRegion(std::size_t binding_count) {
  while (shadowed_.size() > binding_count) {
    *shadowed_.back().first = shadowed_.back().second;
    shadowed_.pop_back();
  }
  --region_;
}

Result<ValueId> MlirParser::ParseOperand() {
  if (!Is(MlirTokenKind::kValue)) return Expected("a value such as %0");
  const std::size_t begin = token().begin;
  const std::string_view name = token().text;
  const auto found = bindings_.find(name);
  if (found == bindings_.end() || found->second.count == 0 || found->second.region < isolated_region_) {
    return Fail(fmt::format("the value {} must be defined before its use", name));
  }
  const Binding binding = found->second;
  Next();
  std::int64_t index = 0;
  if (Is(MlirTokenKind::kHash) && token().begin == begin + name.size()) {
    lexer_.MoveTo(token().begin + 1);
    ASSAY_TRY(index, ParseInteger());
  }
  if (index >= 0 && index < binding.count) return binding.first + static_cast<ValueId>(index);
  return FailAt(begin, fmt::format("the value {} has {} parts, found the number {}", name, binding.count, index));
}

Status MlirParser::ParseOperands(std::vector<ValueId>& operands) {
  if (!Is(MlirTokenKind::kValue)) return {};
  do {
    ASSAY_TRY(operands.emplace_back(), ParseOperand());
  } while (Take(","));
  return {};
}

Status MlirParser::CheckType(ValueId value, const Type& type, std::size_t position) const {
  if (TypeOf(value) == type) return {};
  return FailAt(position, fmt::format("the type of an operand is not that of its value: expected {}, found {}",
                                      ToText(TypeOf(value)), ToText(type)));
}

Status MlirParser::SetResultTypes(Operation& operation, const std::vector<Type>& types, std::size_t position) {
  std::vector<Value>& results = operation.results;
  if (results.empty()) {
    for (const Type& type : types) results.push_back({NewValue(type), type});
    return {};
  }
  if (results.size() != types.size()) {
    return FailAt(position,
                  fmt::format("{} has {} results, but {} before '='", operation.name, types.size(), results.size()));
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    results[i].type = types[i];
    types_[results[i].id] = types[i];
  }
  return {};
}

Status MlirParser::SetFunctionType(Operation& operation, const FunctionType& type, std::size_t position) {
  if (type.inputs.size() != operation.operands.size()) {
    return FailAt(position, fmt::format("expected the types of {} operands, found {}", operation.operands.size(),
                                        type.inputs.size()));
  }
  for (std::size_t i = 0; i < type.inputs.size(); ++i) {
    ASSAY_CHECK_OK(CheckType(operation.operands[i], type.inputs[i], position));
  }
  return SetResultTypes(operation, type.results, position);
}

Status MlirParser::ParseTypeOf(Operation& operation) {
  const std::size_t begin = token().begin;
  ASSAY_TRY(const FunctionType type, ParseFunctionType());
  return SetFunctionType(operation, type, begin);
}

// Parses "%0:2, %1 = ", and assigns an id to each result.
Status MlirParser::ParseResultNames(std::vector<ResultNames>& names, Operation& operation) {
  if (!Is(MlirTokenKind::kValue)) return {};
  do {
    if (!Is(MlirTokenKind::kValue)) return Expected("a value such as %0");
    ResultNames& result = names.emplace_back(ResultNames{token().text, token().begin, 1});
    Next();
    if (Take(":")) {
      const std::size_t begin = token().begin;
      ASSAY_TRY(const std::int64_t count, ParseInteger());
      if (count < 1 || count > kMostResults) {
        return FailAt(begin, fmt::format("expected a number of results in [1, {}], found {}", kMostResults, count));
      }
      result.count = static_cast<int>(count);
    }
    ASSAY_CHECK_OK(Expand(result.count - 1));
    for (int i = 0; i < result.count; ++i) operation.results.push_back({NewValue({}), {}});
  } while (Take(","));
  return Expect("=");
}

Status MlirParser::ParseOperation(std::vector<Operation>& operations) {
  Operation operation;
  operation.place = lexer_.LocationOf(token().begin);
  std::vector<ResultNames> names;
  ASSAY_CHECK_OK(ParseResultNames(names, operation));
  const std::size_t name_begin = token().begin;
  if (Is(MlirTokenKind::kString)) {
    ASSAY_TRY(operation.name, ParseString());
    ASSAY_CHECK_OK(CheckName(*this, name_begin, operation.name));
    ASSAY_CHECK_OK(ParseGeneric(operation));
  } else if (Is(MlirTokenKind::kWord)) {
    ASSAY_CHECK_OK(ParseForm(*this, operation));
  } else {
    return Expected("an operation");
  }
  ASSAY_CHECK_OK(ParseOptionalLocation(&operation.location));
  std::string_view twice;
  if (!SortEntries(operation.attributes, twice)) {
    return FailAt(name_begin, fmt::format("{} has the attribute {} twice", operation.name, twice));
  }
  RemoveDefaults(operation);
  if (!operation.results.empty() && !names.empty()) {
    ValueId id = operation.results[0].id;
    for (const ResultNames& result : names) {
      ASSAY_CHECK_OK(Bind(result.name, result.begin, id, result.count));
      id += result.count;
    }
  }
  operations.push_back(std::move(operation));
  return {};
}

// Parses "name"(%0, %1) <{properties}> ({regions}) {attributes} : (types) -> types.
Status MlirParser::ParseGeneric(Operation& operation) {
  ASSAY_CHECK_OK(ParseItems("(", ")", operation.operands, [&] { return ParseOperand(); }));
  if (At("[")) return Fail(fmt::format("{} cannot have successors: StableHLO has no branches", operation.name));
  if (Take("<")) {
    ASSAY_CHECK_OK(ParseDictionary(operation.attributes));
    ASSAY_CHECK_OK(Expect(">"));
  }
  if (At("(")) {
    ASSAY_CHECK_OK(
        ParseItems("(", ")", operation.regions, [&] { return ParseRegion({}, IsIsolated(operation.name)); }));
  }
  ASSAY_CHECK_OK(ParseOptionalDictionary(operation.attributes));
  ASSAY_CHECK_OK(Expect(":"));
  return ParseTypeOf(operation);
}

Result<MlirParser::NamedArgument> MlirParser::ParseArgument(bool may_have_location) {
  NamedArgument argument{token().text, token().begin, {}};
  if (!Is(MlirTokenKind::kValue)) return Expected("an argument such as %arg0");
  Next();
  ASSAY_CHECK_OK(Expect(":"));
  ASSAY_TRY(argument.type, ParseType());
  if (may_have_location) ASSAY_CHECK_OK(ParseOptionalLocation());
  return argument;
}

Status MlirParser::BindArguments(const std::vector<NamedArgument>& arguments, Block& block) {
  for (const NamedArgument& argument : arguments) {
    const ValueId id = NewValue(argument.type);
    block.arguments.push_back({id, argument.type});
    ASSAY_CHECK_OK(Bind(argument.name, argument.begin, id, 1));
  }
  return {};
}

Result<Region> MlirParser::ParseRegion(const std::vector<NamedArgument>& arguments, bool is_isolated) {
  const Nesting nesting(*this);
  if (nesting.is_too_deep()) return TooDeep();
  ++region_;
  const int outer_isolated = isolated_region_;
  const std::size_t binding_count = shadowed_.size();
  if (is_isolated) isolated_region_ = region_;
  Region region;
  ASSAY_CHECK_OK(Expect("{"));
  // A region in the generic form may be empty; one whose arguments precede it has a block.
  if (!arguments.empty() || (!At("}") && !Is(MlirTokenKind::kBlock))) {
    ASSAY_CHECK_OK(BindArguments(arguments, region.blocks.emplace_back()));
    ASSAY_CHECK_OK(ParseBlock(region));
  }
  while (Is(MlirTokenKind::kBlock)) {
    Block& block = region.blocks.emplace_back();
    Next();
    std::vector<NamedArgument> block_arguments;
    if (At("(")) {
      ASSAY_CHECK_OK(ParseItems("(", ")", block_arguments, [&] { return ParseArgument(); }));
    }
    ASSAY_CHECK_OK(Expect(":"));
    ASSAY_CHECK_OK(BindArguments(block_arguments, block));
    ASSAY_CHECK_OK(ParseBlock(region));
  }
  ASSAY_CHECK_OK(Expect("}"));
  LeaveRegion(binding_count);
  isolated_region_ = outer_isolated;
  return region;
}

// Parses operations into the last block.
Status MlirParser::ParseBlock(Region& region) {
  while (!At("}") && !Is(MlirTokenKind::kBlock)) ASSAY_CHECK_OK(ParseOperation(region.blocks.back().operations));
  return {};
}

}  // namespace assay::stablehlo
