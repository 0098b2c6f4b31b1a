#include "interpreter/evaluator/flows.h"

#include <algorithm>
#include <utility>

namespace assay {

Flows::~Flows() {
  if (std::unique_lock lock(mutex_); !flows_.empty() && !flows_.front()->has_ended) {
    // Run was never called: release the threads that wait for their first turn.
    Fail({ErrorCode::kLimit, "not run"});
    std::erase(ready_, flows_.front().get());
    PassTurn();
    all_ended_.wait(lock, [this] { return running_ == nullptr; });
  }
  for (const auto& flow : flows_) {
    if (flow->thread != nullptr) flow->thread->Leave();
  }
}

Flows::Flow& Flows::Add(std::function<Status()> body) {
  // Reuses the threads of flows that have ended.
  while (flows_.size() > 1 && flows_.back()->has_ended) {
    if (flows_.back()->thread != nullptr) flows_.back()->thread->Leave();
    flows_.pop_back();
  }
  Flow& flow = *flows_.emplace_back(std::make_unique<Flow>());
  flow.flows = this;
  flow.body = std::move(body);
  ready_.push_back(&flow);
  if (flows_.size() == 1) return flow;
  flow.thread = FlowThread::Start([this, &flow] { RunBody(flow); });
  if (flow.thread == nullptr) {
    ready_.pop_back();
    flows_.pop_back();
    throw EvaluationError{{ErrorCode::kLimit, "the system has no thread left for another device"}};
  }
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
