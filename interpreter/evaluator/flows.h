// Flows of control that take turns. Exactly one runs at a time, until it waits or ends; then the one that has been
// ready for longest runs. So the result does not depend on the timing of threads, and a deadlock is detected at once.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "interpreter/evaluator/flow_thread.h"
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
  // Runs all flows to their ends, on the calling thread as far as none of them waits. Returns the first error, if any.
  Status Run();

  // The following functions are for the running flow.
  Flow& current() { return *running_; }
  // Suspends this flow until another one calls Wake for it. Throws EvaluationError if the run ends first.
  void Wait();
  void Wake(Flow& flow);
  // Throws EvaluationError if another flow has failed.
  void Check() const;

 private:
  // Runs a flow that has the turn, and then each flow that has the turn next and has not begun: a thread that goes on
  // is cheaper than one that is woken.
  void RunFrom(Flow* flow);
  void Fail(Error error);
  // Passes the turn to the flow that has been ready for longest. Returns this flow if it has not begun: the caller runs
  // it. Otherwise returns null.
  Flow* PassTurn();

  std::function<Error()> explain_deadlock_;
  std::mutex mutex_;  // guards the turn; only the flow that has the turn uses shared state
  std::condition_variable all_ended_;
  std::vector<std::unique_ptr<Flow>> flows_;
  std::vector<Flow*> ready_;  // the one that has been ready for longest first
  std::vector<Flow*> waiting_;
  Flow* running_ = nullptr;
  std::optional<Error> error_;
};

struct Flows::Flow {
  std::function<Status()> body;
  std::condition_variable turn;
  FlowThread* thread = nullptr;  // that began with this flow; null if another flow or Run had it before
  bool has_begun = false, has_ended = false;
};

}  // namespace assay
