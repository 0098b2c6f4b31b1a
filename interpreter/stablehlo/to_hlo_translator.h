// The state of one translation: the module that is being made, the instructions of values, and the functions that have
// become computations.
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
#include "interpreter/stablehlo/to_hlo_attributes.h"
#include "interpreter/stablehlo/to_hlo_locations.h"

namespace assay::stablehlo {

// Carried by all instructions that one operation becomes, as HLO prints it; empty: nothing.
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
  Result<std::unique_ptr<HloModule>> Translate();

  // Operations add instructions to the computation that is being made. Annotations are those of the operation that is
  // being translated.
  HloInstruction& Add(const Op& op, Shape shape, std::vector<HloInstruction*> operands);
  HloInstruction& Add(std::string_view op, Shape shape, std::vector<HloInstruction*> operands);
  HloInstruction& AddConstant(Literal literal);
  HloInstruction& AddTuple(std::vector<HloInstruction*> elements);
  // The instruction itself if there is one, else a tuple.
  HloInstruction& AddTupleUnlessOne(std::vector<HloInstruction*> elements);
  HloInstruction& AddElement(HloInstruction& tuple, std::int64_t index);

  // The instruction of a value that the operation uses. A constant of an enclosing region is repeated.
  Result<HloInstruction*> InstructionOf(const Operation& user, ValueId value);
  void Bind(ValueId value, HloInstruction& instruction);
  // Binds the results of an operation to an instruction, or to the elements of a tuple if they are not one.
  void BindResults(const Operation& operation, HloInstruction& instruction);
  // Binds the results to the first elements of a tuple.
  void BindElements(const Operation& operation, HloInstruction& tuple);
  // The operation that defines a constant, else null.
  const Operation* ConstantOf(ValueId value) const;
  const Type* TypeOf(ValueId value) const;

  // A region as a computation whose parameters are the arguments of the region's block.
  Result<HloComputation*> LowerRegion(const Operation& owner, const Region& region, std::string_view name = "region");
  // The values that the regions use and do not define, in the order of their use, without constants.
  Result<std::vector<ValueId>> CapturesOf(const Operation& owner, std::span<const Region> regions);
  // A region as a computation of one parameter: the block's arguments and the captured values, as a tuple unless they
  // are one. The results are those of the region, followed by the captured values if `returns_captures`.
  Result<HloComputation*> LowerBranch(const Operation& owner, const Region& region,
                                      const std::vector<ValueId>& captures, bool returns_captures);
  // The computation of a function, made at its first use. Fails for a name that the program lacks, and for recursion.
  Result<HloComputation*> LowerFunction(const Operation& user, const std::string& name);
  // A function's operation, or null.
  const Operation* FindFunction(const std::string& name) const;

  // The instructions added while this object lives have other annotations.
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
  const Annotations& annotations() const { return annotations_; }
  const Program& program() const { return program_; }

  // Makes another computation the one that is being made, until the object dies. Constants repeated in it are
  // forgotten.
  class ScopedComputation {
   public:
    ScopedComputation(Translator& translator, std::string_view base_name);
    ~ScopedComputation();
    ScopedComputation(const ScopedComputation&) = delete;
    ScopedComputation& operator=(const ScopedComputation&) = delete;
    // The finished computation.
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
  Result<HloComputation*> LowerBody(const Operation& function);
  Result<HloInstruction*> LowerParameter(const Operation& owner, const Value& argument, std::int64_t number);
  Result<std::vector<HloInstruction*>> EndOperands(const Operation& owner, const Block& block);
  Result<const Block*> OnlyBlock(const Operation& owner, const Region& region) const;
  Result<Annotations> AnnotationsOf(const Operation& operation);
  void Rebind(ValueId value, HloInstruction& instruction);

  struct IndexedValue {
    const Type* type = nullptr;
    const Operation* constant = nullptr;
    HloInstruction* instruction = nullptr;
    std::int64_t definition = 0;  // the last walk of CapturesOf that met its definition
  };
  struct Function {
    const Operation* operation = nullptr;
    HloComputation* computation = nullptr;
    bool is_open = false;  // its body is being translated
  };

  const Program& program_;
  std::unique_ptr<HloModule> module_ = std::make_unique<HloModule>();
  HloComputation* computation_ = nullptr;  // the one that is being made
  Annotations annotations_;
  NameUniquer names_;
  FrameNumbers frames_;
  std::vector<IndexedValue> values_;  // by id
  // The instructions that values were bound to before an inner region bound them anew.
  std::vector<std::pair<ValueId, HloInstruction*>> rebound_;
  std::unordered_map<std::string, Function> functions_;
  std::int64_t walks_ = 0;
  int depth_ = 0;
};

}  // namespace assay::stablehlo
