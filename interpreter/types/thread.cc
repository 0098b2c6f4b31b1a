#include "interpreter/types/thread.h"

#include <memory>
#include <utility>

namespace assay {
namespace {

using Work = std::function<void()>;

void* Run(void* work) {
  const std::unique_ptr<Work> own(static_cast<Work*>(work));
  (*own)();
  return nullptr;
}

bool StartThread(Work work, int detach_state, pthread_t& thread) {
  auto own = std::make_unique<Work>(std::move(work));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kThreadStackBytes);
  pthread_attr_setdetachstate(&attributes, detach_state);
  const int failed = pthread_create(&thread, &attributes, Run, own.get());
  pthread_attr_destroy(&attributes);
  if (failed != 0) return false;
  static_cast<void>(own.release());  // the thread owns it now
  return true;
}

}  // namespace

bool StartDetachedThread(Work work) {
  pthread_t thread;
  return StartThread(std::move(work), PTHREAD_CREATE_DETACHED, thread);
}

JoinedThreads::~JoinedThreads() {
  for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
}

bool JoinedThreads::Start(Work work) {
  pthread_t thread;
  if (!StartThread(std::move(work), PTHREAD_CREATE_JOINABLE, thread)) return false;
  threads_.push_back(thread);
  return true;
}

}  // namespace assay
