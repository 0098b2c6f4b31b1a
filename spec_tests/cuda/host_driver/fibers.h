// The threads of a block as flows of control that take turns, so that they can meet at barriers.
#pragma once

#include <functional>

namespace host_driver {

// Runs `body` for each thread. Between two barriers each runs by itself, in their order; `resume` is told before one
// goes on. False when some ended while others were waiting at a barrier.
bool RunFibers(unsigned threads, const std::function<void(unsigned)>& body, void (*resume)(unsigned));

// Where the running thread waits for the others of its block.
void Barrier();

}  // namespace host_driver
