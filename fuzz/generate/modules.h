// Random whole modules of moderate size.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fuzz/generate/attribute_classes.h"
#include "fuzz/generate/random.h"
#include "fuzz/generate/values.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/per_device.h"

namespace assay::generate {

// An instruction that a module must have.
struct Target {
  const Op* op = nullptr;
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;  // of the first operand; invalid: any
  const Op* producer = nullptr;                 // not null: an operand is a result of an instruction of this op
  std::optional<AttributeClass> attribute_class = std::nullopt;
};

struct ModuleWishes {
  std::int64_t least_draws = 3;  // drawn instructions, without those that they call or use
  std::int64_t most_draws = 20;
  std::int64_t most_elements = 32;
  bool may_have_devices = true;      // more than one
  bool may_ask_host = true;          // for the values of infeed and recv
  bool draws_layouts = false;        // other orders of dimensions in memory than row-major
  const Op* op = nullptr;            // not null: every eighth draw is one of this op
  std::vector<Target> targets = {};  // drawn first
  std::span<const EdgeClass> classes = AllEdgeClasses();
};

struct DrawnModule {
  std::unique_ptr<HloModule> module;
  DeviceValues arguments;
  // The host's values for infeed and recv, for each device.
  DeviceValues from_host;
};

// Draws a legal module. It adds one drawn instruction (instructions.h) after the other; operands are existing values
// with a fitting shape, and new parameters. The root holds all unused results.
DrawnModule DrawModule(Random& random, const ModuleWishes& constraints = {});

// Draws a module of a few cheap instructions on 1025 to 70000 elements; small numbers are likelier.
DrawnModule DrawLargeModule(Random& random);

}  // namespace assay::generate
