#include "spec_tests/cuda/host_driver/checks.h"

#include <sys/mman.h>

#include <atomic>
#include <bit>
#include <cstdio>
#include <iterator>
#include <map>
#include <mutex>
#include <vector>

#include "spec_tests/cuda/host_driver/recording.h"

namespace host_driver::checks {
namespace {

// The time and the thread of an access. Barriers order the threads of one block; nothing orders blocks of a launch.
struct Point {
  std::uint32_t launch = 0;  // 0: never
  std::uint32_t block = 0;
  std::uint32_t epoch = 0;  // barriers passed in this block
  std::uint16_t thread = 0;
  bool is_of_many_threads = false, is_of_many_blocks = false;
};

// The accesses to one byte.
struct Shadow {
  Point writer, reader;
  bool is_written = false;
};

// Shared memory, or an allocation with the pages around it.
struct Region {
  std::size_t bytes = 0;
  std::vector<Shadow> shadow = std::vector<Shadow>(bytes);
  std::size_t before = 0, behind = 0;  // bytes around it
  bool is_shared = false;
};

// Several threads of the host may each have a device.
std::mutex mutex;
std::map<std::uintptr_t, Region> regions;
std::atomic<std::uint32_t> launches = 0;

thread_local Point now;
thread_local std::uintptr_t shared_at = 0;
thread_local std::size_t shared_size = 0;
thread_local bool has_finding = false;

Region* RegionOf(std::uintptr_t address, std::uintptr_t& start) {
  auto found = regions.upper_bound(address);
  if (found == regions.begin()) return nullptr;
  --found;
  if (address - found->first >= found->second.bytes) return nullptr;
  start = found->first;
  return &found->second;
}

// True if another thread of this launch did the access and no barrier separates it from the current thread's.
bool IsBeside(const Point& before) {
  if (before.launch != now.launch) return false;
  if (before.is_of_many_blocks || before.block != now.block) return true;
  return before.epoch == now.epoch && (before.is_of_many_threads || before.thread != now.thread);
}

// Merges `before` and the current point into one. Beyond a barrier only the blocks matter.
void Read(Point& before) {
  if (before.launch != now.launch) {
    before = now;
    return;
  }
  const bool many_blocks = before.is_of_many_blocks || before.block != now.block;
  const bool many_threads = before.epoch == now.epoch && (before.is_of_many_threads || before.thread != now.thread);
  before = now;
  before.is_of_many_blocks = many_blocks;
  before.is_of_many_threads = many_threads;
}

std::string Name(const Point& point) {
  if (point.is_of_many_blocks) return "threads of several blocks";
  const std::string block = " of block " + std::to_string(point.block);
  return (point.is_of_many_threads ? "several threads" : "thread " + std::to_string(point.thread)) + block;
}

// True if an address outside of all allocations is in the pages around one, and not a thread's own memory.
bool IsAround(std::uintptr_t address) {
  const auto next = regions.upper_bound(address);
  if (next != regions.end() && next->first - address <= next->second.before) return true;
  if (next == regions.begin()) return false;
  const auto& [start, region] = *std::prev(next);
  return address - start < region.bytes + region.behind;
}

}  // namespace

bool AreOn() {
  static const bool are_on = Knob("HOST_DRIVER_CHECKS", 0) != 0;
  return are_on;
}

void Allocated(std::uintptr_t address, std::size_t bytes, std::size_t before, std::size_t behind) {
  if (!AreOn()) return;
  const std::lock_guard lock(mutex);
  regions[address] = {.bytes = bytes, .before = before, .behind = behind};
}

void Freed(std::uintptr_t address) {
  if (!AreOn()) return;
  const std::lock_guard lock(mutex);
  regions.erase(address);
}

void Written(std::uintptr_t address, std::size_t bytes) {
  if (!AreOn()) return;
  const std::lock_guard lock(mutex);
  std::uintptr_t start = 0;
  if (Region* const region = RegionOf(address, start)) {
    for (std::size_t i = 0; i < bytes; ++i) region->shadow[address - start + i].is_written = true;
  }
}

void Copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  if (!AreOn()) return;
  const std::lock_guard lock(mutex);
  std::uintptr_t to_start = 0, from_start = 0;
  Region* const target = RegionOf(to, to_start);
  const Region* const source = RegionOf(from, from_start);
  if (target == nullptr || source == nullptr) return;
  for (std::size_t i = 0; i < bytes; ++i) {
    target->shadow[to - to_start + i].is_written = source->shadow[from - from_start + i].is_written;
  }
}

bool MayBeRead(std::uintptr_t address, std::size_t bytes) {
  if (!AreOn()) return true;
  const std::lock_guard lock(mutex);
  std::uintptr_t start = 0;
  const Region* const region = RegionOf(address, start);
  if (region == nullptr || address - start + bytes > region->bytes) return false;
  for (std::size_t i = 0; i < bytes; ++i) {
    if (region->shadow[address - start + i].is_written) continue;
    Find("byte " + std::to_string(address - start + i) + " of " + std::to_string(region->bytes) +
         " is read, and nobody has written it");
    return false;
  }
  return true;
}

void StartLaunch(std::uintptr_t shared, std::size_t shared_bytes) {
  has_finding = false;
  now = {.launch = ++launches};
  shared_at = shared;
  shared_size = shared_bytes;
}

void StartBlock(unsigned block) {
  if (!AreOn()) return;
  now.block = block;
  now.epoch = 0;
  const std::lock_guard lock(mutex);
  if (shared_size != 0) regions[shared_at] = {.bytes = shared_size, .is_shared = true};
}

void StartThread(unsigned thread) { now.thread = static_cast<std::uint16_t>(thread); }

void PassBarrier() { ++now.epoch; }

void Access(std::uintptr_t address, std::size_t bytes, bool writes) {
  if (!AreOn() || has_finding) return;
  const std::lock_guard lock(mutex);
  std::uintptr_t start = 0;
  Region* const region = RegionOf(address, start);
  const auto find = [&](const std::string& kind, const std::string& more) {
    std::string where = "beside an allocation";
    if (region != nullptr) {
      where = "at byte " + std::to_string(address - start) + " of " + std::to_string(region->bytes) +
              (region->is_shared ? " of shared memory" : "");
    }
    Find(kind + ": " + Name(now) + (writes ? " writes " : " reads ") + std::to_string(bytes) + " bytes " + where +
         more);
  };
  if (region == nullptr) {
    if (IsAround(address)) find("bounds", "");
    return;
  }
  const std::size_t first = address - start;
  if (first + bytes > region->bytes) return find("bounds", "");
  if (std::has_single_bit(bytes) && bytes <= 16 && address % bytes != 0) return find("alignment", "");
  for (std::size_t i = first; i < first + bytes; ++i) {
    Shadow& shadow = region->shadow[i];
    if (!writes && !shadow.is_written) return find("start", ", and nobody has written them");
    if (IsBeside(shadow.writer)) return find("race", ", which " + Name(shadow.writer) + " writes");
    if (writes && IsBeside(shadow.reader)) return find("race", ", which " + Name(shadow.reader) + " reads");
    if (writes) {
      shadow.writer = now;
      shadow.is_written = true;
    } else {
      Read(shadow.reader);
    }
  }
}

void Find(const std::string& finding) {
  if (!AreOn() || has_finding) return;
  has_finding = true;
  std::fprintf(stderr, "host driver: launch %u: %s\n", now.launch, finding.c_str());
  Log("finding", now.launch);
}

bool EndLaunch() {
  const std::lock_guard lock(mutex);
  if (shared_size != 0) regions.erase(shared_at);
  return !has_finding;
}

}  // namespace host_driver::checks
