// The threads of a block as coroutines, so that they can wait at barriers.
#pragma once

#include <functional>

namespace host_driver {

// Runs `body` for each thread. Between two barriers the threads run one after another; `resume` is called before each
// one continues. Returns false if they wait at different barriers, or if some have ended and others wait.
bool RunFibers(unsigned threads, const std::function<void(unsigned)>& body, void (*resume)(unsigned));

// Waits for the other threads of the block. `line` is a line of the kernel, or minus a line to wait for the warp only.
void Barrier(int line);

}  // namespace host_driver
