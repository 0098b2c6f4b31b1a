#include "conformance/reports/report_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "backends/files.h"

namespace assay {

Result<std::shared_ptr<const ReportFolder>> ReportFolder::Open(const std::string& path) {
  ASSAY_CHECK_OK(PrepareFolder(path));
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return Error{ErrorCode::kIo, fmt::format("{}: {}", path, std::strerror(errno))};
  std::shared_ptr<const ReportFolder> folder(new ReportFolder(descriptor));
  // Some network file systems cannot lock a folder. Only the journal is locked there.
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return folder;
  return Error{ErrorCode::kUsage, fmt::format("{}: another check writes its report there: wait until it has ended, or "
                                              "choose another folder",
                                              path)};
}

ReportFolder::~ReportFolder() { close(descriptor_); }

}  // namespace assay
