// The operations of VHLO: the attributes of each version, and their form in the newest StableHLO.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/bytecode_cursor.h"
#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

// The form of an attribute in the newest dialect.
enum class VhloForm {
  kSame,
  kIntegers,  // array<i64: ...>
  kBooleans,  // array<i1: ...>
  kSymbol,    // @name
  kSymbols,   // [@name, ...]
  kUnit,      // there or not
  kChannel,   // channel_handle, of type 0
};

struct VhloAttribute {
  std::string_view name;
  VhloForm form = VhloForm::kSame;
  // The value that the newest dialect omits; empty if it omits none. "false", "0", "[]", "{}", "\"\"" and words of
  // enumerations are themselves, "DEFAULT" a list of no other words, "default" an accuracy without a bound, "ones" and
  // "zeros" elements that are all 1 or 0, "[{}]" a list of empty dictionaries, "none" no elements, and "any" each
  // value: an operand has replaced the attribute.
  std::string_view left_out;
};

struct VhloOperation {
  std::string name;                       // "gather_v2"
  std::string stablehlo_name;             // "stablehlo.gather"
  std::string family;                     // "gather"
  std::vector<VhloAttribute> attributes;  // in alphabetical order, as properties are encoded
};

// The newest version of StableHLO whose operations the table has. Programs of newer ones can be read if they have no
// newer operation, attribute or type.
inline constexpr std::string_view kNewestStableHlo = "1.22";

// Returns null for a name that no version of VHLO up to kNewestStableHlo has. The name lacks "vhlo.".
const VhloOperation* FindVhloOperation(std::string_view name);
// Returns the names of all operations.
std::vector<std::string_view> VhloOperationNames();

// True if the attribute has the value that `value` spells as in VhloAttribute::left_out.
bool HasValue(const Attribute& attribute, std::string_view value);
// Converts the attributes of VHLO to the newest StableHLO: gathers fields in one attribute, such as dimension_numbers,
// and omits defaults as StableHLO's own upgrade does. Errors are reported to `cursor`.
void UpgradeVhloAttributes(const VhloOperation& operation, Dictionary& attributes, Cursor& cursor);

}  // namespace assay::stablehlo
