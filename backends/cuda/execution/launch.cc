#include "backends/cuda/execution/launch.h"

namespace assay::cuda {

namespace {

// Returns the address of an array, or the number itself.
std::uint64_t WordOf(const KernelArgument& argument, const KernelBuffers& buffers) {
  const auto i = static_cast<std::size_t>(argument.index);
  const std::shared_ptr<Buffer>* buffer = nullptr;
  if (argument.kind == KernelArgument::kOperand) buffer = &buffers.operands[i];
  if (argument.kind == KernelArgument::kResult) buffer = &buffers.results[i];
  if (argument.kind == KernelArgument::kScratch) buffer = &buffers.scratch[i];
  if (buffer == nullptr) return static_cast<std::uint64_t>(argument.index);
  return *buffer == nullptr ? 0 : (*buffer)->address();
}

}  // namespace

Status Enqueue(Device& device, const LoadedKernel* kernel, const KernelLaunch& launch, const KernelBuffers& buffers) {
  if (launch.product) {
    const LibraryProduct& product = *launch.product;
    return device.Multiply(product.matmul, WordOf(product.lhs, buffers), WordOf(product.rhs, buffers),
                           WordOf(product.result, buffers) + static_cast<std::uint64_t>(product.result_offset));
  }
  std::vector<std::uint64_t> words;
  for (const KernelArgument& argument : launch.arguments) words.push_back(WordOf(argument, buffers));
  std::vector<void*> pointers;
  for (std::uint64_t& word : words) pointers.push_back(&word);
  return device.Launch(*kernel, {launch.blocks, launch.threads}, pointers);
}

}  // namespace assay::cuda
