// Flows of control that take turns: exactly one runs at a time, until it waits or ends, then the one that has been
// ready for longest. So what happens does not depend on threads and their timing, and that nobody can go on is seen at
// once.
#pragma once

#include <condition_variable>
#include <deque>
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

  // `explain_deadlock` is asked for the error when flows are left and all of them wait.
  explicit Flows(std::function<Error()> explain_deadlock) : explain_deadlock_(std::move(explain_deadlock)) {}
  ~Flows();
  Flows(const Flows&) = delete;
  Flows& operator=(const Flows&) = delete;

  // A flow that is ready to run `body`, whose error ends the run. Before Run, or by the flow that runs.
  Flow& Add(std::function<Status()> body);
  // Runs all flows to their ends, the first one on the calling thread. The first error, if there is one.
  Status Run();

  // The following are for the flow that runs.
  Flow& current() { return *running_; }
  // Lets others run until one has called Wake. Throws EvaluationError when the run ends first.
  void Wait();
  void Wake(Flow& flow);
  // Throws EvaluationError when another flow has failed.
  void Check() const;

 private:
  void RunBody(Flow& flow);
  void Fail(Error error);
  // Gives the turn to the flow that has been ready for longest.
  void PassTurn();
  void AwaitTurn(Flow& flow, std::unique_lock<std::mutex>& lock);

  std::function<Error()> explain_deadlock_;
  std::mutex mutex_;  // of the turn; what flows share is touched by the one that has the turn
  std::condition_variable all_ended_;
  std::deque<std::unique_ptr<Flow>> flows_;
  std::deque<Flow*> ready_;
  std::vector<Flow*> waiting_;
  Flow* running_ = nullptr;
  std::optional<Error> error_;
};

struct Flows::Flow {
  Flows* flows = nullptr;
  std::function<Status()> body;
  std::condition_variable turn;
  FlowThread* thread = nullptr;  // the first one has none
  bool has_ended = false;
};

}  // namespace assay
