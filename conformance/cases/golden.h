// Golden cases: HLO and StableHLO files whose `//!` comments hold arguments and expected results
// (docs/golden_format.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/golden_expansion.h"
#include "conformance/cases/golden_values.h"
#include "conformance/judging/instruction_values.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

struct GoldenCase {
  std::string name;  // op/file/case
  std::string reason;
  int line = 0;
  std::string entry;  // the computation to run; empty: the module's entry
  // The arguments of device 0, then of device 1, and so on, if the module's header says that it runs on several
  // devices.
  std::vector<Literal> arguments;
  std::vector<WantedLeaf> want;  // the leaves of the result, in order, device by device
  // The host's side, device by device: the values that it sends to infeed and recv, and those that it must receive from
  // outfeed and send.
  std::vector<Literal> infeed;
  std::vector<Literal> outfeed;
  // Not empty: the module is illegal, and the error must contain this text. The case has no results.
  std::string refused;
  // The name of a legal case of the corpus whose module resembles the refused one. A refusal proves something only for
  // a backend that runs this case.
  std::string neighbour;

  bool has_host() const { return !infeed.empty() || !outfeed.empty(); }
};

struct GoldenFile {
  std::string path;
  std::string op;         // the folder's name
  ExpandedText expanded;  // the module, directives included: they are comments
  std::string clause;
  std::string provenance;  // seed or derived
  std::string oracle;
  std::string tags;
  std::vector<GoldenCase> cases;
};

// Errors name the file. They name the line too, unless the file as a whole lacks a directive. A file that lacks
// `clause`, `provenance` or `oracle` says what most files do: the page of its op, derived, by exact arithmetic and
// XLA:CPU.
Result<GoldenFile> ParseGoldenFile(const std::string& path, const std::string& text);
Result<GoldenFile> ReadGoldenFile(const std::string& path);

// Return the error with the path, and with the line and the column of its location, in the message. In a golden file
// the location is one in the expanded text.
Error InFile(const std::string& path, const Error& error);
Error InFile(const GoldenFile& file, const Error& error);

// Parses and verifies a module. Errors name file, line and column.
Result<std::unique_ptr<HloModule>> ParseModuleFile(const std::string& path, const std::string& text);

// Returns the file's module, verified, with the named computation as its entry, and without the computations that this
// entry does not call. An empty name means the text's own ENTRY.
Result<std::unique_ptr<HloModule>> ReadGoldenModule(const GoldenFile& file, const std::string& entry);

// Returns the module of a case that must be refused. Fails unless the verifier refuses it with the words of the case.
Result<std::unique_ptr<HloModule>> ReadRefusedModule(const GoldenFile& file, const GoldenCase& golden);

// The modules of a file's cases. The text is parsed and verified once, for any number of entries. The file must outlive
// this object. Not thread-safe.
class GoldenModules {
 public:
  explicit GoldenModules(const GoldenFile& file) : file_(file) {}

  // As ReadGoldenModule.
  Result<std::unique_ptr<HloModule>> WithEntry(const std::string& entry);
  // As ReadRefusedModule.
  Result<std::unique_ptr<HloModule>> Refused(const GoldenCase& golden);

 private:
  Status Parse();
  Status Verify();

  const GoldenFile& file_;
  std::unique_ptr<HloModule> parsed_;
  std::optional<Status> parsing_, verification_;  // set when done
};

// Evaluates the root of a case with the reference. Fails if the result differs from the golden. `bodies` are used for a
// case with a host.
Result<InstructionValues> EvaluateGolden(const GoldenFile& file, const GoldenCase& golden, const HloModule& module,
                                         const EvaluationLimits& limits, const OpOverrides& bodies = {});

// True if a golden of this path holds a StableHLO program, which begins at its function @main: *.mlir.
bool IsStableHlo(std::string_view path);

// Returns every *.hlo and *.mlir file below the folder, sorted by path; kIo if there is none.
Result<std::vector<std::string>> FindGoldenFiles(const std::string& corpus);

struct NamedCase {
  GoldenFile file;
  GoldenCase golden;

  // "exponential/f32/limits (golden/exponential/f32.hlo:22): why"
  std::string Title() const;
};

// Fails with kUsage if no file below the corpus has the case; the message suggests similar names. Fails with kInput for
// a case whose module must be refused: it has no values.
Result<NamedCase> FindCase(const std::string& corpus, const std::string& name);

// Returns the legal neighbour of a case that must be refused, from the corpus of the case's file. Fails with kInput if
// that corpus has no such legal case without a host.
Result<NamedCase> FindNeighbour(const GoldenFile& file, const GoldenCase& refused);

}  // namespace assay
