// StableHLO programs as HLO modules.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/stablehlo/operation.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay::stablehlo {

// An argument of a function. Sizes may depend on a value that is known.
struct Argument {
  Shape shape;
  std::optional<Literal> value;
};

// Returns the module that XLA's conversion makes of the program, without XLA's constant folding: each operation becomes
// equivalent instructions, and regions become computations. The entry is `function`, or EntryName if that is empty;
// unreachable functions are omitted. Errors are kIllegal for a program that breaks a rule of the dialect, and
// kUnsupported for one that HLO cannot express. The module has not been verified.
//
// An unbounded program needs the arguments of its entry. All sizes of the module follow from them, as by StableHLO's
// passes stablehlo-refine-arguments and stablehlo-refine-shapes; it is a module for these arguments only.
Result<std::unique_ptr<HloModule>> ToHlo(const Program& program, std::string_view function = {},
                                         std::span<const Argument> arguments = {});

// True if a value of the program has a dimension of unknown size, without a bound: tensor<?x2xf32>.
bool IsUnbounded(const Program& program);
// Returns the shapes of the entry's arguments, with Shape::kUnboundedSize for dimensions of unknown size.
Result<std::vector<Shape>> EntryShapes(const Program& program, std::string_view function);

}  // namespace assay::stablehlo
