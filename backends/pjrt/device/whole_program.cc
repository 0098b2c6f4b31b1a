#include "backends/pjrt/device/whole_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "backends/pjrt/device/result_sharding.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/shard_maps.h"
#include "interpreter/hlo/sharding_text.h"
#include "interpreter/hlo/shards.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/proto/hlo_proto.h"
#include "interpreter/proto/message.h"
#include "interpreter/proto/module_header.h"
#include "interpreter/proto/sharding.h"
#include "interpreter/stablehlo/operation.h"
#include "interpreter/stablehlo/to_hlo.h"

namespace assay::pjrt {
namespace {

constexpr std::string_view kSerializedStart = "assay executable 1\n";
constexpr std::string_view kMlirBytecodeStart = "ML\xefR";

// Fields of HloModuleProto with which XLA says how results and parameters are sharded.
constexpr proto::Field kOutputSharding = {proto::MessageType::kNone, "spmd_output_sharding", 12,
                                          proto::FieldKind::kMessage};
constexpr proto::Field kParameterShardings = {proto::MessageType::kNone, "spmd_parameters_shardings", 14,
                                              proto::FieldKind::kMessages};
// Fields of HloModuleProtoWithConfig.
constexpr proto::Field kModuleOfConfig = {proto::MessageType::kNone, "hlo_module", 1, proto::FieldKind::kMessage};
constexpr proto::Field kConfig = {proto::MessageType::kNone, "config", 2, proto::FieldKind::kMessage};
// Fields of HloModuleConfigProto.
constexpr proto::Field kEntryLayout = {proto::MessageType::kNone, "entry_computation_layout", 1,
                                       proto::FieldKind::kMessage};
constexpr proto::Field kConfigReplicas = {proto::MessageType::kNone, "replica_count", 4, proto::FieldKind::kInteger};
constexpr proto::Field kConfigPartitions = {proto::MessageType::kNone, "num_partitions", 5, proto::FieldKind::kInteger};

struct EntryProgram {
  std::unique_ptr<HloModule> module;
  EntryMemoryKinds memory_kinds = {};
  EntryLayouts layouts = {};
};

Result<EntryProgram> ReadProgram(const ProgramSource& source) {
  const std::string& code = source.code;
  if (source.format == "hlo") {
    ASSAY_TRY(std::unique_ptr<HloModule> module, ReadHloModuleProto(code));
    EntryLayouts layouts = EntryLayoutsOf(*module);
    return EntryProgram{std::move(module), {}, std::move(layouts)};
  }
  if (source.format != "mlir") {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("program format {}: expected mlir (StableHLO) or hlo (HloModuleProto)", source.format)};
  }
  ASSAY_TRY(const stablehlo::Program program,
            code.starts_with(kMlirBytecodeStart) ? stablehlo::ReadBytecode(code) : stablehlo::ParseText(code));
  if (stablehlo::IsUnbounded(program)) {
    return Error{ErrorCode::kUnsupported,
                 "the program has dimensions of unknown size (?): a framework refines them to the sizes of the "
                 "arguments before it compiles, as Exported.call of jax.export does"};
  }
  ASSAY_TRY(EntryMemoryKinds kinds, ReadMemoryKinds(program));
  ASSAY_TRY(std::unique_ptr<HloModule> module, stablehlo::ToHlo(program));
  return EntryProgram{std::move(module), std::move(kinds), ReadEntryLayouts(program)};
}

// Puts the place in front of a message.
Error WithPlace(Error error) {
  const SourceLocation at = error.location;
  if (at.line > 0) error.message = fmt::format("{}:{}: {}", at.line, at.column, error.message);
  return error;
}

template <class Use>
void ForEachInstruction(const HloModule& module, const Use& use) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) use(*instruction);
  }
}

bool DependsOnDevice(const HloModule& module) {
  bool depends = false;
  ForEachInstruction(module, [&](const HloInstruction& i) { depends |= i.op->evaluation.depends_on_device; });
  return depends;
}

// Returns the values of an entry. A list of another number of shardings is none.
Result<std::vector<ShardedValue>> ShardValues(const std::vector<Shape>& shapes,
                                              const std::vector<std::string>& shardings, std::int64_t partitions) {
  const bool has_shardings = partitions > 1 && shardings.size() == shapes.size();
  std::vector<ShardedValue> values;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    ASSAY_TRY(ShardedValue value, ShardValue(shapes[i], has_shardings ? shardings[i] : "", partitions));
    values.push_back(std::move(value));
  }
  return values;
}

// Returns the number of which each "(" in the text of input_output_alias or buffer_donor is followed: a parameter.
void MarkDonated(const HloModule& module, std::string_view header, std::vector<bool>& donated) {
  const auto found = module.header_attributes.find(header);
  if (found == module.header_attributes.end()) return;
  const std::string& text = found->second;
  for (std::size_t at = text.find('('); at != std::string::npos; at = text.find('(', at + 1)) {
    const auto parameter = static_cast<std::size_t>(std::atoll(text.c_str() + at + 1));
    if (parameter < donated.size()) donated[parameter] = true;
  }
}

void AppendText(std::string& bytes, std::string_view text) { bytes += fmt::format("{}\n{}", text.size(), text); }

std::optional<std::string> TakeText(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos || end > 18) return std::nullopt;
  const auto size = static_cast<std::size_t>(std::atoll(std::string(bytes.substr(0, end)).c_str()));
  bytes.remove_prefix(end + 1);
  if (size > bytes.size()) return std::nullopt;
  std::string text(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return text;
}

}  // namespace

std::string ProgramSource::Serialize() const {
  std::string bytes(kSerializedStart);
  AppendText(bytes, format);
  AppendText(bytes, compile_options);
  AppendText(bytes, code);
  return bytes;
}

Result<ProgramSource> ProgramSource::Deserialize(std::string_view bytes) {
  const Error wrong = {ErrorCode::kInput, "the bytes must be an executable that assay has serialized"};
  if (!bytes.starts_with(kSerializedStart)) return wrong;
  bytes.remove_prefix(kSerializedStart.size());
  const std::optional<std::string> format = TakeText(bytes), options = TakeText(bytes), code = TakeText(bytes);
  if (!format || !options || !code || !bytes.empty()) return wrong;
  return ProgramSource{*format, *code, *options};
}

Status WholeProgram::ShardEntry(const EntryShardings& chosen) {
  const std::vector<const HloInstruction*> parameters = module_->entry->Parameters();
  std::vector<Shape> shapes;
  std::vector<std::string> shardings;
  for (const HloInstruction* parameter : parameters) {
    if (parameter == nullptr || parameter->shape.IsTuple()) {
      return Error{ErrorCode::kUnsupported, "a program must have arrays as parameters, found a tuple"};
    }
    shapes.push_back(parameter->shape);
    shardings.push_back(ShardingText(*parameter));
  }
  ASSAY_TRY(parameters_, ShardValues(shapes, chosen.parameters.value_or(shardings), partitions_));
  const HloInstruction& root = *module_->entry->root;
  const bool is_tuple = root.shape.IsTuple();
  shapes = is_tuple ? root.shape.tuple_shapes() : std::vector{root.shape};
  if (std::ranges::any_of(shapes, &Shape::IsTuple)) {
    return Error{ErrorCode::kUnsupported, "a program must have arrays as results, found a nested tuple"};
  }
  const std::string sharding = LeavesOpen(root) ? "" : ShardingText(root);
  shardings = is_tuple ? SplitShardings(sharding) : std::vector{sharding};
  if (sharding.empty() && partitions_ > 1) {
    shardings = FollowingShardings(*module_);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (!ShardValue(shapes[i], shardings[i], partitions_)) shardings[i].clear();
    }
  }
  ASSAY_TRY(results_, ShardValues(shapes, chosen.results.value_or(shardings), partitions_));
  memory_kinds_.parameters.resize(parameters_.size());
  memory_kinds_.results.resize(results_.size());
  layouts_.parameters.resize(parameters_.size());
  layouts_.results.resize(results_.size());
  return {};
}

Status WholeProgram::SumUnreduced() {
  std::vector<HloInstruction*> unreduced;
  const auto tiles_of = [&](const HloInstruction& parameter) -> const DeviceTiles& {
    return parameters_[static_cast<std::size_t>(parameter.parameter_number)].tiles;
  };
  for (const auto& instruction : module_->entry->instructions) {
    if (instruction->op->role == OpRole::kParameter && tiles_of(*instruction).is_sum()) {
      unreduced.push_back(instruction.get());
    }
  }
  for (HloInstruction* parameter : unreduced) ASSAY_CHECK_OK(InsertSumOfTerms(*parameter, tiles_of(*parameter)));
  return {};
}

void WholeProgram::FindDonated() {
  donated_.assign(parameters_.size(), false);
  MarkDonated(*module_, "input_output_alias", donated_);
  MarkDonated(*module_, "buffer_donor", donated_);
}

std::string WholeProgram::ShardingsOfEntry() const {
  proto::MessageWriter shardings;
  std::string results;
  for (const ShardedValue& value : results_) {
    results += fmt::format("{}{}", results.empty() ? "" : ", ", value.sharding_or_replicated());
  }
  const bool is_tuple = module_->entry->root->shape.IsTuple();
  shardings.Sub(kOutputSharding, proto::WriteSharding(is_tuple ? fmt::format("{{{}}}", results) : results));
  for (const ShardedValue& value : parameters_) {
    shardings.Sub(kParameterShardings, proto::WriteSharding(value.sharding_or_replicated()));
  }
  return shardings.TakeBytes();
}

Result<std::string> WholeProgram::Hlo() const {
  ASSAY_TRY(const EntryProgram program, ReadProgram(source_));
  const HloModule& module = *program.module;
  proto::MessageWriter config, message;
  config.Sub(kEntryLayout,
             proto::WriteProgramShape(module.entry_parameter_layouts, module.entry_result_layout, *module.entry));
  config.Integer(kConfigReplicas, replicas_);
  config.Integer(kConfigPartitions, partitions_);
  message.AddText(kModuleOfConfig, WriteHloModuleProto(module) + (partitions_ > 1 ? ShardingsOfEntry() : ""));
  message.Sub(kConfig, config);
  return message.TakeBytes();
}

Result<WholeProgram> WholeProgram::Read(ProgramSource source, const EntryShardings& chosen) {
  WholeProgram program;
  program.source_ = std::move(source);
  ASSAY_TRY(program.options_, ReadCompileOptions(program.source_.compile_options));
  Result<EntryProgram> read = ReadProgram(program.source_);
  if (!read) return WithPlace(std::move(read.error()));
  program.module_ = std::move(read->module);
  program.memory_kinds_ = std::move(read->memory_kinds);
  program.layouts_ = std::move(read->layouts);
  HloModule& hlo = *program.module_;
  hlo.replica_count = std::max(hlo.replica_count, program.options_.replicas);
  hlo.num_partitions = std::max(hlo.num_partitions, program.options_.partitions);
  if (const std::vector<Error> errors = FindIllegal(hlo); !errors.empty()) return WithPlace(errors[0]);
  program.replicas_ = hlo.replica_count;
  program.partitions_ = hlo.num_partitions;
  ASSAY_CHECK_OK(program.ShardEntry(chosen));
  program.FindDonated();
  ASSAY_CHECK_OK(program.SumUnreduced());
  ASSAY_TRY([[maybe_unused]] const auto partitions, SpellOutShardMaps(hlo, /*may_set_partitions=*/false));
  const bool is_manual = std::ranges::any_of(
      program.parameters_, [](const ShardedValue& value) { return value.sharding.starts_with("{manual"); });
  program.runs_once_ = program.replicas_ == 1 && program.partitions_ > 1 && !is_manual && !DependsOnDevice(hlo);
  if (program.runs_once_) hlo.num_partitions = 1;
  return program;
}

std::string WholeProgram::fingerprint() const {
  const std::hash<std::string_view> hash;
  return fmt::format("{:016x}{:016x}", hash(source_.code), hash(source_.compile_options));
}

std::int64_t WholeProgram::bytes_accessed() const {
  std::int64_t bytes = 0;
  const auto add = [&](const Shape& shape) {
    if (const Result<std::int64_t> size = ShapeUtil::CheckedByteSizeOf(shape)) bytes += *size;
  };
  ForEachInstruction(*module_, [&](const HloInstruction& instruction) {
    if (instruction.operands.empty()) return;
    add(instruction.shape);
    for (const HloInstruction* operand : instruction.operands) add(operand->shape);
  });
  return bytes;
}

DeviceValues WholeProgram::JoinArguments(DeviceValues parts) const {
  DeviceValues arguments(runs_once_ ? 1 : static_cast<std::int64_t>(parts.size()));
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    for (std::int64_t replica = 0; replica < replicas_; ++replica) {
      const auto part_of = [&](std::int64_t p) -> Literal& { return parts[replica * partitions_ + p][i]; };
      const std::vector<Literal> wholes = parameters_[i].Join(part_of);
      for (std::int64_t p = 0; p < partitions_ && !wholes.empty(); ++p) part_of(p) = Literal();
      for (std::int64_t p = 0; p < (runs_once_ ? 1 : partitions_); ++p) {
        const std::size_t copy = wholes.size() > 1 ? static_cast<std::size_t>(parameters_[i].tiles.copy[p]) : 0;
        arguments[replica * partitions_ + p].push_back(wholes.empty() ? std::move(part_of(p)) : wholes[copy]);
      }
    }
  }
  return arguments;
}

DeviceValues WholeProgram::SplitResults(const PerDevice<Literal>& outputs) const {
  const std::int64_t devices = replicas_ * partitions_;
  DeviceValues results(devices);
  for (std::int64_t device = 0; device < devices; ++device) {
    const Literal& output = outputs[runs_once_ ? 0 : device];
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const Literal& whole = output.shape().IsTuple() ? output.elements()[i] : output;
      results[device].push_back(results_[i].PartOn(device % partitions_, whole));
    }
  }
  return results;
}

PerDevice<Literal> WholeProgram::JoinResults(const DeviceValues& parts, std::int64_t copies_of) const {
  const bool is_tuple = module_->entry->root->shape.IsTuple();
  PerDevice<Literal> outputs(runs_once_ ? 1 : replicas_ * partitions_);
  for (std::int64_t device = 0; device < std::ssize(outputs); ++device) {
    const std::int64_t partition = runs_once_ ? copies_of : device % partitions_;
    const std::int64_t first = device / partitions_ * partitions_;
    std::vector<Literal> arrays;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const auto part_of = [&](std::int64_t p) -> const Literal& { return parts[first + p][i]; };
      const auto& [whole, part, tiles, sharding] = results_[i];
      if (!results_[i].is_tiled()) {
        arrays.push_back(part_of(partition));
        continue;
      }
      // The copy of which the partition holds a tile.
      const auto copy = static_cast<std::size_t>(tiles.copy[static_cast<std::size_t>(partition)]);
      arrays.push_back(JoinShards(whole, tiles, tiles.Groups()[copy], part_of));
    }
    outputs[device] = is_tuple ? Literal::MakeTuple(std::move(arrays)) : std::move(arrays[0]);
  }
  return outputs;
}

}  // namespace assay::pjrt
