// The attributes of instructions as fields of HloInstructionProto.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/proto/message.h"
#include "interpreter/types/result.h"

namespace assay::proto {

// A message that is written field by field, including the fields of nested messages.
class MessageTree {
 public:
  MessageWriter own;

  // Returns the nested message of a field; marks the field as present, even if it remains empty.
  MessageTree& At(const Field& field);
  MessageWriter Finish() const;

 private:
  std::vector<std::pair<const Field*, MessageTree>> parts_;
};

// An attribute of an op that has a field of its own, with the path of nested messages in the instruction's message, the
// outer one first. Computations, replica groups, and attributes that XLA does not serialize are not among them.
struct SerializedAttribute {
  const AttributeSpec* spec;
  const Field* field;
  std::array<const Field*, 2> within;
};
std::span<const SerializedAttribute> SerializedAttributes(const Op& op);

// Sets all attributes except computations. The instruction must have its op, shape and operands. Errors are kParse, for
// values that the op's record does not allow.
Status ReadAttributes(const Message& message, HloInstruction& instruction);
// Inverts ReadAttributes. An absent attribute is written with its default.
void WriteAttributes(const HloInstruction& instruction, MessageTree& message);

// Returns the words of an enumeration in HLO text, by number; an empty word is a number that text omits.
std::span<const std::string_view> WordsOf(const Field& field);

}  // namespace assay::proto
