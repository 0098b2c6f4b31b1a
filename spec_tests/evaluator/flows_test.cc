#include "interpreter/evaluator/flows.h"

#include <string>
#include <thread>
#include <vector>

#include "spec_tests/catch.h"

namespace assay {
namespace {

Error Deadlock() { return {ErrorCode::kInput, "deadlock"}; }

TEST_CASE("Flows take turns in the order in which they became ready") {
  Flows flows(Deadlock);
  std::string trace;
  std::vector<Flows::Flow*> waiting;
  for (const char name : {'a', 'b', 'c'}) {
    flows.Add([&, name]() -> Status {
      trace += name;
      waiting.push_back(&flows.current());
      if (waiting.size() == 3) {
        for (Flows::Flow* flow : {waiting[1], waiting[0]}) flows.Wake(*flow);
      } else {
        flows.Wait();
      }
      trace += static_cast<char>(name - 'a' + 'A');
      return {};
    });
  }
  CHECK(flows.Run());
  CHECK(trace == "abcCBA");
}

TEST_CASE("An error of a flow ends the waits of all others, and no other flow begins") {
  Flows flows(Deadlock);
  std::string trace;
  for (int i = 0; i < 3; ++i) {
    flows.Add([&]() -> Status {
      trace += 'w';
      try {
        flows.Wait();
      } catch (const EvaluationError& error) {
        trace += 'e';
        return error.error;
      }
      return {};
    });
  }
  flows.Add([&]() -> Status { return Error{ErrorCode::kInput, "broken"}; });
  flows.Add([&]() -> Status {
    trace += 'n';
    return {};
  });
  const Status status = flows.Run();
  REQUIRE_FALSE(status);
  CHECK(status.error().message == "broken");
  CHECK(trace == "wwweee");
}

TEST_CASE("Flows that all wait are a deadlock") {
  Flows flows(Deadlock);
  for (int i = 0; i < 2; ++i) {
    flows.Add([&]() -> Status {
      try {
        flows.Wait();
      } catch (const EvaluationError& error) {
        return error.error;
      }
      return {};
    });
  }
  const Status status = flows.Run();
  REQUIRE_FALSE(status);
  CHECK(status.error().message == "deadlock");
}

// Nests calls that take 12 MiB of stack.
int Nested(int depth) {
  volatile char frame[1024];
  frame[depth % 1024] = static_cast<char>(depth);
  return depth == 0 ? 0 : Nested(depth - 1) + (frame[depth % 1024] == static_cast<char>(depth) ? 1 : 0);
}

TEST_CASE("A flow has the stack of a thread, also one that began when another one waited") {
  int nested = 0;
  std::thread([&] {
    for (int run = 0; run < 3; ++run) {  // later runs take the stacks that earlier ones left
      Flows flows(Deadlock);
      Flows::Flow* first = nullptr;
      flows.Add([&]() -> Status {
        first = &flows.current();
        flows.Wait();
        return {};
      });
      flows.Add([&]() -> Status {
        nested += Nested(8000);
        flows.Wake(*first);
        return {};
      });
      if (!flows.Run()) nested = -1;
    }
  }).join();
  CHECK(nested == 3 * 8000);
}

TEST_CASE("A flow starts others and waits for each, more often than there are stacks") {
  Flows flows(Deadlock);
  int ended = 0;
  flows.Add([&]() -> Status {
    Flows::Flow& starter = flows.current();
    for (int i = 0; i < 1000; ++i) {
      flows.Add([&]() -> Status {
        Flows::Flow& own = flows.current();
        flows.Add([&]() -> Status {
          flows.Wake(own);
          return {};
        });
        flows.Wait();
        ++ended;
        flows.Wake(starter);
        return {};
      });
      flows.Wait();
    }
    return {};
  });
  CHECK(flows.Run());
  CHECK(ended == 1000);
}

TEST_CASE("Hundreds of flows wait at the same time") {
  Flows flows(Deadlock);
  std::vector<Flows::Flow*> waiting;
  int ended = 0;
  for (int i = 0; i < 300; ++i) {
    flows.Add([&]() -> Status {
      waiting.push_back(&flows.current());
      if (waiting.size() < 300) {
        flows.Wait();
      } else {
        for (Flows::Flow* flow : waiting) flows.Wake(*flow);
      }
      ++ended;
      return {};
    });
  }
  CHECK(flows.Run());
  CHECK(ended == 300);
}

}  // namespace
}  // namespace assay
