// Writes the text that computes elements of a computation's instructions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/kernels/body.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay::cuda {

// Whether elements of an instruction can be computed one by one from elements of its operands.
bool HasElementText(const HloInstruction& instruction);
// Whether the elements that the text computes are the reference's to the bit: each is one rounding, or none.
bool HasExactText(const HloInstruction& instruction);
// Whether its elements are those of its operands, moved.
bool IsMovement(const HloInstruction& instruction);
// Whether operand `i` is read at another index than the one that is computed.
bool ChangesIndex(const HloInstruction& instruction, std::size_t i);
// The ops of which some instructions have such text.
std::vector<std::string_view> OpsWithElementText();

// Of a computation whose parameters are arrays of the kernel's, with names p0, p1 and so on, and whose other
// instructions have element text; the root may be anything.
class ElementEmitter {
 public:
  explicit ElementEmitter(Body& body) : body_(body) {}

  // The name of the element of an instruction at an index of its shape.
  std::string Element(const HloInstruction& instruction, const IndexText& index);

  // Where a slice starts in a dimension in which it may start at 0 to `last`.
  std::string Start(const HloInstruction& indices, const IndexText& index, std::int64_t last);

  // Takes `name` for the scalar, or for the element at an index, until the braces around close.
  void Bind(const HloInstruction& scalar, const std::string& name);
  void Bind(const HloInstruction& instruction, const IndexText& index, const std::string& name);

  // All types of the elements that have been written so far.
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
