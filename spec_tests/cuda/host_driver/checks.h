// What compute-sanitizer finds on a device, found in the stand-in: each access of a kernel is looked at.
//
//   bounds     an access outside the memory that was allocated, or of memory that was freed
//   alignment  an access whose address is not a multiple of its size
//   start      a read of bytes that nobody has written
//   race       two threads access a byte, one of them writes, and no barrier stands between them
//   barrier    the threads of a block wait at different barriers, or some have ended
//
// HOST_DRIVER_CHECKS=1 turns them on; else nothing is done here, and nothing is found. The kernels are compiled with
// -fsanitize=thread, whose calls for each access come here. A launch with a finding fails, and the finding goes to
// standard error and to HOST_DRIVER_LOG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace host_driver::checks {

bool AreOn();

// Device memory comes, goes and is copied. What is allocated anew is not written yet; the bytes before and behind it
// are nobody's, and may be accessed so that a finding does not end the process.
void Allocated(std::uintptr_t address, std::size_t bytes, std::size_t before, std::size_t behind);
void Freed(std::uintptr_t address);
void Written(std::uintptr_t address, std::size_t bytes);
void Copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);
// Whether all of it is inside one allocation and written, for what reads it as a whole.
bool MayBeRead(std::uintptr_t address, std::size_t bytes);

// A kernel runs; `shared` is the shared memory of a block, which is no longer what the block before left in it.
void StartLaunch(std::uintptr_t shared, std::size_t shared_bytes);
void StartBlock(unsigned block);
void StartThread(unsigned thread);
// All threads of the block have met.
void PassBarrier();
// What a thread of the kernel does. Addresses that are neither device memory nor shared are its own.
void Access(std::uintptr_t address, std::size_t bytes, bool writes);
void Find(const std::string& finding);
// Whether nothing was found.
bool EndLaunch();

}  // namespace host_driver::checks
