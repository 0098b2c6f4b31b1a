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

// The field of an attribute, and the path of nested messages in the instruction's message, the outer one first. An
// attribute of one name may have different fields for different ops: `beside` names another attribute that only those
// ops have.
struct AttributeRow {
  AttributeName attribute;
  const Field* field = nullptr;
  std::array<const Field*, 2> within = {};
  AttributeName beside = {};
};

// The attributes of an op that have a field of their own, with their rows. Computations, replica groups, and attributes
// that XLA does not serialize are not among them.
struct SerializedAttribute {
  const AttributeSpec* spec;
  const AttributeRow* row;
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
