// The record of an operation: the one place that says what it is called, what it takes and what it returns. It has
// three parts, each read by another part of assay; documentation and generator read all. A row of another table says
// how far a backend may stray (interpreter/acceptance/ops/op_acceptance.h).
#pragma once

#include <span>
#include <string_view>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op_evaluation.h"
#include "interpreter/hlo/op_legality.h"
#include "interpreter/hlo/op_syntax.h"

namespace assay {

// Ops whose text or meaning the module itself must know.
enum class OpRole {
  kOrdinary,
  kParameter,  // its number stands in the parentheses
  kConstant,   // its literal stands in the parentheses
  kTuple,
  kGetTupleElement,  // its `index` attribute says which element
  kCall,             // applies its one called computation to its operands
  kAsyncStart,       // written X-start(...) for the wrapped op X where it can be
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

  // Null when the op has no such attribute.
  const AttributeSpec* FindAttribute(AttributeName name) const;
  const AttributeSpec* FindAttributeOfText(std::string_view name) const;

  LayoutRule RuleForLayouts() const {
    return legality.layouts == LayoutRule::kFree && evaluation.kernel != nullptr ? LayoutRule::kKept : legality.layouts;
  }
  bool IsEvaluated() const { return evaluation.kernel != nullptr || evaluation.evaluate != nullptr || RoleSaysAll(); }
  // The evaluator needs no more than the role.
  bool RoleSaysAll() const {
    return role == OpRole::kParameter || role == OpRole::kConstant || role == OpRole::kGetTupleElement ||
           role == OpRole::kCall;
  }
};

// Every op, sorted by name.
std::span<const Op* const> AllOps();
// Null when no op has this name.
const Op* FindOp(std::string_view name);
// The first op of a role that the module itself knows; of all such roles but kCall there is one.
const Op* OpWithRole(OpRole role);

}  // namespace assay
