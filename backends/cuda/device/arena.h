// Device memory in reusable pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "backends/cuda/libraries/driver.h"

namespace assay::cuda {

class Arena;

// A piece of device memory, which returns to its arena with its last holder. All work on the device is in one stream,
// so the piece can be reused at once: work that still uses it precedes later work.
class Buffer {
 public:
  Buffer(std::shared_ptr<Arena> arena, CUdeviceptr address, std::int64_t bytes)
      : arena_(std::move(arena)), address_(address), bytes_(bytes) {}
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  CUdeviceptr address() const { return address_; }

 private:
  std::shared_ptr<Arena> arena_;
  CUdeviceptr address_;
  std::int64_t bytes_;  // of the piece
};

// An allocator of device memory for one thread at a time. With ASSAY_CUDA_ALLOCATE=each in the environment it reuses no
// piece, and each piece has the requested size: tools such as compute-sanitizer then detect reads and writes beyond an
// array, or of another array's leftovers.
class Arena : public std::enable_shared_from_this<Arena> {
 public:
  enum class Lifetime { kOfUse, kOfArena };
  // With the lifetime kOfArena, memory stays allocated after its last holder is gone.
  Arena(const Driver& driver, Lifetime lifetime);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Allocates at least `bytes`. If the device is out of memory, frees the unused pieces first. Fails with kLimit if
  // that does not suffice.
  Result<std::shared_ptr<Buffer>> Allocate(std::int64_t bytes);

  std::int64_t bytes_in_use() const { return in_use_; }
  // Returns the size of all pieces, including unused ones.
  std::int64_t bytes_in_all() const { return in_all_; }

 private:
  friend class Buffer;
  void Return(CUdeviceptr address, std::int64_t bytes);
  void FreeUnused();

  const Driver& driver_;
  const Lifetime lifetime_;
  const bool allocates_each_;
  std::map<std::int64_t, std::vector<CUdeviceptr>> unused_;  // by size
  std::int64_t in_use_ = 0, in_all_ = 0;
};

}  // namespace assay::cuda
