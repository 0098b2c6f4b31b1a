#include "interpreter/evaluator/flows.h"

#include <algorithm>
#include <utility>

namespace assay {

Flows::~Flows() {
  for (auto& stack : stacks_) FlowStack::Leave(std::move(stack));
}

void Flows::Add(std::function<Status()> body) {
  while (flows_.size() > 1 && flows_.back()->has_ended) flows_.pop_back();
  Flow& flow = *flows_.emplace_back(std::make_unique<Flow>());
  flow.body = std::move(body);
  ready_.push_back(&flow);
}

Status Flows::Run() {
  Flow* const waiting = RunFrom(PassTurn());
  if (waiting != nullptr) GoOnWith(waiting);
  if (error_) return *error_;
  return {};
}

Flows::Flow* Flows::RunFrom(Flow* flow) {
  for (; flow != nullptr && flow->stack == nullptr; flow = PassTurn()) {
    if (!error_) {
      Status status = flow->body();
      flow->body = nullptr;
      if (!status) Fail(std::move(status).error());
    }
    flow->has_ended = true;
  }
  return flow;
}

bool Flows::GoOnWith(Flow* flow) {
  FlowStack& here = *stack_;
  if (flow->stack != nullptr) {
    here.SwitchTo(*flow->stack);
  } else {
    if (unused_.empty()) {
      std::unique_ptr<FlowStack> made = FlowStack::Take();
      if (made == nullptr) return false;
      unused_.push_back(stacks_.emplace_back(std::move(made)).get());
    }
    FlowStack& next = *unused_.back();
    unused_.pop_back();
    here.Start(next, [this, flow, &next]() -> FlowStack& {
      stack_ = &next;
      Flow* const waiting = RunFrom(flow);
      unused_.push_back(&next);
      return waiting == nullptr ? own_stack_ : *waiting->stack;
    });
  }
  stack_ = &here;
  return true;
}

void Flows::Wait() {
  Flow& flow = *running_;
  flow.stack = stack_;
  waiting_.push_back(&flow);
  Flow* next = PassTurn();
  while (next != &flow && !GoOnWith(next)) {
    Fail({ErrorCode::kLimit, "the system has no memory left for the stack of another device"});
    next->has_ended = true;
    next = PassTurn();
  }
  flow.stack = nullptr;
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
  if (ready_.empty()) return nullptr;
  running_ = ready_.front();
  ready_.erase(ready_.begin());
  return running_;
}

}  // namespace assay
