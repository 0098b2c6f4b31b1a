// An HLO module in memory: computations of instructions exactly as in the text.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/result_accuracy.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

struct Op;
struct HloComputation;
struct HloModule;

struct HloInstruction {
  const Op* op = nullptr;
  std::string name;
  Shape shape;
  std::vector<HloInstruction*> operands;
  std::vector<Attribute> attributes;  // op-specific ones, in no particular order
  HloComputation* parent = nullptr;

  std::int64_t parameter_number = 0;  // parameter
  std::optional<Literal> literal;     // constant
  bool literal_is_elided = false;     // constant({...}): not evaluated until FillElidedConstants sets the values

  std::vector<HloInstruction*> control_predecessors;
  std::optional<ResultAccuracy> result_accuracy;
  // The annotations of any op, in the normal form of their printed text: sharding, frontend_attributes, statistics,
  // origin, metadata, backend_config; absent if not written.
  std::map<std::string, std::string, std::less<>> annotations;

  SourceLocation location;  // of the instruction's name in the text

  // Returns the value of an attribute, or null if the instruction does not have it.
  template <class T>
  const T* Find(AttributeName attribute) const {
    for (const Attribute& a : attributes) {
      if (a.name == attribute) return std::get_if<T>(&a.value);
    }
    return nullptr;
  }
  bool Has(AttributeName attribute) const;
  // Sets an attribute. The op's record must have the attribute, here and for the values below.
  void Set(AttributeName attribute, AttributeValue value);

  // Returns the value; for an absent attribute the default of the op's record, or else zero, false or empty.
  std::int64_t Int64(AttributeName attribute) const;
  double Float(AttributeName attribute) const;
  bool Bool(AttributeName attribute) const;
  // Returns the flag, or false if the op has no such flag: for rules of several ops.
  bool IsSet(AttributeName flag) const;
  std::string_view String(AttributeName attribute) const;  // kString and kEnum
  std::span<const std::int64_t> Int64s(AttributeName attribute) const;
  const Window& window() const;
  // Returns a called computation, which the op's record must require.
  HloComputation& Computation(AttributeName attribute) const;
  std::span<HloComputation* const> Computations(AttributeName attribute) const;
  // Returns every computation that an attribute names, in the order of the op's record; those with visited_last are at
  // the end.
  std::vector<HloComputation*> CalledComputations() const;

  const HloInstruction& operand(std::int64_t i) const { return *operands[i]; }
  // Returns the element index of a get-tuple-element.
  std::int64_t tuple_index() const { return Int64("index"); }
  bool IsRoot() const;
};

struct HloComputation {
  std::string name;
  HloModule* module = nullptr;
  std::vector<std::unique_ptr<HloInstruction>> instructions;  // operands before users, as in the text
  HloInstruction* root = nullptr;
  std::string execution_thread = "main";
  std::string backend_config;
  SourceLocation location;

  // Returns the parameters by number; null if the text omits a number.
  std::vector<const HloInstruction*> Parameters() const;
  HloInstruction& Add(std::unique_ptr<HloInstruction> instruction);
};

// The program of StableHLO that a module was converted from.
struct ModuleSource {
  std::shared_ptr<const std::string> bytes;  // text or bytecode, as it came
  std::size_t hlo_hash = 0;                  // of the module as PrintOptions::Exact() prints it
};

struct HloModule {
  std::string name;
  std::vector<std::unique_ptr<HloComputation>> computations;  // callees before callers, as in the text
  HloComputation* entry = nullptr;

  bool is_scheduled = false;
  std::int64_t replica_count = 1;
  std::int64_t num_partitions = 1;
  std::int64_t device_count() const { return replica_count * num_partitions; }
  std::vector<Shape> entry_parameter_layouts;  // entry_computation_layout, with layouts
  Shape entry_result_layout;
  // The other header attributes, in the normal form of their printed text, by name; absent if not written.
  std::map<std::string, std::string, std::less<>> header_attributes;
  // The lines of FileNames, FunctionNames, FileLocations and StackFrames as printed; empty if absent.
  std::string stack_tables;
  // Null if the module came in another form. A change of the module does not reset it: read it with SourceOf
  // (printer.h).
  std::shared_ptr<const ModuleSource> source;

  HloComputation& AddComputation(std::string name);
  const HloComputation* FindComputation(std::string_view name) const;
};

// Sets the layouts of the entry to the shapes of its parameters and its root.
void SetEntryLayouts(HloModule& module);
// Makes the names of computations and of instructions unique, in the order of the text.
void MakeNamesUnique(HloModule& module);

// Fills every elided constant of the module with moderate values (small integers, floats in [-1, 1], random preds) that
// depend only on `seed` and the constant's position. Returns the number of constants filled.
std::int64_t FillElidedConstants(HloModule& module, std::uint64_t seed);

}  // namespace assay
