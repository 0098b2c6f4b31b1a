#include "conformance/reports/repro_py.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "backends/json/json_text.h"
#include "conformance/reports/repro_texts.h"

namespace assay {
namespace {

struct Mark {
  std::string_view name;
  std::string value;
};

// Replaces the marks in a text by their values. The values are not searched for marks.
std::string Filled(std::string_view text, const std::vector<Mark>& marks) {
  std::string filled;
  for (std::size_t at = 0; at < text.size();) {
    const auto mark =
        std::ranges::find_if(marks, [&](const Mark& one) { return text.substr(at).starts_with(one.name); });
    if (mark == marks.end()) {
      filled += text[at++];
    } else {
      filled += mark->value;
      at += mark->name.size();
    }
  }
  return filled;
}

}  // namespace

std::optional<std::string> ReproScript(const BackendProgram& program, const BackendDescription& backend,
                                       const ReproSubject& subject, const ReproFinding& finding, bool has_parameters) {
  if (program.is_xla_cpu && has_parameters) return std::nullopt;
  // A failure without a result has nothing to compare.
  const std::string check =
      finding.got ? fmt::format("{}\nsys.exit(repeat(run, runs))", kReproCompare)
                  : fmt::format("\n\nprint(run())  # the result was: {}", VerdictName(finding.judgement.verdict));
  // Names and commands are inserted as JSON texts, which are also Python string literals without line breaks.
  return Filled(program.is_xla_cpu ? kReproByJaxlib : kReproByPeer,
                {{"@BACKEND@", JsonText(fmt::format("{} {}", backend.name, backend.version))},
                 {"@COMMAND@", JsonText(program.command)},
                 {"@FOLDER@", JsonText(program.folder)},
                 {"@REPLICAS@", fmt::to_string(subject.module->replica_count)},
                 {"@PARTITIONS@", fmt::to_string(subject.module->num_partitions)},
                 {"@CHECK@", check}});
}

}  // namespace assay
