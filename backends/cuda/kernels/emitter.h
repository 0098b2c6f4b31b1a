// The text that computes elements of a computation's instructions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/kernels/body.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay::cuda {

// True if elements of an instruction can be computed one by one from elements of its operands.
bool HasElementText(const HloInstruction& instruction);
// True if the computed elements are bit-exact with the reference: each is rounded once, or not at all.
bool HasExactText(const HloInstruction& instruction);
// True if the instruction only moves elements of its operands.
bool IsMovement(const HloInstruction& instruction);
// True if operand `i` is read at another index than that of the result.
bool ChangesIndex(const HloInstruction& instruction, std::size_t i);
// Returns the ops that have element text for some instructions.
std::vector<std::string_view> OpsWithElementText();

// A writer of elements. The parameters of the computation are arrays of the kernel with the names p0, p1 and so on. All
// other instructions must have element text, except the root.
class ElementEmitter {
 public:
  explicit ElementEmitter(Body& body) : body_(body) {}

  // Returns the name of an instruction's element at an index of its shape.
  std::string Element(const HloInstruction& instruction, const IndexText& index);

  // Returns the start of a slice in a dimension in which the start is clamped to [0, `last`].
  std::string Start(const HloInstruction& indices, const IndexText& index, std::int64_t last);

  // Makes `name` the name of the scalar, or of the element at an index, until the enclosing braces close.
  void Bind(const HloInstruction& scalar, const std::string& name);
  void Bind(const HloInstruction& instruction, const IndexText& index, const std::string& name);

  // Returns the types of all elements written so far.
  TypeSet types() const { return types_; }
  void AddType(PrimitiveType type) { types_ = types_ | TypesOf(type); }

 private:
  std::string Computed(const HloInstruction& instruction, const IndexText& index);
  std::string Moved(const HloInstruction& instruction, const IndexText& index);
  std::string Concatenated(const HloInstruction& concatenate, const IndexText& index);
  std::string Padded(const HloInstruction& pad, const IndexText& index);
  std::string Gathered(const HloInstruction& gather, const IndexText& index);
  std::string Sliced(const HloInstruction& slice, const IndexText& index);
  std::string Reinterpreted(const HloInstruction& convert, const IndexText& index);

  Body& body_;
  TypeSet types_;
};

}  // namespace assay::cuda
