// Compares computations that a builder has built with HLO text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "interpreter/builder/xla_builder.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "spec_tests/catch.h"

// Functions of operands, for tables and checks: OF(x, Reshape(x, {3, 2})).
#define OF(x, ...) [&]([[maybe_unused]] xla::XlaOp x) { return __VA_ARGS__; }
#define OF_TWO(x, y, ...) [&]([[maybe_unused]] xla::XlaOp x, [[maybe_unused]] xla::XlaOp y) { return __VA_ARGS__; }
#define OF_ALL(p, ...) [&](const std::vector<xla::XlaOp>& p) { return __VA_ARGS__; }

namespace assay::testing {

inline xla::XlaComputation Built(xla::XlaBuilder& builder) {
  Result<xla::XlaComputation> computation = builder.Build();
  if (!computation) FAIL(computation.error().message);
  return *std::move(computation);
}

inline std::string WhyNotBuilt(xla::XlaBuilder& builder) {
  const Result<xla::XlaComputation> computation = builder.Build();
  REQUIRE(!computation.has_value());
  return computation.error().message;
}

inline Literal Run(const xla::XlaComputation& computation, std::vector<Literal> arguments = {}) {
  Result<Literal> value = Evaluate(computation.module(), std::move(arguments));
  if (!value) FAIL(value.error().message);
  return *std::move(value);
}
inline Literal Run(xla::XlaBuilder& builder, std::vector<Literal> arguments = {}) {
  return Run(Built(builder), std::move(arguments));
}

inline std::string FullText(const HloModule& module) {
  return PrintHloModule(module, {.large_constants = true, .reads_back = true});
}

// Checks that the built module equals `text`, and that printing and parsing preserves it.
inline void CheckIsModule(const xla::XlaComputation& computation, const std::string& text) {
  const auto expected = ParseHloModule(text);
  if (!expected) FAIL(RenderError(expected.error(), text, "expected"));
  const std::string printed = computation.ToString();
  CHECK(printed == FullText(**expected));
  const auto again = ParseHloModule(printed);
  if (!again) FAIL(RenderError(again.error(), printed, "printed"));
  CHECK(FullText(**again) == printed);
}

// Does the same for the text of a module without its header.
inline void CheckIsText(const xla::XlaComputation& computation, const std::string& text) {
  CheckIsModule(computation, "HloModule " + computation.name() + "\n" + text);
}

}  // namespace assay::testing
