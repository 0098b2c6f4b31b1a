// The builder: collects operations into a computation. The other headers of this folder have the functions that add
// operations; xla_builder.h includes all of them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/builder/xla_computation.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {
struct HloInstruction;
}

namespace assay::xla {

class Client;
class XlaBuilder;
struct OpAttribute;
enum class Padding;

using FrontendAttributes = std::map<std::string, std::string>;

// Dimension numbers, sizes or strides: {1, 2}.
using Int64List = std::vector<std::int64_t>;

// An operation of a builder, valid as long as its builder lives.
class XlaOp {
 public:
  // Makes an uninitialized operation; using it is an error.
  XlaOp() = default;

  XlaBuilder* builder() const { return builder_; }
  bool IsUninitialized() const { return builder_ == nullptr; }
  // False also for an illegal operation, or one with an illegal operand.
  bool valid() const { return instruction_ != nullptr; }

 private:
  friend class XlaBuilder;
  friend const Shape* FindShape(XlaOp op);
  XlaOp(XlaBuilder* builder, HloInstruction* instruction) : builder_(builder), instruction_(instruction) {}

  XlaBuilder* builder_ = nullptr;
  HloInstruction* instruction_ = nullptr;
};

// A builder of one computation. An illegal operation is an error of its builder: it is kept until Build(), and its
// users are illegal without a further error.
class XlaBuilder {
 public:
  // `name` becomes the name of the computation.
  explicit XlaBuilder(std::string name);
  // For the older examples of XLA, Operation Semantics, which pass a client; the builder ignores it.
  XlaBuilder(Client*, std::string name) : XlaBuilder(std::move(name)) {}
  ~XlaBuilder();
  XlaBuilder(const XlaBuilder&) = delete;
  XlaBuilder& operator=(const XlaBuilder&) = delete;

  const std::string& name() const;
  // Returns a builder for a computation that this one will call.
  std::unique_ptr<XlaBuilder> CreateSubBuilder(std::string name) const;
  // Sets the number of devices for the computation; 1 and 1 by default. Collectives check their groups against it.
  void SetDeviceCounts(std::int64_t replica_count, std::int64_t num_partitions);
  std::int64_t replica_count() const;
  std::int64_t num_partitions() const;

  // Returns the computation whose result is `root`, or the last added operation. Fails with the first error of an
  // operation, or one that the verifier finds in the whole. The builder is unchanged: it can add more and build again.
  Result<XlaComputation> Build();
  Result<XlaComputation> Build(XlaOp root);
  // Does the same, for a caller that changes the module.
  Result<std::unique_ptr<HloModule>> BuildModule(XlaOp root) &;
  // Moves the operations into the module: the builder has no further use.
  Result<std::unique_ptr<HloModule>> BuildModule(XlaOp root) &&;
  // Does the same for a caller that makes the operations part of another module: this one is not verified as a whole,
  // and has no name, device counts and layouts of the entry; its other names need not be unique.
  Result<std::unique_ptr<HloModule>> TakeModule(XlaOp root) &&;

  // Returns the first error so far.
  Status first_error() const;
  // Keeps an error for Build(). Returns an illegal operation of this builder.
  XlaOp ReportError(Error error);

  Result<Shape> GetShape(XlaOp op) const;
  // Returns the parameters so far, and the result that Build() would return now.
  Result<ProgramShape> GetProgramShape() const;

  // Sets the frontend_attributes of the operations added from now on. Swap returns the previous ones.
  void SetFrontendAttributes(FrontendAttributes attributes);
  FrontendAttributes SwapFrontendAttributes(FrontendAttributes attributes);

  // Adds the instruction of an op, by its HLO mnemonic; all functions of this folder use it. `shape` is the part of the
  // result shape that the op's text states; the op's rule infers the rest.
  XlaOp AddInstruction(std::string_view op, const std::vector<XlaOp>& operands, std::vector<OpAttribute> attributes,
                       std::optional<Shape> shape);

  // Member forms of the functions of the same name, for the examples of XLA, Operation Semantics.
  XlaOp Parameter(std::int64_t parameter_number, const Shape& shape, const std::string& name);
  XlaOp ConstantLiteral(const Literal& literal);
  XlaOp Max(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
  XlaOp ReduceWindow(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
                     const Int64List& window_dimensions, const Int64List& window_strides, Padding padding);

 private:
  struct State;

  Status CheckRoot(XlaOp root) const;
  // Completes a module of the computations and devices of this builder.
  Result<std::unique_ptr<HloModule>> Finished(std::unique_ptr<HloModule> module) const;
  // Adds an instruction that has operands and attributes, if it is legal.
  XlaOp Add(std::unique_ptr<HloInstruction> instruction);

  std::unique_ptr<State> state_;
};

// Adds the parameter with this number.
XlaOp Parameter(XlaBuilder* builder, std::int64_t parameter_number, const Shape& shape, const std::string& name);
XlaOp ConstantLiteral(XlaBuilder* builder, const Literal& literal);

}  // namespace assay::xla
