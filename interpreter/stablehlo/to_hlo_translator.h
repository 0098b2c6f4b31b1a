// The state of one translation: the module under construction, the instructions of values, and the computations of
// functions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/names.h"
#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/operation.h"
#include "interpreter/stablehlo/to_hlo.h"
#include "interpreter/stablehlo/to_hlo_attributes.h"
#include "interpreter/stablehlo/to_hlo_locations.h"
#include "interpreter/stablehlo/to_hlo_refinement.h"

namespace assay::stablehlo {

// The annotations of all instructions of one operation, as HLO prints them; empty: none.
struct Annotations {
  std::string_view base_name;  // of the instructions; empty: the op's name
  std::string_view metadata;
  std::string frontend_attributes;
  SourceLocation place;
  // For the operation's result, or one for each of its results, which are the elements of a tuple.
  std::vector<std::string> shardings;
};

class Translator {
 public:
  explicit Translator(const Program& program);
  // Returns the module whose entry is `function`, or EntryName if that is empty.
  Result<std::unique_ptr<HloModule>> Translate(std::string_view function, std::span<const Argument> arguments);

  // Adds an instruction to the current computation, with the annotations of the current operation.
  HloInstruction& Add(const Op& op, Shape shape, std::vector<HloInstruction*> operands);
  HloInstruction& Add(std::string_view op, Shape shape, std::vector<HloInstruction*> operands);
  HloInstruction& AddConstant(Literal literal);
  HloInstruction& AddTuple(std::vector<HloInstruction*> elements);
  // Returns the instruction itself if there is only one, otherwise a tuple.
  HloInstruction& AddTupleUnlessOne(std::vector<HloInstruction*> elements);
  HloInstruction& AddElement(HloInstruction& tuple, std::int64_t index);
  // Adds and returns all elements of a tuple; returns another value itself.
  std::vector<HloInstruction*> ElementsOf(HloInstruction& value);

  // Returns the instruction of a value that the operation uses. A constant of an enclosing region is repeated.
  Result<HloInstruction*> InstructionOf(const Operation& user, ValueId value);
  void Bind(ValueId value, HloInstruction& instruction);
  // Binds the results of an operation to an instruction, or to the elements of a tuple if they are not one.
  void BindResults(const Operation& operation, HloInstruction& instruction);
  // Binds the results to the first elements of a tuple.
  void BindElements(const Operation& operation, HloInstruction& tuple);
  // Returns the operation that defines a constant, otherwise null.
  const Operation* ConstantOf(ValueId value) const;
  const Type* TypeOf(ValueId value) const;
  // Fails at the operation unless the values have the types, as far as they are quantized: HLO's verifier compares the
  // others. `what` is the text "result".
  Status CheckQuantizedTypes(const Operation& user, std::string_view what, const std::vector<ValueId>& values,
                             const std::vector<Type>& types) const;
  // True if the program has dimensions of unknown size, so that shapes are inferred.
  bool is_unbounded() const { return is_unbounded_; }
  // Returns the value of an instruction in such a program, if sizes may depend on it. Null: it is not known.
  const Literal* KnownValue(const HloInstruction& instruction) const { return known_.Find(instruction); }
  // Infers the shapes of the current computation's instructions from `first` on, and learns their values. Does nothing
  // unless the program is unbounded.
  Status InferShapes(const Operation& operation, std::size_t first);
  // Returns the number of instructions in the current computation.
  std::size_t instruction_count() const { return computation_->instructions.size(); }
  // Returns the operands as arguments of a function or region. Empty unless shapes are inferred.
  std::vector<Argument> ArgumentsOf(std::span<HloInstruction* const> operands) const;

  // Returns a region as a computation whose parameters are the arguments of the region's block. `arguments` has their
  // shapes, or is empty. The captured values are further parameters, after each `stride` of the arguments. The results
  // are those of the region, followed by the captured values if `returns_captures`.
  Result<HloComputation*> LowerRegion(const Operation& owner, const Region& region, std::string_view name = "region",
                                      std::span<const Argument> arguments = {}, std::span<const ValueId> captures = {},
                                      std::size_t stride = 1, bool returns_captures = false);
  // Returns the values that the regions use and do not define, in the order of their use, without constants.
  Result<std::vector<ValueId>> CapturesOf(const Operation& owner, std::span<const Region> regions);
  // Returns a region as a computation of one parameter: the block's arguments and the captured values, a tuple unless
  // there is only one. The results are those of the region, followed by the captured values if `returns_captures`.
  // `arguments` has the shapes of the block's arguments, or is empty.
  Result<HloComputation*> LowerBranch(const Operation& owner, const Region& region, std::span<const Argument> arguments,
                                      const std::vector<ValueId>& captures, bool returns_captures);
  // Returns the computation of a function, translated at its first use with these arguments. Fails for an undefined
  // name, and for recursion.
  Result<HloComputation*> LowerFunction(const Operation& user, const std::string& name,
                                        std::span<const Argument> arguments = {});
  // Returns a function's operation, or null.
  const Operation* FindFunction(const std::string& name) const;

  // Sets other annotations for the instructions that are added during the lifetime of this object.
  class ScopedAnnotations {
   public:
    ScopedAnnotations(Translator& translator, Annotations annotations)
        : translator_(translator), outer_(std::exchange(translator.annotations_, std::move(annotations))) {}
    ~ScopedAnnotations() { translator_.annotations_ = std::move(outer_); }
    ScopedAnnotations(const ScopedAnnotations&) = delete;
    ScopedAnnotations& operator=(const ScopedAnnotations&) = delete;

   private:
    Translator& translator_;
    Annotations outer_;
  };
  // Sets the replicas and partitions of the module: those of a grid of processes, all of which the module has.
  Status SetGrid(const Operation& user, std::int64_t replicas, std::int64_t partitions);
  // True in a module with a grid of processes, whose host is another process.
  bool has_grid() const { return has_grid_; }
  const Annotations& annotations() const { return annotations_; }
  const Program& program() const { return program_; }

  // Makes another computation the current one for the lifetime of this object. Constants repeated in it are then
  // forgotten.
  class ScopedComputation {
   public:
    ScopedComputation(Translator& translator, std::string_view base_name);
    ~ScopedComputation();
    ScopedComputation(const ScopedComputation&) = delete;
    ScopedComputation& operator=(const ScopedComputation&) = delete;
    // Sets the root and returns the finished computation.
    HloComputation& Finish(HloInstruction& root);

   private:
    Translator& translator_;
    std::unique_ptr<HloComputation> computation_;
    HloComputation* outer_;
    std::size_t first_rebound_;
    ScopedAnnotations annotations_;
  };

 private:
  Status Index(const Region& region, int depth);
  void IndexValue(const Value& value, const Operation* constant);
  Status LowerBlock(const Operation& owner, const Block& block);
  Status LowerOperation(const Operation& operation);
  Status Refine(const Operation& operation, std::size_t first);
  Result<HloComputation*> LowerBody(const Operation& function, std::span<const Argument> arguments);
  Result<HloInstruction*> LowerParameter(const Operation& owner, const Value& argument, std::int64_t number,
                                         std::span<const Argument> arguments);
  Result<std::vector<HloInstruction*>> EndOperands(const Operation& owner, const Block& block);
  Result<const Block*> OnlyBlock(const Operation& owner, const Region& region) const;
  Result<Annotations> AnnotationsOf(const Operation& operation);
  void Rebind(ValueId value, HloInstruction& instruction);

  struct IndexedValue {
    const Type* type = nullptr;
    const Operation* constant = nullptr;
    HloInstruction* instruction = nullptr;
    std::int64_t definition = 0;  // the last walk of CapturesOf that reached its definition
  };
  struct Function {
    const Operation* operation = nullptr;
    std::map<std::string, HloComputation*> computations = {};  // by the text of the arguments
    bool is_open = false;                                      // its body is being translated
  };

  const Program& program_;
  std::unique_ptr<HloModule> module_ = std::make_unique<HloModule>();
  HloComputation* computation_ = nullptr;  // the current one
  Annotations annotations_;
  NameUniquer names_;
  FrameNumbers frames_;
  std::vector<IndexedValue> values_;  // by id
  // The instructions of values before an inner region bound them to others.
  std::vector<std::pair<ValueId, HloInstruction*>> rebound_;
  std::unordered_map<std::string, Function> functions_;
  std::int64_t walks_ = 0;
  int depth_ = 0;
  bool has_grid_ = false;
  bool is_unbounded_;
  KnownValues known_;
};

// The parts of a module, its entry and its functions that are not instructions.
//
// Sets the name, the numbers of devices, the layouts of the entry, aliases and donors, and frontend attributes.
Status SetModuleAttributes(const Program& program, const Operation& main, HloModule& module);
// Sets the sharding and the frontend attributes of an argument.
Status AnnotateArgument(const Program& program, const Operation& function, std::size_t index,
                        HloInstruction& parameter);
// Adds and returns the root of a function's computation: its result, or a tuple of its results, with their shardings.
Result<HloInstruction*> AddFunctionResults(const Program& program, const Operation& function, Translator& translator,
                                           std::vector<HloInstruction*> results);

}  // namespace assay::stablehlo
