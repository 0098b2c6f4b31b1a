// The checks of compute-sanitizer, made by the stand-in of the driver on each access of a kernel:
//
//   bounds     an access outside the allocated memory, or to freed memory
//   alignment  an access whose address is not a multiple of its size
//   start      a read of bytes that were not written
//   race       two threads access a byte, one of them writes, and no barrier separates them
//   barrier    the threads of a block wait at different barriers, or some have ended
//
// HOST_DRIVER_CHECKS=1 enables them; otherwise nothing is checked or found. The kernels are compiled with
// -fsanitize=thread, whose calls for each access come here. A launch with a finding fails, and the finding is written
// to standard error and to HOST_DRIVER_LOG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace host_driver::checks {

bool AreOn();

// Records allocations, releases and copies of device memory. New memory counts as not written. The bytes before and
// after it belong to no allocation, but are accessible, so that a finding does not end the process.
void Allocated(std::uintptr_t address, std::size_t bytes, std::size_t before, std::size_t behind);
void Freed(std::uintptr_t address);
void Written(std::uintptr_t address, std::size_t bytes);
void Copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);
// True if all of the range is inside one allocation and written. For functions that read it as a whole.
bool MayBeRead(std::uintptr_t address, std::size_t bytes);

// Starts a launch. `shared` is the shared memory of a block; its contents from the previous block are invalid.
void StartLaunch(std::uintptr_t shared, std::size_t shared_bytes);
void StartBlock(unsigned block);
void StartThread(unsigned thread);
// All threads of the block are at the barrier.
void PassBarrier();
// Checks an access of a kernel's thread. Addresses outside of device and shared memory are the thread's own.
void Access(std::uintptr_t address, std::size_t bytes, bool writes);
void Find(const std::string& finding);
// Ends a launch. Returns true if nothing was found.
bool EndLaunch();

}  // namespace host_driver::checks
