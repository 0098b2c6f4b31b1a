// Device memory in pieces that are used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "backends/cuda/libraries/driver.h"

namespace assay::cuda {

class Arena;

// A piece of device memory. It goes back to its arena when the last holder lets go. All work on the device is in one
// stream, so the piece may be given out again at once: what still uses it comes first.
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

// Of one thread at a time. With ASSAY_CUDA_ALLOCATE=each in the environment no piece is used again, and each has the
// bytes that were asked for: tools such as compute-sanitizer then see what goes beyond an array or reads what is left
// of another.
class Arena : public std::enable_shared_from_this<Arena> {
 public:
  enum class Lifetime { kOfUse, kOfArena };
  // Memory whose lifetime is the arena's stays allocated when nobody holds it.
  Arena(const Driver& driver, Lifetime lifetime);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // At least so many bytes. When the device has no more, what lies unused is given back to it first. kLimit when that
  // is not enough.
  Result<std::shared_ptr<Buffer>> Allocate(std::int64_t bytes);

  std::int64_t bytes_in_use() const { return in_use_; }
  // With what lies unused.
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
