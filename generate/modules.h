// Whole small modules, drawn at random.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "generate/attribute_classes.h"
#include "generate/random.h"
#include "generate/values.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/per_device.h"

namespace assay::generate {

// An instruction that a module is to have.
struct Target {
  const Op* op = nullptr;
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;  // of the first operand; invalid: any
  const Op* producer = nullptr;                 // not null: it takes what an instruction of this op gives
  std::optional<AttributeClass> attribute_class = std::nullopt;
};

struct ModuleWishes {
  std::int64_t least_draws = 3;  // instructions that are drawn; what they call, and what they take, comes on top
  std::int64_t most_draws = 20;
  std::int64_t most_elements = 32;
  bool may_have_devices = true;      // more than one
  bool may_ask_host = true;          // for what infeed and recv give
  bool draws_layouts = false;        // other orders of dimensions in memory than row-major
  const Op* op = nullptr;            // not null: every eighth draw is one of this op
  std::vector<Target> targets = {};  // come first
  std::span<const EdgeClass> classes = AllEdgeClasses();
};

struct DrawnModule {
  std::unique_ptr<HloModule> module;
  DeviceValues arguments;
  // What the host has for infeed and recv, for each device.
  DeviceValues from_host;
};

// A legal module. It grows by one drawn instruction (instructions.h) after the other; operands are what is there, where
// a shape fits, and new parameters. The root has all results that nothing uses.
DrawnModule DrawModule(Random& random, const ModuleWishes& wishes = {});

}  // namespace assay::generate
