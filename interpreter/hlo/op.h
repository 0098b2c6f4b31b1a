// The record of an operation: its name, operands, attributes and result. It has three parts, each read by another part
// of assay; documentation and generator read all. Another table has the acceptance rule for a backend's result
// (interpreter/acceptance/ops/op_acceptance.h).
#pragma once

#include <span>
#include <string_view>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op_evaluation.h"
#include "interpreter/hlo/op_legality.h"
#include "interpreter/hlo/op_syntax.h"

namespace assay {

// The ops whose text or meaning the module itself must know.
enum class OpRole {
  kOrdinary,
  kParameter,  // its number is in the parentheses
  kConstant,   // its literal is in the parentheses
  kTuple,
  kGetTupleElement,  // its `index` attribute selects the element
  kCall,             // applies its one called computation to its operands
  kAsyncStart,       // written X-start(...) for the wrapped op X if possible
  kAsyncUpdate,
  kAsyncDone,
};

struct Op {
  ~Op();  // out of line, as AttributeSpec's

  std::string_view name;     // the HLO mnemonic
  std::string_view meaning;  // one sentence
  OpRole role = OpRole::kOrdinary;
  OpSyntax syntax = {};
  OpLegality legality = {};
  OpEvaluation evaluation = {};

  // Returns null if the op has no such attribute.
  const AttributeSpec* FindAttribute(AttributeName name) const;
  const AttributeSpec* FindAttributeOfText(std::string_view name) const;

  LayoutRule RuleForLayouts() const {
    return legality.layouts == LayoutRule::kFree && evaluation.kernel != nullptr ? LayoutRule::kKept : legality.layouts;
  }
  bool IsEvaluated() const { return evaluation.kernel != nullptr || evaluation.evaluate != nullptr || RoleSaysAll(); }
  // True if the role alone determines the evaluation.
  bool RoleSaysAll() const {
    return role == OpRole::kParameter || role == OpRole::kConstant || role == OpRole::kGetTupleElement ||
           role == OpRole::kCall;
  }
};

// Returns every op, sorted by name.
std::span<const Op* const> AllOps();
// Returns null if no op has this name.
const Op* FindOp(std::string_view name);
// Returns the first op of a role that the module itself knows; every such role except kCall has one op.
const Op* OpWithRole(OpRole role);

}  // namespace assay
