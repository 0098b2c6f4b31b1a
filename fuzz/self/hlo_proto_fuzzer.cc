// XLA's serialized modules. Any bytes are a module, which prints, or an error. A legal module serializes to a message
// that reads back as the same module.
#include "fuzz/self/target.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/proto/hlo_proto.h"

ASSAY_FUZZ_TARGET(hlo_proto) {
  const SmallLimits limits;
  const auto snapshot = ReadHloSnapshot(text);
  if (!snapshot) {
    Require(!snapshot.error().message.empty(), "an error says what is wrong");
    return;
  }
  const std::string printed = PrintHloModule(*snapshot->module, PrintOptions::Exact());
  const auto again = ReadHloModuleProto(WriteHloModuleProto(*snapshot->module));
  if (!VerifyHloModule(*snapshot->module)) return;
  Require(again.has_value(), again ? "" : "what assay writes, it reads: " + again.error().message);
  Require(PrintHloModule(**again, PrintOptions::Exact()) == printed, "what assay writes reads back the same");
}
