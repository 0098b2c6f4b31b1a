// The rules of the verifier, by topic. Each function appends what it finds.
#pragma once

#include <fmt/format.h>

#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

class ErrorList {
 public:
  void Add(Error error) { errors_.push_back(std::move(error)); }
  // "add.3: " or "computation body: " and the message, at the place of the instruction or computation.
  void Add(const HloInstruction& instruction, std::string_view message);
  void Add(const HloComputation& computation, std::string_view message);
  void Add(const HloModule& module, std::string_view message);
  template <class Where, class... Args>
  void Add(const Where& where, fmt::format_string<Args...> format, Args&&... args) requires(sizeof...(Args) > 0) {
    Add(where, std::string_view(fmt::format(format, std::forward<Args>(args)...)));
  }

  bool empty() const { return errors_.empty(); }
  std::vector<Error> Take() && { return std::move(errors_); }

 private:
  std::vector<Error> errors_;
};

using Users = std::unordered_map<const HloInstruction*, std::vector<const HloInstruction*>>;

// Who takes each instruction of the computation as an operand.
Users UsersOf(const HloComputation& computation);

// Names, parents, order, parameters, operand counts, attributes, and that no computation calls itself. Nothing else may
// look at a module that breaks one of these.
void CheckStructure(const HloModule& module, ErrorList& errors);
// The part of it that concerns one instruction by itself: operand count, and that the attributes are the op's.
void CheckOperandsAndAttributes(const HloInstruction& instruction, ErrorList& errors);
// Shapes, element types, the op's own rules, and that the declared shape is the inferred one.
void CheckInstruction(const HloInstruction& instruction, ErrorList& errors);
// Every start has its done, every done its start; on the main thread one instruction runs between them. Transfers agree
// on their channel.
void CheckAsyncPairs(const HloModule& module, ErrorList& errors);
void CheckChannels(const HloModule& module, ErrorList& errors);
// entry_computation_layout, input_output_alias and buffer_donor.
void CheckEntry(const HloModule& module, ErrorList& errors);
// Tiles fit the rank of the array, tuple shardings the tuple, device numbers the module.
void CheckSharding(const HloInstruction& instruction, ErrorList& errors);
// An origin has the tree of the shape.
void CheckOrigin(const HloInstruction& instruction, ErrorList& errors);
// Layouts where they have been assigned: of results, of what called computations take and give, of the entry.
void CheckLayouts(const HloModule& module, ErrorList& errors);
// A buffer is written once.
void CheckBufferWriters(const HloModule& module, ErrorList& errors);

}  // namespace assay
