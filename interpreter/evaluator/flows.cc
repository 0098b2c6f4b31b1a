#include "interpreter/evaluator/flows.h"

#include <algorithm>
#include <utility>

#include "interpreter/types/parallel.h"

namespace assay {
namespace {

// Of each flow's thread: as much as the main thread usually has, for calls that nest as deep.
constexpr std::size_t kStackBytes = std::size_t{16} << 20;

}  // namespace

Flows::~Flows() {
  if (std::unique_lock lock(mutex_); !flows_.empty() && !flows_.front()->has_ended) {
    // Never run: the threads that wait for their first turn go home.
    Fail({ErrorCode::kLimit, "not run"});
    std::erase(ready_, flows_.front().get());
    PassTurn();
    all_ended_.wait(lock, [this] { return running_ == nullptr; });
  }
  for (const auto& flow : flows_) {
    if (flow->thread) pthread_join(*flow->thread, nullptr);
  }
}

Flows::Flow& Flows::Add(std::function<Status()> body) {
  // Threads of flows that have ended give their stacks back.
  while (!flows_.empty() && flows_.size() > 1 && flows_.back()->has_ended) {
    if (flows_.back()->thread) pthread_join(*flows_.back()->thread, nullptr);
    flows_.pop_back();
  }
  Flow& flow = *flows_.emplace_back(std::make_unique<Flow>());
  flow.flows = this;
  flow.body = std::move(body);
  ready_.push_back(&flow);
  if (flows_.size() == 1) return flow;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  const int failed = pthread_create(&thread, &attributes, RunThread, &flow);
  pthread_attr_destroy(&attributes);
  if (failed != 0) {
    ready_.pop_back();
    flows_.pop_back();
    throw EvaluationError{{ErrorCode::kLimit, "the system has no thread left for another device"}};
  }
  flow.thread = thread;
  return flow;
}

Status Flows::Run() {
  if (flows_.empty()) return {};
  {
    const std::lock_guard lock(mutex_);
    PassTurn();
  }
  RunBody(*flows_.front());
  std::unique_lock lock(mutex_);
  all_ended_.wait(lock, [this] { return running_ == nullptr; });
  if (error_) return *error_;
  return {};
}

void* Flows::RunThread(void* flow) {
  const DefaultFloatEnvironment environment;
  static_cast<Flow*>(flow)->flows->RunBody(*static_cast<Flow*>(flow));
  return nullptr;
}

void Flows::RunBody(Flow& flow) {
  std::unique_lock lock(mutex_);
  AwaitTurn(flow, lock);
  if (!error_) {
    lock.unlock();
    Status status = flow.body();
    flow.body = nullptr;
    lock.lock();
    if (!status) Fail(std::move(status).error());
  }
  flow.has_ended = true;
  PassTurn();
}

void Flows::Wait() {
  std::unique_lock lock(mutex_);
  Flow& flow = *running_;
  waiting_.push_back(&flow);
  PassTurn();
  AwaitTurn(flow, lock);
  if (error_) throw EvaluationError{*error_};
}

void Flows::Wake(Flow& flow) {
  const auto found = std::ranges::find(waiting_, &flow);
  if (found == waiting_.end()) return;
  waiting_.erase(found);
  ready_.push_back(&flow);
}

void Flows::Check() const {
  if (error_) throw EvaluationError{*error_};
}

void Flows::Fail(Error error) {
  if (!error_) error_ = std::move(error);
  ready_.insert(ready_.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
}

void Flows::PassTurn() {
  if (ready_.empty() && !waiting_.empty()) Fail(explain_deadlock_());
  running_ = nullptr;
  if (ready_.empty()) {
    all_ended_.notify_all();
    return;
  }
  running_ = ready_.front();
  ready_.pop_front();
  running_->turn.notify_one();
}

void Flows::AwaitTurn(Flow& flow, std::unique_lock<std::mutex>& lock) {
  flow.turn.wait(lock, [&] { return running_ == &flow; });
}

}  // namespace assay
