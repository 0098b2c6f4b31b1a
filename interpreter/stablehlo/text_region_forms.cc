// The forms of operations with regions.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "interpreter/stablehlo/text_forms.h"

namespace assay::stablehlo {
namespace {

using NamedArgument = MlirParser::NamedArgument;

// Parses an optional "attributes {...}".
Status ParseAttributesClause(MlirParser& parser, Operation& operation) {
  if (!parser.Take("attributes")) return {};
  return parser.ParseDictionary(operation.attributes);
}

// The parts of a function before its body.
struct Signature {
  std::vector<NamedArgument> arguments;
  std::vector<Attribute> argument_attributes, result_attributes;
  FunctionType type;
};

// Parses "%arg0: tensor<f32> {attributes} loc(...)"; a declaration has no name.
Status ParseSignatureArgument(MlirParser& parser, Signature& signature) {
  if (parser.Is(MlirTokenKind::kValue)) {
    ASSAY_TRY(signature.arguments.emplace_back(), parser.ParseArgument(/*may_have_location=*/false));
    signature.type.inputs.push_back(signature.arguments.back().type);
  } else {
    ASSAY_TRY(signature.type.inputs.emplace_back(), parser.ParseType());
  }
  Dictionary attributes;
  ASSAY_CHECK_OK(parser.ParseOptionalDictionary(attributes));
  signature.argument_attributes.push_back({std::move(attributes)});
  return parser.ParseOptionalLocation();
}

Status ParseSignatureResults(MlirParser& parser, Signature& signature) {
  if (!parser.At("(")) {
    ASSAY_TRY(signature.type.results.emplace_back(), parser.ParseType());
    signature.result_attributes.push_back({Dictionary{}});
    return {};
  }
  return parser.ParseList("(", ")", [&]() -> Status {
    ASSAY_TRY(signature.type.results.emplace_back(), parser.ParseType());
    Dictionary attributes;
    ASSAY_CHECK_OK(parser.ParseOptionalDictionary(attributes));
    signature.result_attributes.push_back({std::move(attributes)});
    return {};
  });
}

Result<Signature> ParseSignature(MlirParser& parser) {
  Signature signature;
  const std::size_t begin = parser.token().begin;
  ASSAY_CHECK_OK(parser.ParseList("(", ")", [&] { return ParseSignatureArgument(parser, signature); }));
  if (!signature.arguments.empty() && signature.arguments.size() != signature.type.inputs.size()) {
    return parser.FailAt(begin, "expected a name for each argument, or for none");
  }
  if (parser.Take("->")) ASSAY_CHECK_OK(ParseSignatureResults(parser, signature));
  return signature;
}

// Parses "(%iterArg = %0, %iterArg_1 = %1)".
Status ParseLoopArguments(MlirParser& parser, Operation& operation, std::vector<NamedArgument>& arguments) {
  return parser.ParseList("(", ")", [&]() -> Status {
    if (!parser.Is(MlirTokenKind::kValue)) return parser.Expected("an argument such as %iterArg");
    NamedArgument& argument = arguments.emplace_back(NamedArgument{parser.token().text, parser.token().begin, {}});
    parser.Next();
    ASSAY_CHECK_OK(parser.Expect("="));
    ASSAY_TRY(const ValueId value, parser.ParseOperand());
    operation.operands.push_back(value);
    argument.type = parser.TypeOf(value);
    return {};
  });
}

// Parses "(%0 init: %1), (%2 init: %3)": the operands are all inputs, then all initial values.
Status ParseReduceOperands(MlirParser& parser, Operation& operation) {
  std::vector<ValueId> initial_values;
  do {
    ASSAY_CHECK_OK(parser.Expect("("));
    ASSAY_TRY(operation.operands.emplace_back(), parser.ParseOperand());
    ASSAY_CHECK_OK(parser.ExpectAll({"init", ":"}));
    ASSAY_TRY(initial_values.emplace_back(), parser.ParseOperand());
    ASSAY_CHECK_OK(parser.Expect(")"));
  } while (parser.Take(","));
  operation.operands.insert(operation.operands.end(), initial_values.begin(), initial_values.end());
  return {};
}

constexpr std::string_view kCommutative[] = {"add", "and", "maximum", "minimum", "multiply", "or", "xor"};

// Returns the region of "applies stablehlo.add": that operation on two scalars.
Result<Region> MakeReducer(MlirParser& parser, const Operation& reduce, const std::string& applied, std::size_t begin) {
  const auto* input = std::get_if<TensorType>(&parser.TypeOf(reduce.operands[0]).value);
  if (input == nullptr) return parser.FailAt(begin, fmt::format("{} needs a tensor as its input", reduce.name));
  const Type scalar{TensorType{input->element_type, {}, {}, false, input->quantized}};
  Region region;
  Block& block = region.blocks.emplace_back();
  Operation operation;
  operation.name = applied;
  operation.location = reduce.location;
  operation.place = reduce.place;
  for (int i = 0; i < 2; ++i) {
    block.arguments.push_back({parser.NewValue(scalar), scalar});
    operation.operands.push_back(block.arguments.back().id);
  }
  operation.results.push_back({parser.NewValue(scalar), scalar});
  Operation result;
  result.name = "stablehlo.return";
  result.operands = {operation.results[0].id};
  result.location = reduce.location;
  result.place = reduce.place;
  block.operations = {std::move(operation), std::move(result)};
  return region;
}

// Parses "reducer(%a: t, %b: t) (%c: u, %d: u) {...}": a pair of arguments for each input.
Result<Region> ParseReducer(MlirParser& parser) {
  std::vector<NamedArgument> lhs, rhs;
  ASSAY_CHECK_OK(parser.Expect("reducer"));
  const auto argument = [&](std::vector<NamedArgument>& side) -> Status {
    ASSAY_TRY(side.emplace_back(), parser.ParseArgument());
    return {};
  };
  while (parser.Take("(")) {
    ASSAY_CHECK_OK(argument(lhs));
    ASSAY_CHECK_OK(parser.Expect(","));
    ASSAY_CHECK_OK(argument(rhs));
    ASSAY_CHECK_OK(parser.Expect(")"));
  }
  lhs.insert(lhs.end(), rhs.begin(), rhs.end());
  return parser.ParseRegion(lhs, false);
}

}  // namespace

// Parses module @name attributes {...} {...}.
Status ParseModule(MlirParser& parser, Operation& operation) {
  if (parser.Is(MlirTokenKind::kSymbol)) {
    ASSAY_TRY(std::string name, parser.ParseSymbolName());
    AddAttribute(operation, "sym_name", {std::move(name)});
  }
  ASSAY_CHECK_OK(ParseAttributesClause(parser, operation));
  ASSAY_TRY(operation.regions.emplace_back(), parser.ParseRegion({}, true));
  if (operation.regions[0].blocks.empty()) operation.regions[0].blocks.emplace_back();
  return {};
}

// Parses func.func public @main(%arg0: tensor<f32>) -> (tensor<f32> {attributes}) attributes {...} {...}.
Status ParseFunction(MlirParser& parser, Operation& operation) {
  for (const std::string_view visibility : {"public", "private", "nested"}) {
    if (!parser.Take(visibility)) continue;
    AddAttribute(operation, "sym_visibility", {std::string(visibility)});
    break;
  }
  ASSAY_TRY(std::string name, parser.ParseSymbolName());
  AddAttribute(operation, "sym_name", {std::move(name)});
  ASSAY_TRY(Signature signature, ParseSignature(parser));
  AddAttribute(operation, "arg_attrs", {std::move(signature.argument_attributes)});
  AddAttribute(operation, "res_attrs", {std::move(signature.result_attributes)});
  AddAttribute(operation, "function_type", {Type{std::move(signature.type)}});
  ASSAY_CHECK_OK(ParseAttributesClause(parser, operation));
  if (!parser.At("{")) {
    operation.regions.emplace_back();
    return {};
  }
  ASSAY_TRY(operation.regions.emplace_back(), parser.ParseRegion(signature.arguments, true));
  return {};
}

// Parses (%iterArg = %0) : types attributes {...} cond {...} do {...}.
Status ParseWhile(MlirParser& parser, Operation& operation) {
  std::vector<NamedArgument> arguments;
  ASSAY_CHECK_OK(ParseLoopArguments(parser, operation, arguments));
  const std::size_t begin = parser.token().begin;
  std::vector<Type> types;
  if (parser.Take(":")) {
    ASSAY_TRY(types, parser.ParseTypes());
  }
  ASSAY_CHECK_OK(parser.SetFunctionType(operation, {types, types}, begin));
  ASSAY_CHECK_OK(ParseAttributesClause(parser, operation));
  for (const std::string_view region : {"cond", "do"}) {
    ASSAY_CHECK_OK(parser.Expect(region));
    ASSAY_TRY(operation.regions.emplace_back(), parser.ParseRegion(arguments, false));
  }
  return {};
}

// Parses (%0 init: %1) applies stablehlo.add across dimensions = [0] {attributes} : (types) -> types; or with a
// reducer.
Status ParseReduce(MlirParser& parser, Operation& operation) {
  ASSAY_CHECK_OK(ParseReduceOperands(parser, operation));
  std::string applied;
  const std::size_t applied_begin = parser.token().begin;
  if (parser.Take("applies")) {
    applied = parser.token().text;
    if (FindForm(applied) == nullptr) return UnknownOperation(parser, parser.token().begin, applied);
    if (std::ranges::find(kCommutative, applied.substr(applied.find('.') + 1)) == std::end(kCommutative)) {
      return parser.FailAt(applied_begin, fmt::format("{} must apply a commutative operation of two scalars, found {}",
                                                      operation.name, applied));
    }
    parser.Next();
  }
  ASSAY_CHECK_OK(parser.ExpectAll({"across", "dimensions", "="}));
  ASSAY_TRY(std::vector<std::int64_t> dimensions, parser.ParseIntegers());
  AddAttribute(operation, "dimensions", {DenseArray{S64, std::move(dimensions)}});
  ASSAY_CHECK_OK(parser.ParseOptionalDictionary(operation.attributes));
  ASSAY_CHECK_OK(parser.Expect(":"));
  ASSAY_CHECK_OK(parser.ParseTypeOf(operation));
  if (applied.empty()) {
    ASSAY_TRY(operation.regions.emplace_back(), ParseReducer(parser));
    return {};
  }
  // The operations of the region have the location of the reduce.
  ASSAY_CHECK_OK(parser.ParseOptionalLocation(&operation.location));
  ASSAY_TRY(operation.regions.emplace_back(), MakeReducer(parser, operation, applied, applied_begin));
  return {};
}

// Parses (%0) inits (%1) dimension = 0 attributes {...} {region} : (types) -> types: the last results are the carries,
// as many as the initial values.
Status ParseScan(MlirParser& parser, Operation& operation) {
  const auto operands = [&] {
    return parser.ParseItems("(", ")", operation.operands, [&] { return parser.ParseOperand(); });
  };
  ASSAY_CHECK_OK(operands());
  const auto inputs = std::ssize(operation.operands);
  ASSAY_CHECK_OK(parser.Expect("inits"));
  ASSAY_CHECK_OK(operands());
  const auto carries = std::ssize(operation.operands) - inputs;
  ASSAY_CHECK_OK(parser.ExpectAll({"dimension", "="}));
  ASSAY_TRY(const std::int64_t dimension, parser.ParseInteger());
  ASSAY_CHECK_OK(ParseAttributesClause(parser, operation));
  AddAttribute(operation, "dimension", {IntegerAttribute{dimension, S64}});
  AddAttribute(operation, "operandSegmentSizes", {DenseArray{S32, {inputs, carries}}});
  ASSAY_TRY(operation.regions.emplace_back(), parser.ParseRegion({}, true));
  ASSAY_CHECK_OK(parser.Expect(":"));
  ASSAY_CHECK_OK(parser.ParseTypeOf(operation));
  const std::int64_t results = std::ssize(operation.results);
  AddAttribute(operation, "resultSegmentSizes", {DenseArray{S32, {results - carries, carries}}});
  return {};
}

// Parses (%arg1: tensor<2x4xf32>) {...}.
Status ParseBody(MlirParser& parser, Operation& operation) {
  std::vector<NamedArgument> arguments;
  ASSAY_CHECK_OK(parser.ParseItems("(", ")", arguments, [&] { return parser.ParseArgument(); }));
  ASSAY_TRY(operation.regions.emplace_back(), parser.ParseRegion(arguments, true));
  return {};
}

}  // namespace assay::stablehlo
