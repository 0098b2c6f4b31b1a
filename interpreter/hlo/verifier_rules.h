// The rules of the verifier, by topic. Each function appends the violations that it finds.
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
  // Adds "add.3: " or "computation body: " and the message, at the location of the instruction or computation.
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

// Returns the users of each instruction of the computation.
Users UsersOf(const HloComputation& computation);

// Checks names, parents, order, parameters, operand counts, attributes, and that no computation calls itself. The other
// checks require a module that passes this one.
void CheckStructure(const HloModule& module, ErrorList& errors);
// Checks the structure of one instruction by itself: operand count, and that the attributes are the op's.
void CheckOperandsAndAttributes(const HloInstruction& instruction, ErrorList& errors);
// Checks shapes, element types, the op's own rules, and that the declared shape is the inferred one.
void CheckInstruction(const HloInstruction& instruction, ErrorList& errors);
// Checks that every start has its done and every done its start; on the main thread one instruction runs between them.
// Transfers must agree on their channel.
void CheckAsyncPairs(const HloModule& module, ErrorList& errors);
void CheckChannels(const HloModule& module, ErrorList& errors);
// Checks entry_computation_layout, input_output_alias and buffer_donor.
void CheckEntry(const HloModule& module, ErrorList& errors);
// Checks that tiles fit the rank of the array, tuple shardings the tuple, device numbers the module.
void CheckSharding(const HloInstruction& instruction, ErrorList& errors);
// Checks that an origin has the tree of the shape.
void CheckOrigin(const HloInstruction& instruction, ErrorList& errors);
// Checks assigned layouts: of results, of the parameters and results of called computations, of the entry.
void CheckLayouts(const HloModule& module, ErrorList& errors);
// Checks that a buffer is written at most once.
void CheckBufferWriters(const HloModule& module, ErrorList& errors);

}  // namespace assay
