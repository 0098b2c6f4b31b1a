#include "fuzz/generate/element_wise.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>

#include "fuzz/generate/attribute_classes.h"
#include "interpreter/builder/add_instruction.h"
#include "interpreter/hlo/verifier_rules.h"

namespace assay::generate {
using namespace xla;
namespace {

// An instruction of an op on operands of some types, used to query the op's rules.
class Probe {
 public:
  explicit Probe(const Op& op) : computation_(module_.AddComputation("probe")) {
    instruction_.op = &op;
    instruction_.parent = &computation_;
    // The first word is legal for every type: EQ also compares complex numbers.
    for (const AttributeSpec& spec : op.syntax.attributes) {
      if (!spec.required) continue;
      instruction_.Set(spec.name, spec.enumerators.empty() ? AttributeValue(std::int64_t{2})
                                                           : AttributeValue(std::string(spec.enumerators[0])));
    }
    operands_.resize(op.legality.arity.min);
    for (HloInstruction& operand : operands_) instruction_.operands.push_back(&operand);
  }

  // Returns the signature with its result, if it is legal. `written` is the result's type if it is part of the text.
  // The operands of `scalars` are scalars, the others arrays.
  std::optional<Signature> Try(std::vector<PrimitiveType> types, PrimitiveType written, std::uint32_t scalars = 0) {
    if (!instruction_.op->legality.types.contains(types[0])) return std::nullopt;
    for (std::size_t i = 0; i < types.size(); ++i) {
      operands_[i].shape = ShapeOf(types[i], (scalars >> i & 1) != 0);
    }
    instruction_.shape = written == PRIMITIVE_TYPE_INVALID ? Shape() : ShapeOf(written, false);
    const Result<Shape> shape = instruction_.op->legality.infer(instruction_);
    if (!shape || shape->rank() != 1) return std::nullopt;
    instruction_.shape = *shape;
    ErrorList errors;
    CheckInstruction(instruction_, errors);
    if (!errors.empty()) return std::nullopt;
    return Signature{std::move(types), shape->element_type()};
  }

 private:
  static Shape ShapeOf(PrimitiveType type, bool is_scalar) {
    return ShapeUtil::MakeShape(type, is_scalar ? Dimensions{} : Dimensions{2});
  }

  HloModule module_;
  HloComputation& computation_;
  HloInstruction instruction_;
  std::vector<HloInstruction> operands_;
};

ElementWise Explore(const Op& op) {
  ElementWise found;
  Probe probe(op);
  const auto all = ArrayTypes();
  const std::size_t arity = op.legality.arity.min, places = arity + (op.syntax.shape_is_inferable ? 0 : 1);
  std::vector<std::size_t> at(places, 0);
  for (bool is_done = false; !is_done;) {
    std::vector<PrimitiveType> types;
    for (std::size_t i = 0; i < arity; ++i) types.push_back(all[at[i]]);
    const PrimitiveType written = places > arity ? all[at[arity]] : PRIMITIVE_TYPE_INVALID;
    if (auto signature = probe.Try(std::move(types), written)) {
      found.types = found.types | TypesOf(signature->operands[0]);
      found.signatures.push_back(*std::move(signature));
    }
    std::size_t place = 0;
    while (place < places && ++at[place] == all.size()) at[place++] = 0;
    is_done = place == places;
  }
  if (found.signatures.empty()) return found;
  const Signature& first = found.signatures.front();
  for (std::uint32_t scalars = 1; scalars < (1U << arity) - 1; ++scalars) {
    const PrimitiveType written = op.syntax.shape_is_inferable ? PRIMITIVE_TYPE_INVALID : first.result;
    if (probe.Try(first.operands, written, scalars)) found.scalars.push_back(scalars);
  }
  return found;
}

bool KeepsType(const Op& op, PrimitiveType type) {
  if (op.evaluation.kernel == nullptr || op.legality.arity.min > 2 || !op.syntax.shape_is_inferable ||
      !op.legality.types.contains(type))
    return false;
  if (std::ranges::any_of(op.syntax.attributes, &AttributeSpec::required)) return false;
  return std::ranges::any_of(ElementWiseOf(op).signatures, [&](const Signature& signature) {
    return signature.result == type && std::ranges::count(signature.operands, type) == op.legality.arity.min;
  });
}

const std::vector<const Op*>& OpsThatKeep(PrimitiveType type) {
  static const std::vector<std::vector<const Op*>> by_type = [] {
    std::vector<std::vector<const Op*>> ops(kPrimitiveTypeCount);
    for (const PrimitiveType one : ArrayTypes()) {
      std::ranges::copy_if(AllOps(), std::back_inserter(ops[one]), [&](const Op* op) { return KeepsType(*op, one); });
    }
    return ops;
  }();
  return by_type[type];
}

}  // namespace

const ElementWise& ElementWiseOf(const Op& op) {
  static std::mutex mutex;
  static std::map<const Op*, ElementWise> known;
  const std::lock_guard lock(mutex);
  const auto at = known.find(&op);
  return at != known.end() ? at->second : known.emplace(&op, Explore(op)).first->second;
}

XlaOp DrawElementWise(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const ElementWise& known = ElementWiseOf(drawer.op());
  const Shape first = drawer.ArrayShape(known.types);
  std::vector<const Signature*> fitting;
  for (const Signature& signature : known.signatures) {
    if (signature.operands[0] == first.element_type()) fitting.push_back(&signature);
  }
  const Signature& signature = *random.OneOf(fitting);
  const std::uint32_t scalars = !known.scalars.empty() && random.OneIn(4) ? random.OneOf(known.scalars) : 0;
  std::vector<XlaOp> operands;
  for (std::size_t i = 0; i < signature.operands.size(); ++i) {
    const bool is_scalar = (scalars >> i & 1) != 0;
    operands.push_back(
        drawer.Value(ShapeUtil::MakeShape(signature.operands[i], is_scalar ? Dimensions() : first.dimensions())));
  }
  if (drawer.op().syntax.shape_is_inferable) return drawer.Add({operands});
  return drawer.Add({operands, {}, ShapeUtil::MakeShape(signature.result, first.dimensions())});
}

XlaOp DrawStep(Random& random, XlaOp value, const std::vector<XlaOp>& others, PrimitiveType type) {
  const Op& op = *random.OneOf(OpsThatKeep(type));
  std::vector<XlaOp> operands = {value};
  if (op.legality.arity.min == 2) operands.push_back(random.OneOf(others));
  if (random.Flip()) std::ranges::reverse(operands);
  return AddInstruction(op.name, operands);
}

}  // namespace assay::generate
