// The values of all devices in a program of one device, and the instructions that make them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/names.h"

namespace assay {

using Values = std::vector<HloInstruction*>;  // of one instruction on each device, or the operands of a new one

// The values of one instruction on all devices. A value of which all devices have the same integers is one instruction.
struct JoinedValue {
  Values on;                               // by device; empty for a tuple that is known by its elements
  std::vector<JoinedValue> elements = {};  // of such a tuple
  bool is_tuple = false;
  bool is_promise = false;  // of an asynchronous operation that has not ended
};

// True if all devices have one instruction.
bool AreSame(const Values& values);
std::vector<bool> WhichAreSame(const std::vector<Values>& leaves);

// Adds instructions to computations of a program, with names of their own.
class JoinedProgram {
 public:
  // `devices`: of the program before. Instructions are added to `into` until that is changed.
  JoinedProgram(HloComputation& into, std::size_t devices) : into_(&into), devices_(devices) {}

  HloInstruction& Add(std::string_view op, Shape shape, Values operands);
  HloInstruction& AddConstant(Literal value);
  HloInstruction& AddTuple(Values elements);
  HloInstruction& Copy(const HloInstruction& instruction, Values operands);
  HloInstruction& Concatenate(const Values& parts, std::int64_t dimension);
  // Returns part `index` of `count` equal ones.
  HloInstruction& Shard(HloInstruction& whole, std::int64_t dimension, std::int64_t count, std::int64_t index);
  HloInstruction& Zeros(const Shape& shape);

  // Returns the value of a device; a tuple is made of its elements.
  HloInstruction& On(std::size_t device, const JoinedValue& value);
  JoinedValue ElementOf(const JoinedValue& tuple, std::int64_t index);
  // Returns a value whose arrays have the layouts of a shape: a bitcast reads them.
  JoinedValue InLayout(JoinedValue value, const Shape& shape);
  // Appends the arrays of a value, in the layouts of this shape; the other function makes the value of them.
  void Flatten(const JoinedValue& value, const Shape& shape, std::vector<Values>& leaves);
  static JoinedValue Unflatten(const Shape& shape, std::span<const Values> leaves);
  // Makes a tuple of arrays; one that is the same on all devices is one element. The other function takes it apart.
  HloInstruction& Pack(const std::vector<Values>& leaves, const std::vector<bool>& are_same);
  std::vector<Values> Unpack(HloInstruction& packed, const std::vector<bool>& are_same);

  // Adds to another computation from now on. Returns the one before.
  HloComputation& Into(HloComputation& computation) { return *std::exchange(into_, &computation); }

  std::size_t devices() const { return devices_; }
  std::size_t size() const { return size_; }  // instructions that were added
  std::string UniqueName(std::string_view name) { return names_.Unique(name); }

 private:
  HloComputation* into_;
  std::size_t devices_, size_ = 0;
  NameUniquer names_;
};

}  // namespace assay
