#include "backends/cuda/execution/doubts.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "backends/cuda/kernels/entry.h"
#include "interpreter/numerics/exact_sum.h"
#include "interpreter/types/limits.h"

namespace assay::cuda {
namespace {

// The number of terms that the host receives at a time, and in all. Summing more terms takes longer than evaluating the
// whole result.
constexpr std::int64_t kTermsAtATime = 1 << 20;
constexpr std::int64_t kMostTerms = 1 << 28;

// Evaluates the function on the doubtful elements of its operands with the reference's kernel.
Result<std::vector<std::byte>> FunctionsAgain(const Device& device, const DoubtfulResult& doubtful) {
  const HloInstruction& root = *doubtful.fusion.Computation("calls").root;
  const std::size_t count = doubtful.places.size();
  // The doubtful elements of each operand, contiguous.
  std::vector<std::vector<std::byte>> gathered;
  std::vector<const std::byte*> pointers;
  for (const HloInstruction* operand : root.operands) {
    Literal whole;
    if (operand->literal) {
      whole = *operand->literal;
    } else {
      ASSAY_TRY(whole, doubtful.operands[static_cast<std::size_t>(operand->parameter_number)].ToHost(device));
    }
    const auto bytes = static_cast<std::size_t>(StorageBytes(whole.element_type()));
    std::vector<std::byte>& some = gathered.emplace_back(count * bytes);
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(&some[i * bytes], whole.data() + doubtful.places[i] * bytes, bytes);
    }
  }
  for (const std::vector<std::byte>& some : gathered) pointers.push_back(some.data());
  std::vector<std::byte> again(count * static_cast<std::size_t>(StorageBytes(root.shape.element_type())));
  root.op->evaluation.kernel(root)(pointers, again.data(), static_cast<std::int64_t>(count));
  return again;
}

// Adds one term to the sums of its parts. The real part of a complex product has the terms ac and -(bd).
void AddTerm(const double* numbers, const DoubtfulSums& kind, ExactSum* sums) {
  if (!kind.are_products) {
    for (int part = 0; part < kind.parts; ++part) sums[part].Add(numbers[part]);
  } else if (kind.parts == 1) {
    sums[0].AddProduct(numbers[0], numbers[1]);
  } else {
    sums[0].AddProduct(numbers[0], numbers[2]);
    sums[0].AddProduct(-numbers[1], numbers[3]);
    sums[1].AddProduct(numbers[0], numbers[3]);
    sums[1].AddProduct(numbers[1], numbers[2]);
  }
}

// Computes the exact sums of the terms that a launch gathers.
Result<std::vector<std::byte>> SumsAgain(Device& device, const DoubtfulResult& doubtful, const LoadedKernel& gather) {
  const DoubtfulSums& kind = *doubtful.program.doubtful_sums;
  const PrimitiveType type = ComplexComponentType(doubtful.fusion.shape.element_type());
  const auto count = static_cast<std::int64_t>(doubtful.places.size());
  const std::int64_t all = count * kind.n, numbers = kind.NumbersOfTerm();
  std::vector<ExactSum> sums(static_cast<std::size_t>(count * kind.parts));
  const std::int64_t most = std::min(all, kTermsAtATime);
  std::vector<double> terms(static_cast<std::size_t>(most * numbers));
  KernelBuffers buffers = doubtful.buffers;
  if (all > 0) {
    ASSAY_TRY(std::shared_ptr<Buffer> memory,
              device.Allocate(most * numbers * static_cast<std::int64_t>(sizeof(double))));
    buffers.scratch = {buffers.scratch[0], std::move(memory)};
  }
  for (std::int64_t first = 0; first < all; first += kTermsAtATime) {
    CheckLimits();
    const std::int64_t last = std::min(all, first + kTermsAtATime);
    KernelLaunch launch = kind.gather;
    launch.blocks = BlocksFor(last - first, launch.threads);
    launch.arguments.push_back({KernelArgument::kNumber, first});
    launch.arguments.push_back({KernelArgument::kNumber, last});
    ASSAY_CHECK_OK(Enqueue(device, &gather, launch, buffers));
    ASSAY_CHECK_OK(device.CopyToHost(*buffers.scratch[1], reinterpret_cast<std::byte*>(terms.data()),
                                     (last - first) * numbers * static_cast<std::int64_t>(sizeof(double))));
    for (std::int64_t i = first; i < last; ++i) {
      AddTerm(&terms[static_cast<std::size_t>((i - first) * numbers)], kind,
              &sums[static_cast<std::size_t>(i / kind.n * kind.parts)]);
    }
  }
  const auto bytes = static_cast<std::size_t>(StorageBytes(type));
  std::vector<std::byte> again(sums.size() * bytes);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i].Store(type, &again[i * bytes]);
  return again;
}

}  // namespace

Result<std::optional<std::vector<std::uint64_t>>> DoubtsOf(const Device& device, const Buffer& list) {
  std::vector<std::uint64_t> numbers(1 + KernelProgram::kMostDoubts);
  const auto read = [&](std::size_t count) {
    return device.CopyToHost(list, reinterpret_cast<std::byte*>(numbers.data()),
                             static_cast<std::int64_t>(count * sizeof(std::uint64_t)));
  };
  ASSAY_CHECK_OK(read(1));
  const std::uint64_t count = numbers[0];
  if (count > KernelProgram::kMostDoubts) return std::optional<std::vector<std::uint64_t>>();
  if (count > 0) ASSAY_CHECK_OK(read(1 + count));
  return std::optional(std::vector(numbers.begin() + 1, numbers.begin() + 1 + static_cast<std::ptrdiff_t>(count)));
}

Result<std::optional<Value>> WithoutDoubts(Device& device, const DoubtfulResult& doubtful, const Value& result) {
  if (doubtful.places.empty()) return std::optional(result);
  const std::optional<DoubtfulSums>& sums = doubtful.program.doubtful_sums;
  if (sums && sums->n > kMostTerms / static_cast<std::int64_t>(doubtful.places.size())) return std::optional<Value>();
  std::vector<std::byte> again;
  if (sums) {
    // Loaded lazily, because most results have no doubtful elements.
    const Result<std::shared_ptr<const LoadedKernel>> gather = device.Load(sums->gather.text);
    if (!gather && gather.error().code == ErrorCode::kUnsupported) return std::optional<Value>();
    if (!gather) return gather.error();
    ASSAY_TRY(again, SumsAgain(device, doubtful, **gather));
  } else {
    ASSAY_TRY(again, FunctionsAgain(device, doubtful));
  }
  ASSAY_TRY(Literal literal, result.ToHost(device));
  std::byte* const elements = literal.mutable_data();
  const auto bytes = static_cast<std::size_t>(StorageBytes(literal.element_type()));
  for (std::size_t i = 0; i < doubtful.places.size(); ++i) {
    std::memcpy(elements + doubtful.places[i] * bytes, &again[i * bytes], bytes);
  }
  return std::optional(Value::OnHost(std::move(literal)));
}

}  // namespace assay::cuda
