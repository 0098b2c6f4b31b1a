// The ops, element types and attributes that a backend's reason for declining a program names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Returns the ops that a text names and that are features of a program, in the order of the text: `shuffle` for
// "UNIMPLEMENTED: shuffle", `all-to-all` for "'stablehlo.all_to_all' op requires ...". Some ops have the name of a
// word: "and" counts only if the text has no name in quotation marks, in front of a bracket, or with a prefix or
// hyphen. Element types follow the ops: `type f8e3m4` for "element type f8e3m4 at the entry".
std::vector<std::string> OpsNamedIn(std::string_view text, const std::vector<std::string>& features);

// Returns the attribute that a text names, as a feature: "attribute result_accuracy" for `unexpected attribute
// "result_accuracy"`; empty if it names none.
std::string AttributeNamedIn(std::string_view text);

// True if a feature is the named op, type or attribute, or a property of it: "pad", "pad f32" and "pad padding
// negative" of "pad", "convolution algorithm" of "attribute algorithm".
bool IsNamedBy(std::string_view feature, std::string_view named);

// Returns the op that a feature is a property of, without the ending of an asynchronous part: "all-gather" for
// "all-gather-done f32". Returns any other feature itself: "type s4", "called add".
std::string_view OwnerOf(std::string_view feature);

}  // namespace assay
