// The parser of StableHLO text: tokens, types, attributes, locations, and operations in the generic form. text_forms.h
// has the pretty form of each operation.
//
// The parser represents attributes whose meaning MLIR's text leaves open as follows:
// - The entries of every dictionary, and the fields of every dialect attribute, are sorted by name.
// - An enumeration has the single field "value", a String: #stablehlo<precision HIGH>, #stablehlo.precision<HIGH> and
//   HIGH in a pretty form are {"stablehlo.precision", value = "HIGH"}.
// - Whole numbers in brackets inside a dialect attribute, such as offset_dims = [0], are a DenseArray of S64. A list of
//   a dialect attribute that the text omits because it is empty is absent.
// - A name of a type inside a dialect attribute, such as lhs_precision_type = tf32, is a Type.
// - #stablehlo.conv has the nine fields of its form "raw": input_batch_dimension, kernel_spatial_dimensions, ...
// - dense<...> is DenseElements for every rank, and is_splat if all of its elements are equal.
// - The attributes of Shardy have the fields of its definition. "sdy.mesh" has axes (each a "sdy.mesh_axis" with name
//   and size) and device_ids. "sdy.sharding" has mesh_or_ref, dim_shardings (each a "sdy.dimension_sharding" with axes,
//   is_closed and optionally priority), replicated_axes, unreduced_axes and, if it is "max" or "min", reduction_op. An
//   axis is a "sdy.axis_ref" with name and optionally pre_size and size. "sdy.sharding_per_value" has shardings. The
//   lists have value: "sdy.manual_axes" an array of Strings, "sdy.axis_ref_list" axes, "sdy.list_of_axis_ref_lists"
//   arrays of axes, and "sdy.all_to_all_param_list" arrays, each of an array of axes and two numbers.
// - An attribute of any other dialect with a body of its own has the single field "text", a String.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interpreter/stablehlo/operation.h"
#include "interpreter/stablehlo/text_lexer.h"
#include "interpreter/types/result.h"

namespace assay::stablehlo {

// A location under construction.
struct ParsedLocation {
  Location location;
  bool is_named_file = false;  // "f"("file.py":1:2): a frame of the function f inside other locations
};

class MlirParser {
 public:
  explicit MlirParser(std::string_view text);

  Result<Program> ParseProgram();

  // Tokens.
  const MlirToken& token() const { return lexer_.token(); }
  bool Is(MlirTokenKind kind) const { return token().kind == kind; }
  bool At(std::string_view text) const { return token().text == text && !Is(MlirTokenKind::kString); }
  void Next() { lexer_.Next(); }
  // Consumes `text` if it is the current token.
  bool Take(std::string_view text);
  Status Expect(std::string_view text);
  Status ExpectAll(std::initializer_list<std::string_view> texts);
  Error Fail(std::string message) const { return FailAt(token().begin, std::move(message)); }
  Error FailAt(std::size_t position, std::string message) const;
  // Fails with "expected `what`, found" the current token.
  Error Expected(std::string_view what) const;
  // True if the token after the current one is `text`.
  bool IsBefore(std::string_view text) const;
  // Parses `item` between `open` and `close`, separated by commas.
  template <class F>
  Status ParseList(std::string_view open, std::string_view close, F item);
  // Appends what `item` returns for each such item.
  template <class List, class Item>
  Status ParseItems(std::string_view open, std::string_view close, List& items, Item item) {
    return ParseList(open, close, [&]() -> Status {
      ASSAY_TRY(items.emplace_back(), item());
      return {};
    });
  }

  Result<std::string> ParseString();
  Result<std::string> ParseSymbolName();
  Result<std::int64_t> ParseInteger();
  Result<bool> ParseBoolean();

  // Types.
  Result<Type> ParseType();
  // Parses types separated by commas.
  Result<std::vector<Type>> ParseTypes();
  // Parses a type, or a list of types in parentheses.
  Result<std::vector<Type>> ParseTypeOrTypes();
  Result<FunctionType> ParseFunctionType();
  // Returns the element type that a word names; none for other words.
  static std::optional<PrimitiveType> ElementType(std::string_view word);

  // Attributes.
  Result<Attribute> ParseAttribute();
  // Returns the value of a number's token.
  Result<Attribute> NumberOfType(bool is_negative, const MlirToken& number, PrimitiveType type);
  Status ParseDictionary(Dictionary& dictionary);
  // Parses a dictionary if the current token begins one.
  Status ParseOptionalDictionary(Dictionary& dictionary);
  Result<std::vector<std::int64_t>> ParseIntegers();  // [1, 2]
  Result<Attribute> ParseDialectBody(const std::string& name);
  Result<Attribute> ParseConvolutionNumbers();
  // Shardy's attributes: a sharding begins with "<", a list of shardings with "[", and a list of axes with "{".
  Result<Attribute> ParseMesh();
  Result<Attribute> ParseSharding();
  Result<Attribute> ParseShardings();
  Result<Attribute> ParseAxes();
  // Parses the value of a list of Shardy, such as {"x", "y"} or [{"x"}: 0->1].
  Result<Attribute> ParseShardyList(std::string_view name);
  // True for sdy.manual_axes, sdy.axis_ref_list, sdy.list_of_axis_ref_lists and sdy.all_to_all_param_list.
  static bool IsShardyList(std::string_view name);

  // Parses an optional "loc(...)". Without a place for it, it has no meaning.
  Status ParseOptionalLocation(Location* location = nullptr);

  // Operations.
  struct NamedArgument {
    std::string_view name;
    std::size_t begin = 0;
    Type type;
  };
  // Parses a value that must be visible.
  Result<ValueId> ParseOperand();
  Status ParseOperands(std::vector<ValueId>& operands);
  // Fails if a value has another type.
  Status CheckType(ValueId value, const Type& type, std::size_t position) const;
  const Type& TypeOf(ValueId value) const { return types_[value]; }
  ValueId NewValue(const Type& type);
  // Parses "{ ... }". The arguments become those of the entry block.
  Result<Region> ParseRegion(const std::vector<NamedArgument>& arguments, bool is_isolated);
  // Parses "%arg0: tensor<f32>", and an optional location unless something else precedes that.
  Result<NamedArgument> ParseArgument(bool may_have_location = true);
  // Sets the types of the results. Fails if their number differs from that of the names before "=".
  Status SetResultTypes(Operation& operation, const std::vector<Type>& types, std::size_t position);
  // Checks the operands against the type, and sets the results.
  Status SetFunctionType(Operation& operation, const FunctionType& type, std::size_t position);
  // Parses the type of a function, and does so for it.
  Status ParseTypeOf(Operation& operation);

 private:
  // A counter of the nesting of types, attributes, locations and regions, which bounds the recursion.
  class Nesting {
   public:
    explicit Nesting(MlirParser& parser) : parser_(parser) {
      parser_.deepest_ = std::max(parser_.deepest_, ++parser_.depth_);
    }
    ~Nesting() { --parser_.depth_; }
    bool is_too_deep() const { return parser_.depth_ > kMost; }
    static constexpr int kMost = 200;

   private:
    MlirParser& parser_;
  };
  Error TooDeep() const;
  // An upper bound of the nodes that aliases may add to those of the text: aliases of aliases can double it at every
  // step.
  static constexpr std::int64_t kMostExpanded = 4'000'000;
  Status Expand(std::int64_t nodes);

  // The definition of #name or !name, parsed at its first use: a location may be defined after its uses.
  struct Alias {
    std::size_t position = 0;  // after "="
    std::size_t end = 0;       // after the definition; 0 until it is parsed
    bool is_open = false;      // being parsed
    std::int64_t size = 0;     // nodes of a copy
    int depth = 0;             // nesting depth of the nodes
    std::optional<Attribute> attribute;
    std::optional<Type> type;
    std::optional<ParsedLocation> location;
  };
  void FindAliases();
  void FindAlias(std::size_t& position);
  // Returns the value of the alias that is the current token, without consuming it. The first use parses the
  // definition.
  template <class T, class F>
  Result<const T*> UseAlias(std::optional<T> Alias::*value, F parse);

  Status SkipAlias();

  Result<Type> ParseWordType();
  Result<Type> ParseBangType();
  Result<Type> ParseTensorType();
  Result<Type> ParseTupleType();
  Result<Type> ParseComplexType();
  Result<Type> ParseQuantizedType();
  Status ParseQuantizedElement(Quantization& quantization);
  Result<double> ParseScale();
  Status ParseParameter(Quantization& quantization);
  Status ParseParameterLists(Quantization& quantization, std::vector<std::int64_t>& counts);
  Status ParseBlocks(Quantization& quantization);
  Status ParseDimensions(TensorType& type, bool& is_ranked);
  bool AtBounds() const;
  Status ParseBounds(TensorType& type);
  // Skips the brackets after a type that HLO lacks.
  Result<Type> OtherTypeFrom(std::size_t begin);

  Result<Attribute> ParseWordAttribute();
  Result<Attribute> ParseNumber();
  Result<Attribute> ParseSymbol();
  Result<Attribute> ParseHash();
  Result<Attribute> ParseDenseArray();
  Result<Attribute> ParseDense();
  Result<Attribute> ParseDenseResource();
  Result<TensorType> ParseStaticTensorType();
  Status ParseDenseBody(DenseElements& dense);
  Status ParseDenseHex(DenseElements& dense);
  Status ParseDenseList(DenseElements& dense, std::size_t dimension);
  Status ParseElement(PrimitiveType type, std::string& bytes);
  Status ParseComponent(PrimitiveType type, std::string& bytes);
  Status ParseEntry(Dictionary& dictionary);
  Result<Attribute> ParseField();
  Result<Attribute> ParseFields(const std::string& name);
  Result<Attribute> TextOfBody(const std::string& name);
  Status ParseResources();
  Result<std::string> ParseResourceKey();
  Status ParseResourceValue(const std::string& group);

  Status ParseDimensionLabels(std::string_view role, std::string_view first, std::string_view second,
                              Dictionary& fields);
  Result<Attribute> ParseDimensionSharding();
  Result<Attribute> ParseAxis();
  Result<Attribute> ParseSubAxis(std::string_view name);
  Result<Attribute> ParseAllToAllParameter();
  Status ParseFurtherAxes(std::vector<NamedAttribute>& fields);

  Result<ParsedLocation> ParseLocation();
  Result<ParsedLocation> ParseNamedLocation();
  Result<ParsedLocation> ParseCallSite();
  Result<ParsedLocation> ParseFusedLocation();
  Status ParseFilePosition(SourceFrame& frame);

  struct Binding {
    ValueId first = 0;
    int count = 0;
    int region = 0;
  };
  struct ResultNames {
    std::string_view name;
    std::size_t begin = 0;
    int count = 0;
  };
  Status ParseOperation(std::vector<Operation>& operations);
  Status ParseResultNames(std::vector<ResultNames>& names, Operation& operation);
  Status ParseGeneric(Operation& operation);
  Status ParseBlock(Region& region);
  Status Bind(std::string_view name, std::size_t position, ValueId first, int count);
  Status BindArguments(const std::vector<NamedArgument>& arguments, Block& block);
  void LeaveRegion(std::size_t binding_count);

  MlirLexer lexer_;
  int depth_ = 0;
  int deepest_ = 0;
  std::int64_t nodes_ = 0;     // parsed, or copied from an alias
  std::int64_t expanded_ = 0;  // of these, the nodes of aliases
  std::unordered_map<std::string_view, Alias> aliases_;
  std::size_t resources_begin_ = std::string_view::npos;
  std::unordered_map<std::string, std::string_view> resources_;  // the quoted text of each

  std::vector<Type> types_;  // by value
  std::unordered_map<std::string_view, Binding> bindings_;
  std::vector<std::pair<Binding*, Binding>> shadowed_;  // the previous binding of each; count 0: none
  int region_ = 0;
  int isolated_region_ = 0;  // values of regions outside of this one are not visible
};

// Returns the bits of a number of an integral type, sign-extended; none if it is out of range.
std::optional<std::uint64_t> ReadInteger(bool is_negative, std::string_view digits, PrimitiveType type);
// Returns the bits of a number of a floating type: a decimal, or the bits after 0x.
std::optional<std::uint64_t> ReadReal(bool is_negative, const MlirToken& number, PrimitiveType type);

// Appends the little-endian bytes of an element.
void AppendElement(std::uint64_t bits, PrimitiveType type, std::string& bytes);
// Unpacks each bit to a byte.
std::string UnpackBits(std::string_view packed, std::size_t count);
// Converts elements that are all equal to a splat.
void JoinEqualElements(DenseElements& dense);

// Sorts by name. Returns false, and the name in `twice`, if two entries have the same name.
bool SortEntries(Dictionary& dictionary, std::string_view& twice);

template <class F>
Status MlirParser::ParseList(std::string_view open, std::string_view close, F item) {
  ASSAY_CHECK_OK(Expect(open));
  if (Take(close)) return {};
  do {
    ASSAY_CHECK_OK(item());
  } while (Take(","));
  return Expect(close);
}

template <class T, class F>
Result<const T*> MlirParser::UseAlias(std::optional<T> Alias::*value, F parse) {
  const auto found = aliases_.find(token().text);
  if (found == aliases_.end()) return Fail(fmt::format("the alias {} has no definition", token().text));
  Alias& alias = found->second;
  if (alias.is_open) return Fail(fmt::format("the alias {} contains itself", token().text));
  if (!(alias.*value).has_value()) {
    const std::size_t use = token().begin;
    const std::int64_t nodes = nodes_;
    const int deepest = std::exchange(deepest_, depth_);
    lexer_.MoveTo(alias.position);
    alias.is_open = true;
    ASSAY_TRY(alias.*value, parse());
    alias.is_open = false;
    alias.end = token().begin;
    alias.size = nodes_ - nodes + static_cast<std::int64_t>((token().begin - alias.position) / 64);
    alias.depth = deepest_ - depth_;
    deepest_ = deepest;
    lexer_.MoveTo(use);
  }
  deepest_ = std::max(deepest_, depth_ + alias.depth);
  if (deepest_ > Nesting::kMost) return TooDeep();
  ASSAY_CHECK_OK(Expand(alias.size));
  return &*(alias.*value);
}

}  // namespace assay::stablehlo
