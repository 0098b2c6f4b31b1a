#include "backends/cuda/execution/replay.h"

#include <algorithm>
#include <utility>

namespace assay::cuda {
namespace {

// Modules with larger arrays keep the device busy without a replay.
constexpr std::int64_t kMostReplayedBytes = 256 << 20;

// Returns the number of launches of a computation; nullopt if it needs the host.
std::optional<std::int64_t> LaunchesOf(const DeviceModule& module, const HloComputation& computation) {
  std::int64_t launches = 0;
  for (const PlanStep& step : module.plans().Of(computation).steps()) {
    const HloInstruction& instruction = *step.instruction;
    const OpRole role = instruction.op->role;
    if (role == OpRole::kParameter || role == OpRole::kConstant || role == OpRole::kGetTupleElement ||
        role == OpRole::kTuple) {
      continue;
    }
    if (const PlannedKernel* kernel = module.KernelOf(instruction)) {
      if (kernel->program.has_doubts) return std::nullopt;
      launches += static_cast<std::int64_t>(kernel->loaded.size());
    } else if (!ModuleRun::IsForwarded(instruction)) {
      const bool is_call = role == OpRole::kCall || instruction.op->name == "fusion";
      const auto called = is_call ? LaunchesOf(module, *instruction.CalledComputations()[0]) : std::nullopt;
      if (!called) return std::nullopt;
      launches += *called;
    }
  }
  return launches;
}

std::int64_t ReplayedBytes(const Shape& shape) {
  return ShapeUtil::ElementsIn(shape) * StorageBytes(shape.element_type());
}

}  // namespace

bool Replay::IsPossible(const DeviceModule& module) {
  const auto parameters = module.module().entry->Parameters();
  return module.device().driver().has_graphs() &&
         std::ranges::all_of(parameters, [](const auto* parameter) { return parameter->shape.IsArray(); }) &&
         LaunchesOf(module, *module.module().entry).value_or(0) > 1;
}

Result<std::unique_ptr<Replay>> Replay::Record(DeviceModule& module, const std::vector<Literal>& arguments) {
  Device& device = module.device();
  auto replay = std::make_unique<Replay>();
  replay->arena_ = device.MakeArena();
  // Without enough memory, runs are not replayed.
  const auto unless_full = [](const Error& error) -> Result<std::unique_ptr<Replay>> {
    if (error.code == ErrorCode::kLimit) return std::unique_ptr<Replay>();
    return error;
  };
  std::vector<Value> values;
  for (const Literal& literal : arguments) {
    Argument& argument = replay->arguments_.emplace_back();
    if (const std::int64_t bytes = ReplayedBytes(literal.shape()); bytes > 0) {
      auto buffer = replay->arena_->Allocate(bytes);
      if (!buffer) return unless_full(buffer.error());
      argument.buffer = *std::move(buffer);
    }
    values.push_back(Value::OnDevice(literal.shape(), argument.buffer));
  }
  ModuleRun run(module);
  auto work = device.Record(replay->arena_, [&]() -> Status {
    ASSAY_TRY(replay->result_, run.Enqueue(std::move(values)));
    return {};
  });
  if (!work) return unless_full(work.error());
  if (replay->arena_->bytes_in_all() > kMostReplayedBytes) return std::unique_ptr<Replay>();
  replay->work_ = *std::move(work);
  replay->counts_ = run.counts();
  return replay;
}

Result<Literal> Replay::Run(const Device& device, const std::vector<Literal>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Argument& argument = arguments_[i];
    const Literal& literal = arguments[i];
    if (argument.buffer == nullptr || argument.literal.data() == literal.data()) continue;
    // Until the copy completes, the buffer matches neither the old nor the new argument.
    argument.literal = Literal();
    ASSAY_CHECK_OK(device.CopyToDevice(literal.data(), *argument.buffer, literal.byte_size()));
    argument.literal = literal;
  }
  ASSAY_CHECK_OK(device.Launch(*work_));
  return result_.Read(device);
}

}  // namespace assay::cuda
