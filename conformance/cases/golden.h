// Golden cases: plain HLO files whose `//!` comments hold arguments and expected results (docs/golden_format.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/golden_values.h"
#include "conformance/judging/compare.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

struct GoldenCase {
  std::string name;  // op/file/case
  std::string reason;
  int line = 0;
  std::string entry;  // the computation that is run; empty: the entry of the module
  // Those of device 0, then of device 1, and so on, where the module's header says that it runs on several.
  std::vector<Literal> arguments;
  std::vector<WantedLeaf> want;  // the leaves of the result, in order, device by device
  // The host's side: what it gives to infeed and recv, and what outfeed and send must give it; device by device.
  std::vector<Literal> infeed;
  std::vector<Literal> outfeed;
  std::string refused;  // not empty: the module is illegal, and this is what the error says; nothing is wanted

  bool has_host() const { return !infeed.empty() || !outfeed.empty(); }
};

struct GoldenFile {
  std::string path;
  std::string op;    // the folder's name
  std::string text;  // the module, directives included: they are comments
  std::string clause;
  std::string provenance;  // seed or derived
  std::string oracle;
  std::string tags;
  std::vector<GoldenCase> cases;
};

// Errors name file and, but for what the whole file lacks, line.
Result<GoldenFile> ParseGoldenFile(const std::string& path, const std::string& text);

// The module of a text, verified. Errors name file, line and column.
Result<std::unique_ptr<HloModule>> ParseModuleFile(const std::string& path, const std::string& text);

// The file's module, verified, with the named computation as its entry (empty: the entry that the text marks), and
// without the computations that this entry does not call.
Result<std::unique_ptr<HloModule>> ReadGoldenModule(const GoldenFile& file, const std::string& entry);

// The module of a case that must be refused, which the verifier does refuse, with the words of the case.
Result<std::unique_ptr<HloModule>> ReadRefusedModule(const GoldenFile& file, const GoldenCase& golden);

// The modules of a file's cases. The text is parsed and verified once, however many entries the cases run. The file
// outlives this, and one thread uses it.
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
  std::optional<Status> parsing_, verification_;  // once they were done
};

// Evaluates the root of a case by the reference; an error unless it is what the golden says. A case with a host is
// evaluated with `bodies`.
Result<InstructionValues> EvaluateGolden(const GoldenFile& file, const GoldenCase& golden, const HloModule& module,
                                         const EvaluationLimits& limits, const OpOverrides& bodies = {});

// Every *.hlo below the folder, sorted by path. kIo when there is none.
Result<std::vector<std::string>> FindGoldenFiles(const std::string& corpus);

}  // namespace assay
