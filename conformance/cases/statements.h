// The numbered statements of the specification, and what pins each: cases, texts of legality rules, tests
// (docs/specification.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/types/result.h"

namespace assay {

// Patterns over the names of cases. Each case that fits must contain the words of `has`.
struct CasePin {
  std::vector<std::string> patterns = {};
  std::vector<std::string> has = {};
  std::vector<std::string> found = {};  // the names of the cases that fit, sorted
};

// A text or a test, which is not part of the corpus: spec_tests/legality/FILE, or spec_tests/FILE.
struct NamedPin {
  std::string file = {};
  std::string name = {};  // the beginning of the rule's message, or the name of the test
};

struct Statement {
  std::string id = {};    // page/section/number: "operation_semantics/reduce-window/7"
  std::string kind = {};  // argument, constraint, ...: a word of kStatementKinds
  std::string text = {};
  std::vector<CasePin> cases = {};
  std::vector<NamedPin> legality = {};
  std::vector<NamedPin> tests = {};
  std::vector<std::string> mutants = {};  // faults that break the statement: its cases detect each
  std::string none = {};                  // the reason why nothing pins it; else empty

  bool IsPinned() const { return !cases.empty() || !legality.empty() || !tests.empty(); }
};

// A heading of a page, with its statements.
struct StatementSection {
  std::string page = {};
  std::string name = {};  // "reduce-window"
  std::string heading = {};
  std::vector<std::string> names = {};  // other names for it: functions of XlaBuilder, enumerators
  std::vector<std::string> ops = {};    // the operations that it is about
  std::string file = {};
  std::vector<Statement> statements = {};

  std::string id() const { return page + "/" + name; }
};

// A reason why a statement needs no case.
struct StatementReason {
  std::string name = {};
  std::string text = {};
};

struct Specification {
  std::vector<StatementSection> sections = {};  // by file, in the order of each file
  std::vector<StatementReason> reasons = {};
};

// The words for the kind of a statement.
inline constexpr std::string_view kStatementKinds[] = {"argument", "constraint", "default", "result", "meaning",
                                                       "example",  "freedom",    "purpose", "added"};

// Reads the statements of `corpus`/specification and finds their cases. Errors name file and line: kParse for a file
// that is malformed, kIo for one that cannot be read, kInput for a pattern that no case fits.
Result<Specification> ReadSpecification(const std::string& corpus);

}  // namespace assay
