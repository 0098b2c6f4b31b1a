#include "backends/cuda/execution/launch.h"

namespace assay::cuda {

Status Enqueue(const Device& device, const LoadedKernel& kernel, const KernelLaunch& launch,
               const KernelBuffers& buffers) {
  std::vector<std::uint64_t> words;
  for (const KernelArgument& argument : launch.arguments) {
    const auto i = static_cast<std::size_t>(argument.index);
    const std::shared_ptr<Buffer>* buffer = nullptr;
    if (argument.kind == KernelArgument::kOperand) buffer = &buffers.operands[i];
    if (argument.kind == KernelArgument::kResult) buffer = &buffers.results[i];
    if (argument.kind == KernelArgument::kScratch) buffer = &buffers.scratch[i];
    if (buffer == nullptr) {
      words.push_back(static_cast<std::uint64_t>(argument.index));
    } else {
      words.push_back(*buffer == nullptr ? 0 : (*buffer)->address());
    }
  }
  std::vector<void*> pointers;
  for (std::uint64_t& word : words) pointers.push_back(&word);
  return device.Launch(kernel, {launch.blocks, launch.threads}, pointers);
}

}  // namespace assay::cuda
