// Compares computations that a builder has built with HLO text.
#pragma once

#include <fmt/format.h>

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

// Calls a function of parameters such as "x = f32[4,2,3]".
template <class Function>
void AddTo(xla::XlaBuilder& builder, const std::vector<std::string>& parameters, const Function& function) {
  std::vector<xla::XlaOp> p;
  for (const std::string& text : parameters) {
    const std::size_t equals = text.find(" = ");
    p.push_back(Parameter(&builder, std::ssize(p), *ParseShape(text.substr(equals + 3)), text.substr(0, equals)));
  }
  function(p);
}

// Checks the instructions that a function adds after its parameters, on that many replicas.
template <class Function>
void CheckInstructions(const std::vector<std::string>& parameters, const Function& function,
                       const std::string& instructions, const std::string& computations = "",
                       std::int64_t replicas = 1) {
  xla::XlaBuilder builder("test");
  builder.SetDeviceCounts(replicas, 1);
  AddTo(builder, parameters, function);
  INFO(instructions);
  std::string text = replicas == 1 ? "HloModule test\n" : fmt::format("HloModule test, replica_count={}\n", replicas);
  text += computations + "ENTRY test {\n";
  for (std::size_t i = 0; i < parameters.size(); ++i) text += fmt::format("{} parameter({})\n", parameters[i], i);
  CheckIsModule(Built(builder), text + instructions + "\n}");
}

// Returns why a function of parameters cannot be built, without the builder's name.
template <class Function>
std::string WhyNotAdded(const std::vector<std::string>& parameters, const Function& function) {
  xla::XlaBuilder builder("test");
  AddTo(builder, parameters, function);
  return WhyNotBuilt(builder).substr(std::string("test: ").size());
}

}  // namespace assay::testing
