#include "conformance/diagnosis/blame.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "interpreter/acceptance/judge.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"

namespace assay {
namespace {

using Passes = std::vector<std::string>;

Passes Joined(const Passes& a, const Passes& b) {
  Passes both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

class Blamer {
 public:
  Blamer(const TryOptions& try_options, Blame& blame) : try_options_(try_options), blame_(blame) {}

  // Caches the result of a set: a set that hangs costs the whole time limit.
  WithOptions Without(const Passes& passes) {
    const auto [known, is_new] = known_.try_emplace(std::set<std::string>(passes.begin(), passes.end()));
    if (is_new) {
      ++blame_.tries;
      known->second = try_options_({passes, {}});
    }
    return known->second;
  }

  // Finds the first pass whose omission alone makes the module right.
  bool FindOne(const Passes& passes) {
    const auto one =
        std::ranges::find_if(passes, [&](const auto& pass) { return Without({pass}) == WithOptions::kRight; });
    if (one == passes.end()) return false;
    blame_.passes = {*one};
    return true;
  }

  // Finds a minimal set of passes whose joint omission makes the module right.
  bool FindSome(const Passes& passes) {
    left_out_.clear();
    LeaveOut(passes);
    if (left_out_.empty() || Without(left_out_) != WithOptions::kRight) return false;
    PutBack();
    blame_.passes = left_out_;
    return true;
  }

  // Retries without one pass of the set: without some passes a compiler does not reject the module, but is wrong in the
  // same way.
  bool FindSomeButOne() {
    for (const std::string& needed : Passes(left_out_)) {
      const Passes rest = Except(left_out_, needed);
      if (rest.empty() || Without(rest) != WithOptions::kRight) continue;
      blame_.needed.push_back(needed);
      return FindSome(rest);
    }
    return false;
  }

 private:
  static Passes Except(const Passes& passes, const std::string& one) {
    Passes rest = passes;
    std::erase(rest, one);
    return rest;
  }

  // Adds as many of the passes as possible to the omitted ones: halves the list until the compiler accepts the omission
  // of each part together with the others, or the part is a single pass that it needs.
  void LeaveOut(const Passes& passes) {
    if (passes.empty() || Without(Joined(left_out_, passes)) != WithOptions::kRefused) {
      left_out_ = Joined(left_out_, passes);
    } else if (passes.size() == 1) {
      blame_.needed.push_back(passes[0]);
    } else {
      const auto middle = passes.begin() + std::ssize(passes) / 2;
      LeaveOut({passes.begin(), middle});
      LeaveOut({middle, passes.end()});
    }
  }

  // Puts passes back, in halves, quarters and so on, as long as the module stays right.
  void PutBack() {
    for (std::size_t chunk = (left_out_.size() + 1) / 2; chunk > 0 && left_out_.size() > 1;
         chunk = chunk == 1 ? 0 : (chunk + 1) / 2) {
      for (std::size_t begin = 0; begin < left_out_.size() && left_out_.size() > 1;) {
        Passes rest(left_out_.begin(), left_out_.begin() + static_cast<std::ptrdiff_t>(begin));
        const std::size_t end = std::min(begin + chunk, left_out_.size());
        rest.insert(rest.end(), left_out_.begin() + static_cast<std::ptrdiff_t>(end), left_out_.end());
        if (!rest.empty() && Without(rest) == WithOptions::kRight) {
          left_out_ = std::move(rest);
        } else {
          begin = end;
        }
      }
    }
  }

  const TryOptions& try_options_;
  Blame& blame_;
  Passes left_out_;
  std::map<std::set<std::string>, WithOptions> known_;
};

// Returns the value of a compiler's text on the entry's arguments; nothing if it cannot be evaluated.
std::optional<Literal> ValueOf(const std::string& text, const Subject& subject, const EvaluationLimits& limits) {
  Result<std::unique_ptr<HloModule>> module = ParseHloModule(text);
  if (!module) return std::nullopt;
  (*module)->replica_count = subject.module->replica_count;
  (*module)->num_partitions = subject.module->num_partitions;
  if (!VerifyHloModule(**module)) return std::nullopt;
  EvaluationOptions options;
  options.limits = limits;
  Result<Literal> value = EvaluateTogether(**module, subject.arguments, options);
  return value ? std::optional(*std::move(value)) : std::nullopt;
}

// Returns the lines of instructions without annotations, which compute nothing.
std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line); lines.push_back(line)) {
    for (const std::string_view aside : {", frontend_attributes={", ", metadata={", ", backend_config={"}) {
      line.resize(std::min(line.find(aside), line.size()));
    }
  }
  return lines;
}

}  // namespace

TryOptions TryOn(Backend& backend, const Subject& subject, const CompareOptions& compare, const Failure& first) {
  return [&backend, &subject, compare, first](const CompilerOptions& options) {
    backend.SetOptions(options);
    const Result<Failure> failure = FindFailure(backend, *subject.module, subject.arguments, compare);
    backend.SetOptions({});
    if (!failure) return WithOptions::kRefused;
    if (failure->IsLike(first)) return WithOptions::kFails;
    return failure->verdict <= Verdict::kSpecGap ? WithOptions::kRight : WithOptions::kRefused;
  };
}

ChangesValue ChangesValueOf(const CompilerTrace& trace, const Subject& subject, const EvaluationLimits& limits) {
  return [&trace, &subject, limits](const std::string& pass) {
    return FindRun(trace, pass, subject, limits).value == BlamedRun::Value::kOther;
  };
}

Blame FindBlame(const CompilerTrace& trace, const TryOptions& try_options, const ChangesValue& changes_value) {
  Blame blame;
  Passes names, changing;
  for (const PassRun& run : trace.passes) {
    if (std::ranges::count(names, run.name) > 0) continue;
    names.push_back(run.name);
    if (changes_value(run.name)) changing.push_back(run.name);
  }
  Blamer blamer(try_options, blame);
  if (blamer.FindOne(changing) || blamer.FindSome(names) || blamer.FindOne(names) || blamer.FindSomeButOne()) {
    return blame;
  }
  for (const CompilerSetting& setting : trace.settings) {
    ++blame.tries;
    if (try_options({{}, {setting}}) != WithOptions::kRight) continue;
    blame.setting = setting;
    return blame;
  }
  if (!changing.empty()) blame.changing = changing[0];
  return blame;
}

BlamedRun FindRun(const CompilerTrace& trace, const std::string& pass, const Subject& subject,
                  const EvaluationLimits& limits) {
  BlamedRun first;
  for (const PassRun& run : trace.passes) {
    if (run.name != pass) continue;
    const std::optional<Literal> before = ValueOf(run.before, subject, limits);
    const std::optional<Literal> after = ValueOf(run.after, subject, limits);
    BlamedRun here = {&run, BlamedRun::Value::kUnknown};
    if (before && after) {
      const bool is_same = CompareExactly(*before, *after).verdict == Verdict::kExact;
      here.value = is_same ? BlamedRun::Value::kSame : BlamedRun::Value::kOther;
    }
    if (here.value == BlamedRun::Value::kOther) return here;
    if (first.run == nullptr) first = here;
  }
  return first;
}

std::vector<std::string> DifferentLines(const std::string& before, const std::string& after) {
  const std::vector<std::string> old = LinesOf(before), now = LinesOf(after);
  // The length of the longest common subsequence of the remaining lines of both.
  std::vector<std::vector<int>> common(old.size() + 1, std::vector<int>(now.size() + 1, 0));
  for (std::size_t i = old.size(); i-- > 0;) {
    for (std::size_t j = now.size(); j-- > 0;) {
      common[i][j] = old[i] == now[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::vector<std::string> lines;
  for (std::size_t i = 0, j = 0; i < old.size() || j < now.size();) {
    if (i < old.size() && j < now.size() && old[i] == now[j]) {
      ++i, ++j;
    } else if (i < old.size() && (j == now.size() || common[i + 1][j] >= common[i][j + 1])) {
      lines.push_back("- " + old[i++]);
    } else {
      lines.push_back("+ " + now[j++]);
    }
  }
  return lines;
}

}  // namespace assay
