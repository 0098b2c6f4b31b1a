// Flows of control that take turns. Exactly one runs at a time, until it waits or ends; then the one that has been
// ready for longest runs. All run on one thread, so a deadlock is detected at once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "interpreter/evaluator/flow_stack.h"
#include "interpreter/types/result.h"

namespace assay {

class Flows {
 public:
  struct Flow;

  // `explain_deadlock` returns the error for a run in which all remaining flows wait.
  explicit Flows(std::function<Error()> explain_deadlock) : explain_deadlock_(std::move(explain_deadlock)) {}
  ~Flows();
  Flows(const Flows&) = delete;
  Flows& operator=(const Flows&) = delete;

  // Adds a flow that is ready to run `body`; an error of `body` ends the run. Called before Run, or by the running
  // flow.
  void Add(std::function<Status()> body);
  // Runs all flows to their ends. Returns the first error, if any.
  Status Run();

  // The following functions are for the running flow.
  Flow& current() { return *running_; }
  // Suspends this flow until another one calls Wake for it. Throws EvaluationError if the run ends first.
  void Wait();
  void Wake(Flow& flow);
  // Throws EvaluationError if another flow has failed.
  void Check() const;

 private:
  // Runs a flow, and then each flow that has the next turn and has not begun, on this stack. Returns the flow with the
  // next turn, which waits on another stack; null if all have ended.
  Flow* RunFrom(Flow* flow);
  // Suspends this stack, and goes on with a flow. Returns false if there is no stack for it.
  bool GoOnWith(Flow* flow);
  void Fail(Error error);
  // Passes the turn to the flow that has been ready for longest, and returns it. Returns null if all have ended.
  Flow* PassTurn();

  std::function<Error()> explain_deadlock_;
  std::vector<std::unique_ptr<Flow>> flows_;
  std::vector<Flow*> ready_;  // the one that has been ready for longest first
  std::vector<Flow*> waiting_;
  Flow* running_ = nullptr;
  std::optional<Error> error_;

  FlowStack own_stack_;             // of Run
  FlowStack* stack_ = &own_stack_;  // the one in use
  std::vector<FlowStack*> unused_;  // of stacks_
  std::vector<std::unique_ptr<FlowStack>> stacks_;
};

struct Flows::Flow {
  std::function<Status()> body;
  FlowStack* stack = nullptr;  // on which it waits
  bool has_ended = false;
};

}  // namespace assay
