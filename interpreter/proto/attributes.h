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

// A message that is written field by field, fields of the messages in it too.
class MessageTree {
 public:
  MessageWriter own;

  // The message of a field, which from then on is there, if only empty.
  MessageTree& At(const Field& field);
  MessageWriter Finish() const;

 private:
  std::vector<std::pair<const Field*, MessageTree>> parts_;
};

// The field that holds an attribute, and the messages in the instruction's that the field is in, the outer one first.
// An attribute of one name may mean different fields for different ops: `beside` is another attribute of those ops.
struct AttributeRow {
  AttributeName attribute;
  const Field* field = nullptr;
  std::array<const Field*, 2> within = {};
  AttributeName beside = {};
};

// The attributes of an op that a field of its own holds, with their rows: not those that XLA does not serialize, nor
// computations and replica groups.
struct SerializedAttribute {
  const AttributeSpec* spec;
  const AttributeRow* row;
};
std::span<const SerializedAttribute> SerializedAttributes(const Op& op);

// Sets all attributes but computations of an instruction whose op, shape and operands are known. Errors are kParse, for
// values that the op's record does not have.
Status ReadAttributes(const Message& message, HloInstruction& instruction);
// The inverse: an attribute that the instruction does not have is written with its default.
void WriteAttributes(const HloInstruction& instruction, MessageTree& message);

// The words of an enumeration as HLO text spells them, by number; an empty word is a number that text does not say.
std::span<const std::string_view> WordsOf(const Field& field);

}  // namespace assay::proto
