#include "backends/cuda/execution/planned_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "backends/cuda/execution/replay.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/extract.h"

namespace assay::cuda {
namespace {

bool HasStaticShape(const Shape& shape) {
  if (shape.IsTuple()) return std::ranges::all_of(shape.tuple_shapes(), HasStaticShape);
  return shape.IsArray() && !shape.IsDynamic();
}

bool IsForDevice(const HloInstruction& instruction) {
  const OpEvaluation& evaluation = instruction.op->evaluation;
  const OpRole role = instruction.op->role;
  if (role == OpRole::kAsyncStart || role == OpRole::kAsyncUpdate || role == OpRole::kAsyncDone) return false;
  if (evaluation.has_side_effect || evaluation.depends_on_device) return false;
  if (!evaluation.side_effect_flag.empty() && instruction.Bool(evaluation.side_effect_flag)) return false;
  return HasStaticShape(instruction.shape);
}

}  // namespace

bool IsForDevice(const HloModule& module) {
  return module.device_count() == 1 && std::ranges::all_of(module.computations, [](const auto& computation) {
           return std::ranges::all_of(computation->instructions,
                                      [](const auto& instruction) { return IsForDevice(*instruction); });
         });
}

DeviceModule::DeviceModule(std::unique_ptr<HloModule> module, std::shared_ptr<Device> device)
    : module_(std::move(module)), device_(std::move(device)) {}
DeviceModule::~DeviceModule() = default;

Result<std::unique_ptr<DeviceModule>> DeviceModule::Plan(const HloModule& module, std::shared_ptr<Device> device,
                                                         Exactness exactness) {
  std::unique_ptr<DeviceModule> planned(new DeviceModule(CloneModule(module), std::move(device)));
  const KernelFusions fusions = Fuse(*planned->module_, exactness);
  planned->plans_ = std::make_unique<PlanSet>(*planned->module_, OpOverrides());
  for (const auto& [fusion, kind] : fusions) ASSAY_CHECK_OK(planned->Load(*fusion, *kind));
  return planned;
}

Status DeviceModule::Load(const HloInstruction& fusion, const KernelKind& kind) {
  PlannedKernel kernel{.program = kind.make(fusion.Computation("calls")), .loaded = {}};
  const auto is_taken = [&](const KernelLaunch& launch) {
    return !launch.product || device_->TakesMatmul(launch.product->matmul);
  };
  if (kernel.program.of_library && std::ranges::all_of(kernel.program.of_library->launches, is_taken)) {
    kernel.program.launches = std::move(kernel.program.of_library->launches);
    kernel.program.scratch_bytes = std::move(kernel.program.of_library->scratch_bytes);
  }
  for (const KernelLaunch& launch : kernel.program.launches) {
    if (launch.product) {
      kernel.loaded.push_back(nullptr);
      continue;
    }
    Result<std::shared_ptr<const LoadedKernel>> loaded = device_->Load(launch.text);
    if (!loaded && loaded.error().code != ErrorCode::kUnsupported) return loaded.error();
    if (!loaded) {
      fmt::print(stderr, "note: {} is left to the host, for its kernel was refused: {}\n", fusion.name,
                 loaded.error().message);
      return {};
    }
    kernel.loaded.push_back(*std::move(loaded));
  }
  kernels_.emplace(&fusion, std::move(kernel));
  return {};
}

const PlannedKernel* DeviceModule::KernelOf(const HloInstruction& instruction) const {
  const auto found = kernels_.find(&instruction);
  return found == kernels_.end() ? nullptr : &found->second;
}

Result<const HostInstruction*> DeviceModule::OnHost(const HloInstruction& instruction) {
  if (const auto found = on_host_.find(&instruction); found != on_host_.end()) return &found->second;
  const HloInstruction* const one[] = {&instruction};
  std::unique_ptr<const HloModule> module = ExtractInstructions(one);
  ASSAY_TRY(PlannedModule planned, PlannedModule::Plan(*module));
  return &on_host_.emplace(&instruction, HostInstruction{std::move(module), std::move(planned)}).first->second;
}

const Value& DeviceModule::ConstantOf(const HloInstruction& constant) {
  const auto found = constants_.find(&constant);
  if (found != constants_.end()) return found->second;
  return constants_.emplace(&constant, Value::OnHost(*constant.literal)).first->second;
}

Result<Replay*> DeviceModule::ReplayOf(const std::vector<Literal>& arguments) {
  // Recorded at the second run, because most modules run once.
  if (++runs_ == 2 && Replay::IsPossible(*this)) {
    ASSAY_TRY(replay_, Replay::Record(*this, arguments));
    if (replay_ != nullptr) last_arguments_.clear();
  }
  return replay_.get();
}

std::vector<Value> DeviceModule::Arguments(const std::vector<Literal>& literals) {
  last_arguments_.resize(literals.size());
  std::vector<Value> values;
  for (std::size_t i = 0; i < literals.size(); ++i) {
    Argument& last = last_arguments_[i];
    const Literal& literal = literals[i];
    const bool is_same =
        literal.shape().IsArray() && last.literal.data() == literal.data() && last.literal.shape() == literal.shape();
    if (!is_same) last = {literal, Value::OnHost(literal)};
    values.push_back(last.value);
  }
  return values;
}

}  // namespace assay::cuda
