// Every legal module of the corpus, and of the parser's test texts, is the same from the builder as from the parser.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "conformance/cases/golden_expansion.h"
#include "interpreter/builder/add_instruction.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/verifier.h"
#include "spec_tests/builder/built.h"

using namespace assay;
using namespace assay::xla;

namespace {

using Computations = std::map<const HloComputation*, XlaComputation>;

OpAttribute Rebuilt(const Attribute& attribute, const Computations& computations) {
  if (auto* const* one = std::get_if<HloComputation*>(&attribute.value)) {
    return OpAttribute(attribute.name, computations.at(*one));
  }
  if (const auto* many = std::get_if<std::vector<HloComputation*>>(&attribute.value)) {
    std::vector<const XlaComputation*> list;
    for (const HloComputation* called : *many) list.push_back(&computations.at(called));
    return OpAttribute(attribute.name, std::move(list));
  }
  return OpAttribute(attribute.name, attribute.value);
}

Result<XlaComputation> Rebuilt(const HloComputation& computation, const Computations& computations) {
  XlaBuilder builder(computation.name);
  builder.SetDeviceCounts(computation.module->replica_count, computation.module->num_partitions);
  std::map<const HloInstruction*, XlaOp> ops;
  for (const auto& instruction : computation.instructions) {
    XlaOp& op = ops[instruction.get()];
    if (instruction->op->role == OpRole::kParameter) {
      op = Parameter(&builder, instruction->parameter_number, instruction->shape, instruction->name);
    } else if (instruction->op->role == OpRole::kConstant) {
      op = ConstantLiteral(&builder, instruction->literal->WithShape(instruction->shape));
    } else {
      std::vector<XlaOp> operands;
      for (const HloInstruction* operand : instruction->operands) operands.push_back(ops.at(operand));
      std::vector<OpAttribute> attributes;
      for (const Attribute& attribute : instruction->attributes) attributes.push_back(Rebuilt(attribute, computations));
      op = AddInstruction(&builder, instruction->op->name, operands, std::move(attributes), instruction->shape);
    }
  }
  return builder.Build(ops.at(computation.root));
}

// Returns the entry computation with all called computations in place, without names.
std::string Entry(const HloModule& module) {
  PrintOptions options = PrintOptions::Canonical();
  options.large_constants = true;
  options.reads_back = true;
  options.operand_shapes = true;
  std::string text = PrintHloModule(module, options);
  text = text.substr(text.find("\nENTRY") + 1);  // modules in a table of origins are indented
  return text.substr(text.find('{'), text.find("\n}\n") - text.find('{'));
}

// Removes the parts of a module that the builder cannot set.
void DropWhatIsBeyondBuilders(HloModule& module) {
  module.is_scheduled = false;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      instruction->annotations.clear();
      instruction->control_predecessors.clear();
    }
  }
}

// Builds each computation, callees first as in the text, and compares it as the entry of its module.
void CheckComputations(HloModule& module) {
  Computations computations;
  for (const auto& computation : module.computations) {
    const Result<XlaComputation> built = Rebuilt(*computation, computations);
    if (!built) FAIL(built.error().message);
    computations[computation.get()] = *built;
    module.entry = computation.get();
    CHECK(Entry(built->module()) == Entry(module));
  }
}

}  // namespace

TEST_CASE("Every legal module of the corpus can be built") {
  int count = 0;
  const char* const modules = std::getenv("MODULES");
  REQUIRE(modules != nullptr);
  std::istringstream folders(modules);
  for (std::string folder; std::getline(folders, folder, ':');) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
      if (file.path().extension() != ".hlo") continue;
      // Drawn instructions have attributes that the builder's functions do not set.
      if (file.path().stem().string().starts_with("faults")) continue;
      std::ifstream stream(file.path());
      const std::string text(std::istreambuf_iterator<char>(stream), {});
      const auto expanded = ExpandGolden(text);
      REQUIRE(expanded);
      auto module = ParseHloModule(expanded->text);
      if (!module) continue;
      DropWhatIsBeyondBuilders(**module);
      if (!FindIllegal(**module).empty()) continue;
      INFO(file.path());
      CheckComputations(**module);
      ++count;
    }
  }
  CHECK(count > 2500);
}
