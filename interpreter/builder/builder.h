// The builder: collects operations into a computation. The functions that add operations stand in the other headers of
// this folder; xla_builder.h includes all of them.
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

// Numbers of dimensions, sizes, strides: {1, 2}.
using Int64List = std::vector<std::int64_t>;

// An operation of a builder. It may be used as long as its builder lives.
class XlaOp {
 public:
  // No operation: what uses it is an error.
  XlaOp() = default;

  XlaBuilder* builder() const { return builder_; }
  bool IsUninitialized() const { return builder_ == nullptr; }
  // False as well for an operation that was an error or had such an operand.
  bool valid() const { return instruction_ != nullptr; }

 private:
  friend class XlaBuilder;
  friend const Shape* FindShape(XlaOp op);
  XlaOp(XlaBuilder* builder, HloInstruction* instruction) : builder_(builder), instruction_(instruction) {}

  XlaBuilder* builder_ = nullptr;
  HloInstruction* instruction_ = nullptr;
};

// An illegal operation is an error of its builder: it is kept until Build(), and whatever uses the operation is
// silently illegal too.
class XlaBuilder {
 public:
  // `name` becomes the name of the computation.
  explicit XlaBuilder(std::string name);
  // The specification's older examples name a client; a builder has no use for one.
  XlaBuilder(Client*, std::string name) : XlaBuilder(std::move(name)) {}
  ~XlaBuilder();
  XlaBuilder(const XlaBuilder&) = delete;
  XlaBuilder& operator=(const XlaBuilder&) = delete;

  const std::string& name() const;
  // A builder for a computation that this one is to call.
  std::unique_ptr<XlaBuilder> CreateSubBuilder(std::string name) const;
  // On how many devices the computation is to run; 1 and 1 unless set. Collectives check their groups against it.
  void SetDeviceCounts(std::int64_t replica_count, std::int64_t num_partitions);

  // The computation whose result is `root`, or the last operation that was added. Fails with the first error that
  // occurred, and with any that the verifier finds in the whole. The builder stays as it is: it can go on, and build
  // again.
  Result<XlaComputation> Build();
  Result<XlaComputation> Build(XlaOp root);

  // The first error so far.
  Status first_error() const;
  // Keeps an error for Build(). Returns an erroneous operation of this builder.
  XlaOp ReportError(Error error);

  Result<Shape> GetShape(XlaOp op) const;
  // Parameters so far, and the result if Build() were called now.
  Result<ProgramShape> GetProgramShape() const;

  // What the operations added from now on carry as frontend_attributes. Swap returns what held before.
  void SetFrontendAttributes(FrontendAttributes attributes);
  FrontendAttributes SwapFrontendAttributes(FrontendAttributes attributes);

  // Adds the instruction of an op, by its HLO mnemonic: what all functions of this folder come down to. `shape` says as
  // much of the result as is part of what is written; the op's rule makes the result of it.
  XlaOp AddInstruction(std::string_view op, const std::vector<XlaOp>& operands, std::vector<OpAttribute> attributes,
                       std::optional<Shape> shape);

  // Member forms that the specification's examples use, of the functions of the same name.
  XlaOp Parameter(std::int64_t parameter_number, const Shape& shape, const std::string& name);
  XlaOp ConstantLiteral(const Literal& literal);
  XlaOp Max(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
  XlaOp ReduceWindow(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
                     const Int64List& window_dimensions, const Int64List& window_strides, Padding padding);

 private:
  struct State;

  // Adds what has operands and attributes, if it is legal.
  XlaOp Add(std::unique_ptr<HloInstruction> instruction);

  std::unique_ptr<State> state_;
};

// The input of a computation with this number.
XlaOp Parameter(XlaBuilder* builder, std::int64_t parameter_number, const Shape& shape, const std::string& name);
XlaOp ConstantLiteral(XlaBuilder* builder, const Literal& literal);

}  // namespace assay::xla
