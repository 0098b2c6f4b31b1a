// Operations of StableHLO's interpreter: a grid of processes, and probes of values.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/to_hlo_operations.h"

namespace assay::stablehlo {
namespace {

// Each process has instructions for the results of all processes.
constexpr std::int64_t kMostProcesses = 64;

// A grid of processes: replicas of partitions, in row-major order.
struct Grid {
  std::int64_t replicas = 0, partitions = 0;
  std::vector<std::string> names;
  std::vector<HloComputation*> programs;

  std::int64_t count() const { return replicas * partitions; }
};

Result<Grid> GridOf(const Lowering& lowering) {
  const Operation& operation = lowering.operation;
  const auto* rows = lowering.attributes().FindAs<std::vector<Attribute>>("programs");
  Grid grid;
  for (std::size_t i = 0; rows != nullptr && i < rows->size(); ++i) {
    const Dictionary row = {{{"programs", (*rows)[i]}}};
    ASSAY_TRY(const std::vector<std::string> names, AttributeReader(operation, row).Symbols("programs"));
    grid.names.insert(grid.names.end(), names.begin(), names.end());
    const auto size = std::ssize(names);
    if (i != 0 && size != grid.partitions) {
      return lowering.Illegal(
          fmt::format("the replicas of programs must have {} partitions each, found {}", grid.partitions, size));
    }
    grid.partitions = size;
    ++grid.replicas;
  }
  if (grid.count() > kMostProcesses) {
    return lowering.Unsupported(
        fmt::format("a grid must have at most {} processes, found {}", kMostProcesses, grid.count()));
  }
  if (grid.names.empty()) return lowering.Illegal("the attribute programs must name functions: [[@f, @g], [@f, @g]]");
  return grid;
}

std::vector<Shape> ResultShapes(const HloComputation& program) {
  const Shape& shape = program.root->shape;
  return shape.IsTuple() ? shape.tuple_shapes() : std::vector<Shape>{shape};
}

// Calls a program and returns its results.
std::vector<HloInstruction*> CallProgram(Translator& translator, HloComputation& program,
                                         std::vector<HloInstruction*> arguments) {
  HloInstruction& call = translator.Add("call", program.root->shape, std::move(arguments));
  call.Set("to_apply", &program);
  return translator.ElementsOf(call);
}

HloInstruction& AddZero(Translator& translator, const Shape& shape) {
  if (!shape.IsArray()) return translator.Add("after-all", shape, {});
  HloInstruction& zero = translator.AddConstant(Literal(ShapeUtil::MakeScalarShape(shape.element_type())));
  return AddScalarBroadcast(translator, zero, shape);
}

// Returns the computation of one process: its program, with zeros for the results of the other processes.
HloComputation& AddProcess(Translator& translator, const Grid& grid, std::int64_t process, const Shape& arguments) {
  Translator::ScopedComputation scope(translator, "process");
  HloInstruction& parameter = translator.Add(*OpWithRole(OpRole::kParameter), arguments, {});
  const std::vector<HloInstruction*> operands = translator.ElementsOf(parameter);
  std::vector<HloInstruction*> results;
  for (std::int64_t other = 0; other < grid.count(); ++other) {
    if (other == process) {
      std::ranges::copy(CallProgram(translator, *grid.programs[process], operands), std::back_inserter(results));
      continue;
    }
    for (const Shape& shape : ResultShapes(*grid.programs[other])) results.push_back(&AddZero(translator, shape));
  }
  return scope.Finish(translator.AddTuple(std::move(results)));
}

// Returns the number of the running process as s32[].
HloInstruction& AddProcessNumber(Translator& translator, const Grid& grid) {
  const Shape unsigned_number = ShapeUtil::MakeScalarShape(U32), number = ShapeUtil::MakeScalarShape(S32);
  HloInstruction& replica = translator.Add("convert", number, {&translator.Add("replica-id", unsigned_number, {})});
  HloInstruction& partition = translator.Add("convert", number, {&translator.Add("partition-id", unsigned_number, {})});
  HloInstruction& partitions =
      translator.AddConstant(LiteralUtil::CreateR0(S32, static_cast<std::int32_t>(grid.partitions)));
  HloInstruction& row = translator.Add("multiply", number, {&replica, &partitions});
  return translator.Add("add", number, {&row, &partition});
}

// Broadcasts a value from position `root` to all of `count` replicas, or of partitions if there is a channel.
HloInstruction& AddBroadcastFrom(Translator& translator, HloInstruction& value, std::int64_t root, std::int64_t count,
                                 bool has_channel) {
  Int64List group = {root};
  for (std::int64_t i = 0; i < count; ++i) {
    if (i != root) group.push_back(i);
  }
  HloInstruction& broadcast = translator.Add("collective-broadcast", value.shape, {&value});
  broadcast.Set("replica_groups", ReplicaGroups{{std::move(group)}, ""});
  if (has_channel) broadcast.Set("channel_id", std::int64_t{1});
  return broadcast;
}

// Runs each program on its own device, and returns the results of all on every device.
std::vector<HloInstruction*> AddProcesses(Translator& translator, const Grid& grid,
                                          const std::vector<std::vector<HloInstruction*>>& arguments) {
  if (grid.count() == 1) return CallProgram(translator, *grid.programs[0], arguments[0]);
  std::vector<HloInstruction*> operands = {&AddProcessNumber(translator, grid)};
  std::vector<HloComputation*> processes;
  for (std::int64_t i = 0; i < grid.count(); ++i) {
    operands.push_back(&translator.AddTuple(arguments[i]));
    processes.push_back(&AddProcess(translator, grid, i, operands.back()->shape));
  }
  HloInstruction& all = translator.Add("conditional", processes[0]->root->shape, std::move(operands));
  all.Set("branch_computations", std::move(processes));
  std::vector<HloInstruction*> results;
  for (std::int64_t process = 0; process < grid.count(); ++process) {
    for (const Shape& shape : ResultShapes(*grid.programs[process])) {
      HloInstruction* result = &translator.AddElement(all, std::ssize(results));
      if (shape.IsArray() && grid.partitions > 1) {
        result = &AddBroadcastFrom(translator, *result, process % grid.partitions, grid.partitions, true);
      }
      if (shape.IsArray() && grid.replicas > 1) {
        result = &AddBroadcastFrom(translator, *result, process / grid.partitions, grid.replicas, false);
      }
      results.push_back(result);
    }
  }
  return results;
}

Status LowerPrograms(const Lowering& lowering, Grid& grid) {
  for (const std::string& name : grid.names) {
    ASSAY_TRY(HloComputation * program, lowering.translator.LowerFunction(lowering.operation, name));
    for (const Shape& shape : ResultShapes(*program)) {
      if (shape.IsArray() || shape.IsToken()) continue;
      return lowering.Unsupported(
          fmt::format("the results of @{} must be tensors and tokens, found {}", name, shape.ToStringWithoutLayout()));
    }
    grid.programs.push_back(program);
  }
  return {};
}

// Returns the operands of each program.
Result<std::vector<std::vector<HloInstruction*>>> ArgumentsOf(const Lowering& lowering, const Grid& grid) {
  std::vector<std::vector<HloInstruction*>> arguments;
  std::size_t first = 0, wanted = 0;
  for (const HloComputation* program : grid.programs) wanted += program->Parameters().size();
  if (wanted != lowering.operands.size()) {
    return lowering.Illegal(
        fmt::format("it must have the {} operands of its programs, found {}", wanted, lowering.operands.size()));
  }
  for (const HloComputation* program : grid.programs) {
    arguments.push_back(lowering.OperandsFrom(first, program->Parameters().size()));
    first += arguments.back().size();
  }
  return arguments;
}

// Calls the functions of the attribute infeed, whose results the host then has for the process.
Status FillInfeed(const Lowering& lowering, const Grid& grid) {
  ASSAY_TRY(const std::vector<std::string> names, lowering.attributes().Symbols("infeed"));
  if (lowering.attributes().Find("infeed") == nullptr) return {};
  if (names.empty()) return lowering.Illegal("infeed must name a function, or be absent");
  if (grid.count() != 1) return lowering.Unsupported("an infeed must be for a single process: the order is undefined");
  std::vector<HloInstruction*> values;
  for (const std::string& name : names) {
    ASSAY_TRY(HloComputation * queued, lowering.translator.LowerFunction(lowering.operation, name));
    if (!queued->Parameters().empty() || !queued->root->shape.IsArray()) {
      return lowering.Illegal(fmt::format("the infeed @{} must have no arguments and one tensor as its result", name));
    }
    values.push_back(CallProgram(lowering.translator, *queued, {})[0]);
  }
  HloInstruction& fill = lowering.translator.Add("custom-call", ShapeUtil::MakeTupleShape({}), std::move(values));
  fill.Set("custom_call_target", "interpreter.infeed");
  fill.Set("custom_call_has_side_effect", true);
  return {};
}

}  // namespace

// Runs a grid of processes as the devices of the module. Every device evaluates the rest of the module.
Status LowerRunParallel(const Lowering& lowering) {
  Translator& translator = lowering.translator;
  ASSAY_TRY(Grid grid, GridOf(lowering));
  ASSAY_CHECK_OK(translator.SetGrid(lowering.operation, grid.replicas, grid.partitions));
  ASSAY_CHECK_OK(LowerPrograms(lowering, grid));
  ASSAY_CHECK_OK(FillInfeed(lowering, grid));
  ASSAY_TRY(const auto arguments, ArgumentsOf(lowering, grid));
  const std::vector<HloInstruction*> results = AddProcesses(translator, grid, arguments);
  const auto& values = lowering.operation.results;
  if (results.size() != values.size()) {
    return lowering.Illegal(
        fmt::format("it must have the {} results of its programs, found {}", results.size(), values.size()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) translator.Bind(values[i].id, *results[i]);
  return {};
}

// Calls the target of the operation's name, which returns the operand.
Status LowerProbe(const Lowering& lowering) {
  ASSAY_TRY(const std::string id, lowering.attributes().String("probe_id"));
  ASSAY_TRY(HloInstruction * probe, lowering.AddResult());
  probe->Set("custom_call_target", lowering.operation.name);
  probe->Set("custom_call_has_side_effect", true);
  probe->Set("api_version", "API_VERSION_TYPED_FFI");
  probe->annotations["backend_config"] = PrintBackendConfig(fmt::format("{{probe_id = {}}}", ToText(Attribute{id})));
  return {};
}

// Omits an operation that only prints.
Status LowerNothing(const Lowering&) { return {}; }

}  // namespace assay::stablehlo
