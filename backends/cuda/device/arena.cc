#include "backends/cuda/device/arena.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string_view>

namespace assay::cuda {
namespace {

constexpr std::int64_t kLeast = 512;

// Returns the size of a piece: four sizes between a power of two and the next, so that a piece fits many requests. From
// 2 KiB on it wastes a fifth at most; smaller pieces are multiples of 512 bytes.
std::int64_t PieceSize(std::int64_t bytes) {
  const std::int64_t needed = std::max(bytes, kLeast);
  const auto step = std::max(kLeast, static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(needed))) / 4);
  return (needed + step - 1) / step * step;
}

bool AllocatesEach() {
  const char* const value = std::getenv("ASSAY_CUDA_ALLOCATE");
  return value != nullptr && std::string_view(value) == "each";
}

}  // namespace

Arena::Arena(const Driver& driver, Lifetime lifetime)
    : driver_(driver), lifetime_(lifetime), allocates_each_(AllocatesEach()) {}

Buffer::~Buffer() { arena_->Return(address_, bytes_); }

Arena::~Arena() { FreeUnused(); }

Result<std::shared_ptr<Buffer>> Arena::Allocate(std::int64_t bytes) {
  const std::int64_t size = allocates_each_ ? std::max<std::int64_t>(bytes, 1) : PieceSize(bytes);
  CUdeviceptr address = 0;
  if (const auto found = unused_.find(size); found != unused_.end() && !allocates_each_) {
    address = found->second.back();
    found->second.pop_back();
    if (found->second.empty()) unused_.erase(found);
  } else {
    CUresult result = driver_.MemoryAllocate(&address, static_cast<std::size_t>(size));
    if (result == kCudaOutOfMemory && !unused_.empty()) {
      FreeUnused();
      result = driver_.MemoryAllocate(&address, static_cast<std::size_t>(size));
    }
    if (result == kCudaOutOfMemory) {
      return Error{ErrorCode::kLimit,
                   fmt::format("the memory of the CUDA device is full: {} bytes are needed beside {} in use ({})", size,
                               in_use_, driver_.NameOf(result))};
    }
    if (result != kCudaSuccess) return driver_.ErrorOf(result, "MemoryAllocate");
    in_all_ += size;
  }
  in_use_ += size;
  return std::make_shared<Buffer>(shared_from_this(), address, size);
}

void Arena::Return(CUdeviceptr address, std::int64_t bytes) {
  in_use_ -= bytes;
  unused_[bytes].push_back(address);
  if (allocates_each_ && lifetime_ == Lifetime::kOfUse) FreeUnused();
}

// Frees the unused pieces. Ignores a lost device, whose memory no longer exists.
void Arena::FreeUnused() {
  for (const auto& [size, addresses] : unused_) {
    for (const CUdeviceptr address : addresses) driver_.MemoryFree(address);
    in_all_ -= size * static_cast<std::int64_t>(addresses.size());
  }
  unused_.clear();
}

}  // namespace assay::cuda
