// The attributes that an operation of StableHLO and its op of HLO both have: one table for both translations.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/stablehlo/operation.h"
#include "interpreter/stablehlo/to_hlo_attributes.h"

namespace assay::stablehlo {

// The value in StableHLO, and in HLO.
enum class PairForm {
  kNumber,      // 1 : i64, and 1
  kNumber32,    // 1 : i32, and 1
  kOnlyNumber,  // 1 : i64, and {1}
  kNumbers,     // array<i64: 1, 2>, and {1,2}
  kFlag,        // true, and true; HLO omits false
  kReal,        // 1.0 : f32, and 1
  kWord,        // #stablehlo<fft_type RFFT>, and RFFT
  kRandomWord,  // #stablehlo<rng_distribution NORMAL>, and rng_normal
};

struct AttributePair {
  std::string_view owner;  // an operation without its dialect, or an attribute that has the values as its fields
  std::string_view stablehlo;
  AttributeName hlo;
  PairForm form = PairForm::kNumbers;
  bool is_required = false;           // in StableHLO
  std::string_view enumeration = {};  // of a word in StableHLO
  std::string_view if_absent = {};    // the word if HLO has none
};

// Returns the pairs of an operation, or of an attribute such as "#gather".
std::span<const AttributePair> PairsOf(std::string_view owner);

// Sets the attributes of an instruction to those of an operation, or to the fields of one attribute.
Status SetPairs(const AttributeReader& attributes, std::span<const AttributePair> pairs, HloInstruction& instruction);
// Returns the attributes of an operation, or the fields of one attribute, for those of an instruction.
std::vector<NamedAttribute> EntriesOf(const HloInstruction& instruction, std::span<const AttributePair> pairs);

// An attribute with a number for each dimension of a window, and the member that it sets.
struct WindowList {
  std::string_view name;
  std::int64_t WindowDimension::*number;
  bool WindowDimension::*flag = nullptr;  // instead of a number
};

inline constexpr WindowList kFoldLists[] = {{"window_dimensions", &WindowDimension::size},
                                            {"window_strides", &WindowDimension::stride},
                                            {"base_dilations", &WindowDimension::base_dilation},
                                            {"window_dilations", &WindowDimension::window_dilation}};
inline constexpr WindowList kConvolutionLists[] = {{"window_strides", &WindowDimension::stride},
                                                   {"lhs_dilation", &WindowDimension::base_dilation},
                                                   {"rhs_dilation", &WindowDimension::window_dilation},
                                                   {"window_reversal", nullptr, &WindowDimension::window_reversal}};

}  // namespace assay::stablehlo
