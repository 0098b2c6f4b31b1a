#include "interpreter/evaluator/flows.h"

#include <algorithm>
#include <utility>

namespace assay {

Flows::~Flows() {
  for (const auto& flow : flows_) {
    if (flow->thread != nullptr) flow->thread->Leave();
  }
}

void Flows::Add(std::function<Status()> body) {
  // Reuses the threads of flows that have ended.
  while (flows_.size() > 1 && flows_.back()->has_ended) {
    if (flows_.back()->thread != nullptr) flows_.back()->thread->Leave();
    flows_.pop_back();
  }
  Flow& flow = *flows_.emplace_back(std::make_unique<Flow>());
  flow.body = std::move(body);
  ready_.push_back(&flow);
}

Status Flows::Run() {
  std::unique_lock lock(mutex_);
  Flow* const first = PassTurn();
  lock.unlock();
  RunFrom(first);
  lock.lock();
  all_ended_.wait(lock, [this] { return running_ == nullptr; });
  if (error_) return *error_;
  return {};
}

void Flows::RunFrom(Flow* flow) {
  std::unique_lock lock(mutex_);
  while (flow != nullptr) {
    if (!error_) {
      lock.unlock();
      Status status = flow->body();
      flow->body = nullptr;
      lock.lock();
      if (!status) Fail(std::move(status).error());
    }
    flow->has_ended = true;
    flow = PassTurn();
  }
}

void Flows::Wait() {
  std::unique_lock lock(mutex_);
  Flow& flow = *running_;
  waiting_.push_back(&flow);
  while (Flow* const next = PassTurn()) {
    next->thread = FlowThread::Start([this, next] { RunFrom(next); });
    if (next->thread != nullptr) break;
    Fail({ErrorCode::kLimit, "the system has no thread left for another device"});
    next->has_ended = true;
  }
  flow.turn.wait(lock, [&] { return running_ == &flow; });
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

Flows::Flow* Flows::PassTurn() {
  if (ready_.empty() && !waiting_.empty()) Fail(explain_deadlock_());
  running_ = nullptr;
  if (ready_.empty()) {
    all_ended_.notify_all();
    return nullptr;
  }
  running_ = ready_.front();
  ready_.erase(ready_.begin());
  if (!std::exchange(running_->has_begun, true)) return running_;
  running_->turn.notify_one();
  return nullptr;
}

}  // namespace assay
