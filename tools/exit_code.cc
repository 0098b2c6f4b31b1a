#include "tools/exit_code.h"

namespace assay {

int ExitCode(const Error& error) {
  switch (error.code) {
    case ErrorCode::kBackend:
      return 3;
    case ErrorCode::kLimit:
      return 4;
    case ErrorCode::kDeadlock:
    case ErrorCode::kCheck:
      return 1;
    default:
      return 2;
  }
}

}  // namespace assay
