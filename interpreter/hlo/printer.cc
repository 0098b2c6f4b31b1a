#include "interpreter/hlo/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/hlo/async_text.h"
#include "interpreter/hlo/attribute_text.h"
#include "interpreter/hlo/literal_text.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/sharding_text.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

// Larger constants are elided.
constexpr std::int64_t kSmallConstant = 10;

class ModulePrinter {
 public:
  explicit ModulePrinter(const PrintOptions& options) : options_(options) {}

  std::string PrintModule(const HloModule& module) {
    std::string out = PrintHeader(module) + "\n";
    if (options_.metadata) out += module.stack_tables;
    out += "\n";
    SurveyCalls(module);
    std::unordered_set<const HloComputation*> wrapped;
    for (const auto& computation : module.computations) {
      for (const auto& instruction : computation->instructions) {
        if (instruction->op->role != OpRole::kAsyncStart) continue;
        if (const HloInstruction* inner = Wrapped(*instruction)) wrapped.insert(inner->parent);
      }
    }
    const ComputationOrder order = options_.reads_back ? ComputationOrder::kCalleesFirst : ComputationOrder::kXla;
    for (const HloComputation* computation : ComputationPostOrder(module, order)) {
      // The entry is printed even if an async-start in an unreachable computation wraps it.
      if (wrapped.contains(computation) && computation != module.entry) continue;
      out += PrintComputation(*computation, computation == module.entry ? "ENTRY " : "", /*name=*/true) + "\n\n";
    }
    return out;
  }

  std::string PrintLine(const HloInstruction& instruction) {
    const HloInstruction* const wrapped = Wrapped(instruction);
    std::string opcode(instruction.op->name);
    if (wrapped != nullptr) opcode = fmt::format("{}{}", wrapped->op->name, AsyncSuffix(instruction.op->role));
    std::string line = fmt::format("{} = {} {}({})", Name(instruction), instruction.shape.ToString(), opcode,
                                   PrintParentheses(instruction));
    const bool starts_wrapped = wrapped != nullptr && instruction.op->role == OpRole::kAsyncStart;
    for (const AttributeSpec& spec : instruction.op->syntax.attributes) {
      if (wrapped == nullptr || spec.kind != AttributeKind::kComputation) line += PrintAttribute(instruction, spec);
      // The thread precedes the attributes of the wrapped instruction.
      if (starts_wrapped && &spec == &instruction.op->syntax.attributes[0])
        line += PrintOwnOfWrapped(*wrapped, instruction);
    }
    // The short form has a body too if bodies are printed in place.
    if (starts_wrapped && options_.inline_computations) line += ", calls=" + PrintCallee(*wrapped->parent);
    for (const std::string_view name : AnnotationNames()) line += PrintAnnotation(instruction, name);
    return line;
  }

 private:
  void SurveyCalls(const HloModule& module) {
    std::unordered_set<const HloComputation*> called;
    for (const auto& computation : module.computations) {
      for (const auto& instruction : computation->instructions) {
        // An update or done refers to a computation without calling it again.
        if (instruction->op->role == OpRole::kAsyncUpdate || instruction->op->role == OpRole::kAsyncDone) continue;
        for (const HloComputation* callee : instruction->CalledComputations()) {
          if (!called.insert(callee).second) shared_.insert(callee);
          if (instruction->op->legality.fuses) fused_.insert(callee);
        }
      }
    }
  }

  const HloInstruction* Wrapped(const HloInstruction& instruction) const {
    const HloInstruction* wrapped =
        WrappedInstruction(instruction, options_.reads_back ? ShortForm::kSaysAll : ShortForm::kXla);
    return wrapped != nullptr && options_.reads_back && shared_.contains(wrapped->parent) ? nullptr : wrapped;
  }

  // Prints the attributes and annotations of X in a short form X-start.
  std::string PrintOwnOfWrapped(const HloInstruction& wrapped, const HloInstruction& start) {
    std::string line;
    for (const AttributeSpec& spec : wrapped.op->syntax.attributes) line += PrintAttribute(wrapped, spec);
    for (const std::string_view name : AnnotationNames()) {
      if (name == "origin") break;  // from here on XLA prints the start's own only
      // The start has the other annotations too, and prints them itself.
      const bool is_passed_on = options_.reads_back && name != "result_accuracy";
      const bool is_said = name == "frontend_attributes" && start.annotations.contains(name);
      if (!is_passed_on && !is_said) line += PrintAnnotation(wrapped, name);
    }
    return line;
  }

  static std::string PrintHeader(const HloModule& module) {
    std::string header = "HloModule " + module.name;
    const auto attribute = [&](std::string_view name) {
      const auto found = module.header_attributes.find(name);
      if (found != module.header_attributes.end()) header += fmt::format(", {}={}", name, found->second);
    };
    if (module.is_scheduled) header += ", is_scheduled=true";
    attribute("input_output_alias");
    attribute("buffer_donor");
    attribute("alias_passthrough_params");
    // The shapes of the program print like a tuple's, including the index comment at every fifth.
    header += fmt::format(", entry_computation_layout={{{}->{}}}",
                          ShapeUtil::MakeTupleShape(module.entry_parameter_layouts).ToString(),
                          module.entry_result_layout.ToString());
    attribute("allow_spmd_sharding_propagation_to_parameters");
    attribute("allow_spmd_sharding_propagation_to_output");
    if (module.replica_count != 1) header += fmt::format(", replica_count={}", module.replica_count);
    if (module.num_partitions != 1) header += fmt::format(", num_partitions={}", module.num_partitions);
    attribute("frontend_attributes");
    attribute("origin_recovery_table");
    if (module.header_attributes.contains("origin_recovery_table")) header += '\n';
    attribute("debug_attributes");
    attribute("backend_config");
    return header;
  }

  std::string PrintAttribute(const HloInstruction& instruction, const AttributeSpec& spec) {
    const auto found = std::ranges::find(instruction.attributes, spec.name, &Attribute::name);
    const AttributeValue* value = found == instruction.attributes.end() ? nullptr : &found->value;
    if (!IsPrinted(spec, value)) return "";
    const bool has_other_name = options_.inline_computations && !spec.body_name.empty();
    return fmt::format(", {}={}", has_other_name ? spec.body_name : std::string_view(spec.name),
                       PrintAttributeValue(
                           spec, value == nullptr ? spec.default_value : *value,
                           [this](const HloComputation& c) { return PrintCallee(c); }, options_.reads_back));
  }

  std::string Percent(std::string_view name) const { return fmt::format("{}{}", options_.percent ? "%" : "", name); }

  std::string Name(const HloInstruction& instruction) const {
    if (!options_.canonical_names) return Percent(instruction.name);
    const auto found = canonical_names_.find(&instruction);
    return Percent(found == canonical_names_.end() ? instruction.name : found->second);
  }

  std::string PrintComputation(const HloComputation& computation, std::string_view prefix, bool with_name) {
    std::vector<const HloInstruction*> order;
    // A schedule orders computations, but not bodies in place.
    if (with_name && computation.module->is_scheduled && !fused_.contains(&computation)) {
      for (const auto& instruction : computation.instructions) order.push_back(instruction.get());
    } else {
      order = InstructionPostOrder(computation);
    }
    for (std::size_t i = 0; options_.canonical_names && i < order.size(); ++i) {
      canonical_names_[order[i]] = fmt::format("tmp_{}", i);
    }
    const std::string indent(indent_, ' ');
    std::string out = indent;
    if (with_name) {
      out += fmt::format("{}{} ", prefix, Percent(computation.name));
      if (options_.program_shape) out += PrintSignature(computation) + " ";
    }
    out += "{\n";
    indent_ += 2;
    for (const HloInstruction* instruction : order) {
      out += fmt::format("{}  {}{}\n", indent, instruction->IsRoot() ? "ROOT " : "", PrintLine(*instruction));
    }
    indent_ -= 2;
    out += indent + "}";
    if (computation.execution_thread != "main") {
      out += fmt::format(", execution_thread=\"{}\"", Escape(computation.execution_thread));
    }
    return out;
  }

  std::string PrintSignature(const HloComputation& computation) const {
    std::vector<std::string> parameters;
    for (const HloInstruction* parameter : computation.Parameters()) {
      if (parameter == nullptr) continue;
      parameters.push_back(fmt::format("{}: {}", parameter->name, parameter->shape.ToStringWithoutLayout()));
    }
    return fmt::format("({}) -> {}", JoinText(parameters, ", "), computation.root->shape.ToStringWithoutLayout());
  }

  // Prints a computation after "to_apply=" and the like.
  std::string PrintCallee(const HloComputation& computation) {
    if (!options_.inline_computations) return Percent(computation.name);
    return "\n" + PrintComputation(computation, "", /*name=*/false);
  }

  std::string PrintParentheses(const HloInstruction& instruction) const {
    if (instruction.op->role == OpRole::kParameter) return std::to_string(instruction.parameter_number);
    if (instruction.op->role == OpRole::kConstant) return PrintConstant(instruction);
    std::string out;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const HloInstruction& operand = *instruction.operands[i];
      if (i > 0) out += ", ";
      if (i > 0 && i % 5 == 0 && options_.operand_comments) out += fmt::format("/*index={}*/", i);
      if (options_.operand_shapes) out += operand.shape.ToString() + " ";
      out += Name(operand);
    }
    return out;
  }

  std::string PrintConstant(const HloInstruction& instruction) const {
    const bool is_large = instruction.shape.IsTuple() ||
                          (instruction.literal.has_value() && instruction.literal->element_count() > kSmallConstant);
    if (!instruction.literal.has_value() || (is_large && !options_.large_constants)) return "{...}";
    return PrintLiteral(*instruction.literal, LiteralPrintOptions{.exact_negative_zero = options_.reads_back});
  }

  std::string PrintAnnotation(const HloInstruction& instruction, std::string_view name) const {
    if (name == "control-predecessors") {
      if (!options_.control_predecessors || instruction.control_predecessors.empty()) return "";
      std::vector<std::string> names;
      for (const HloInstruction* predecessor : instruction.control_predecessors) names.push_back(Name(*predecessor));
      return fmt::format(", control-predecessors={{{}}}", JoinText(names, ", "));
    }
    if (name == "metadata" && !options_.metadata) return "";
    if (name == "backend_config" && !options_.backend_config) return "";
    if (name == "result_accuracy") {
      const auto& accuracy = instruction.result_accuracy;
      return accuracy ? fmt::format(", {}={}", name, accuracy->ToString(options_.reads_back)) : "";
    }
    const auto found = instruction.annotations.find(name);
    if (found == instruction.annotations.end()) return "";
    const bool strips = name == "sharding" && !options_.metadata;
    return fmt::format(", {}={}", name, strips ? WithoutMetadata(found->second) : found->second);
  }

  const PrintOptions& options_;
  int indent_ = 0;
  std::unordered_set<const HloComputation*> fused_;
  std::unordered_set<const HloComputation*> shared_;  // called in more than one place
  std::unordered_map<const HloInstruction*, std::string> canonical_names_;
};

}  // namespace

PrintOptions PrintOptions::ShortParsable() {
  PrintOptions options;
  options.percent = false;
  options.program_shape = false;
  options.operand_comments = false;
  options.large_constants = true;
  options.metadata = false;
  options.control_predecessors = false;
  return options;
}

PrintOptions PrintOptions::Canonical() {
  PrintOptions options = ShortParsable();
  options.operand_shapes = true;
  options.large_constants = false;
  options.backend_config = false;
  options.inline_computations = true;
  options.canonical_names = true;
  return options;
}

PrintOptions PrintOptions::Exact() {
  PrintOptions options;
  options.large_constants = true;
  options.reads_back = true;
  return options;
}

std::string PrintHloModule(const HloModule& module, const PrintOptions& options) {
  return ModulePrinter(options).PrintModule(module);
}

std::string PrintInstruction(const HloInstruction& instruction, const PrintOptions& options) {
  return ModulePrinter(options).PrintLine(instruction);
}

void SetSource(HloModule& module, std::shared_ptr<const std::string> stablehlo) {
  const std::string text = PrintHloModule(module, PrintOptions::Exact());
  module.source =
      std::make_shared<const ModuleSource>(ModuleSource{std::move(stablehlo), std::hash<std::string_view>()(text)});
}

const std::string* SourceOf(const HloModule& module, std::string_view text) {
  const bool is_unchanged = module.source && module.source->hlo_hash == std::hash<std::string_view>()(text);
  return is_unchanged ? module.source->bytes.get() : nullptr;
}

}  // namespace assay
