// The threads of a block as flows of control that take turns, so that they can meet at barriers.
#pragma once

#include <functional>

namespace host_driver {

// Runs `body` for each thread. Between two barriers each runs by itself, in their order; `resume` is told before one
// goes on. False when they wait at different barriers, or some have ended and others wait.
bool RunFibers(unsigned threads, const std::function<void(unsigned)>& body, void (*resume)(unsigned));

// Where the running thread waits for the others of its block: a line of the kernel, or minus a line where it waits for
// those of its warp.
void Barrier(int line);

}  // namespace host_driver
