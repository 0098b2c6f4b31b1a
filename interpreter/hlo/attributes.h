// The attributes of an instruction: their kinds, values and records. An op's record lists the op's attributes; parser,
// printer and verifier read that list.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "interpreter/hlo/attribute_name.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/shape.h"

namespace assay {

struct HloComputation;

using Int64List = std::vector<std::int64_t>;

// One dimension of a window: `window={size=3 stride=2 pad=1_1 lhs_dilate=1 rhs_dilate=1 rhs_reversal=0}`.
struct WindowDimension {
  std::int64_t size = 1;
  std::int64_t stride = 1;
  std::int64_t padding_low = 0;
  std::int64_t padding_high = 0;
  std::int64_t window_dilation = 1;  // rhs_dilate
  std::int64_t base_dilation = 1;    // lhs_dilate
  bool window_reversal = false;      // rhs_reversal
  bool operator==(const WindowDimension&) const = default;
};

struct Window {
  std::vector<WindowDimension> dimensions;
  bool operator==(const Window&) const = default;
};

// The value of `padding=lo_hi_interior x ...`, one entry per dimension.
struct PaddingConfigDimension {
  std::int64_t edge_padding_low = 0;
  std::int64_t edge_padding_high = 0;
  std::int64_t interior_padding = 0;

  void set_edge_padding_low(std::int64_t n) { edge_padding_low = n; }
  void set_edge_padding_high(std::int64_t n) { edge_padding_high = n; }
  void set_interior_padding(std::int64_t n) { interior_padding = n; }
  bool operator==(const PaddingConfigDimension&) const = default;
};
struct PaddingConfig : std::vector<PaddingConfigDimension> {
  using vector::vector;
  PaddingConfigDimension* add_dimensions() { return &emplace_back(); }
};

// One dimension of `slice={[start:limit:stride], ...}`.
struct SliceDimension {
  std::int64_t start = 0;
  std::int64_t limit = 0;
  std::int64_t stride = 1;
  bool operator==(const SliceDimension&) const = default;
};
using SliceConfig = std::vector<SliceDimension>;

// The value of `dim_labels=b01f_01io->b01f`.
struct ConvolutionDimensionNumbers {
  std::int64_t input_batch_dimension = 0;
  std::int64_t input_feature_dimension = 0;
  Int64List input_spatial_dimensions;
  std::int64_t kernel_input_feature_dimension = 0;
  std::int64_t kernel_output_feature_dimension = 0;
  Int64List kernel_spatial_dimensions;
  std::int64_t output_batch_dimension = 0;
  std::int64_t output_feature_dimension = 0;
  Int64List output_spatial_dimensions;
  bool operator==(const ConvolutionDimensionNumbers&) const = default;
};

// The value of `replica_groups=`: the groups, and the form of the text (lists, iota or mesh), which the printer keeps.
struct ReplicaGroups {
  std::vector<Int64List> groups;
  std::string iota_text;  // "[2,4]<=[8]" or a mesh; empty for the list form
  bool operator==(const ReplicaGroups&) const = default;
};

// One entry of output_to_operand_aliasing: output index, operand number, index inside the operand.
struct OutputOperandAlias {
  Int64List output_index;
  std::int64_t operand = 0;
  Int64List operand_index;
  bool operator==(const OutputOperandAlias&) const = default;
};

enum class AttributeKind {
  kBool,
  kInt64,
  kFloat,
  kString,         // a quoted string
  kEnum,           // one of AttributeSpec::enumerators
  kInt64List,      // {1,2}
  kBoolList,       // {true,false}
  kInt64ListList,  // {{1,2},{3}}
  kWindow,
  kPadding,
  kSlice,
  kDimLabels,
  kPrecision,        // operand_precision: {default,highest}
  kComputation,      // a name, or a body in braces
  kComputationList,  // {%a, %b}
  kReplicaGroups,
  kAliasing,
  kShape,
  kShapeList,
  kLiteral,   // a literal after its shape
  kDomain,    // {kind="sharding", entry=..., exit=...}
  kSparsity,  // {lhs={sparsity=NxM ...} rhs={...}}
  kRaw,       // kept and printed as written
};

using AttributeValueOf =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Int64List, std::vector<bool>,
                 std::vector<Int64List>, Window, PaddingConfig, SliceConfig, ConvolutionDimensionNumbers,
                 std::vector<std::string>, HloComputation*, std::vector<HloComputation*>, ReplicaGroups,
                 std::vector<OutputOperandAlias>, Shape, std::vector<Shape>, Literal>;

template <class T, class Variant>
inline constexpr bool kIsAlternative = false;
template <class T, class... Ts>
inline constexpr bool kIsAlternative<T, std::variant<Ts...>> = (std::is_same_v<T, Ts> || ...);

// A value of any AttributeKind. Its constructors, assignments and destructor are out of line: every file that includes
// this header would compile them, which took a third of the compile time of an op.
class AttributeValue : public AttributeValueOf {
 public:
  AttributeValue();
  template <class T>
  requires kIsAlternative<T, AttributeValueOf> AttributeValue(
      T value);  // NOLINT(google-explicit-constructor): a value is written as it is
  AttributeValue(const char* text) : AttributeValue(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  AttributeValue(const AttributeValue& other);
  AttributeValue(AttributeValue&& other) noexcept;
  AttributeValue& operator=(const AttributeValue& other);
  AttributeValue& operator=(AttributeValue&& other) noexcept;
  ~AttributeValue();
};

// The condition for printing an attribute.
enum class PrintRule {
  kIfSet,         // if the instruction has it
  kIfNotDefault,  // if it differs from AttributeSpec::default_value
  kAlways,        // even if absent: then as default_value
  kNever,         // read and dropped, or implied by something else
};

struct AttributeSpec {
  // Special members are out of line: every op file makes records, and inlining them would double the build time of
  // those files.
  ~AttributeSpec();

  AttributeName name;
  AttributeKind kind = AttributeKind::kRaw;
  bool required = false;
  PrintRule print = PrintRule::kIfSet;
  AttributeValue default_value = {};
  std::vector<std::string_view> enumerators = {};  // kEnum: the legal spellings
  bool ignores_case = false;                       // kEnum: read in any case, printed as listed
  std::int64_t length = -1;                        // kInt64List: the required length; -1: any
  bool visited_last = false;                       // kComputation: last in CalledComputations
  std::string_view body_name = {};  // kComputation: XLA's name for a body printed in place; default: name
};

// The attributes of an op, in print order.
class AttributeSpecs {
 public:
  AttributeSpecs() = default;
  AttributeSpecs(std::initializer_list<AttributeSpec> specs);
  auto begin() const { return specs_->begin(); }
  auto end() const { return specs_->end(); }
  const AttributeSpec& operator[](std::size_t i) const { return (*specs_)[i]; }
  std::size_t size() const { return specs_->size(); }
  // True if one of them names computations.
  bool have_computations() const { return have_computations_; }

 private:
  static std::shared_ptr<const std::vector<AttributeSpec>> None();
  std::shared_ptr<const std::vector<AttributeSpec>> specs_ = None();
  bool have_computations_ = false;
};

struct Attribute {
  AttributeName name;
  AttributeValue value;
};

}  // namespace assay
