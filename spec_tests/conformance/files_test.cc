#include "backends/files.h"

#include <signal.h>
#include <sys/resource.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "conformance/reports/shell_word.h"
#include "spec_tests/catch.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "files-test-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Folder() { fs::remove_all(path_); }

  std::string File(const std::string& name) const { return path_ / name; }
  std::size_t FileCount() const { return std::distance(fs::directory_iterator(path_), fs::directory_iterator()); }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("two writers of one path do not take each other's file") {
  const Folder folder;
  const std::string path = folder.File("a");
  // The second one begins and ends while the first one writes.
  const Status outer = WriteFileAtomically(path, [&](const TextSink& sink) {
    sink("out");
    CHECK(WriteFileAtomically(path, "inner"));
    CHECK(*ReadFile(path) == "inner");
    sink("er");
  });
  INFO((outer ? "" : outer.error().message));
  CHECK(outer);
  CHECK(*ReadFile(path) == "outer");
  CHECK(folder.FileCount() == 1);
}

TEST_CASE("a writer that throws leaves the old file and no other") {
  const Folder folder;
  const std::string path = folder.File("a");
  REQUIRE(WriteFileAtomically(path, "old"));
  CHECK_THROWS_AS(WriteFileAtomically(path,
                                      [](const TextSink& sink) {
                                        sink("new");
                                        throw std::runtime_error("no more");
                                      }),
                  std::runtime_error);
  CHECK(*ReadFile(path) == "old");
  CHECK(folder.FileCount() == 1);
}

TEST_CASE("a write that fails says why, and leaves the old file and no other") {
  const Folder folder;
  const std::string path = folder.File("a");
  REQUIRE(WriteFileAtomically(path, "old"));
  signal(SIGXFSZ, SIG_IGN);
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small = {1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const Status written = WriteFileAtomically(path, std::string(100'000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_DFL);
  REQUIRE(!written);
  CHECK(written.error().message == path + " cannot be written: File too large");
  CHECK(*ReadFile(path) == "old");
  CHECK(folder.FileCount() == 1);
  const Status nowhere = WriteFileAtomically(folder.File("none/a"), "x");
  REQUIRE(!nowhere);
  CHECK(nowhere.error().message.ends_with(": No such file or directory"));
}

TEST_CASE("a device is written, not replaced, and its errors are reported") {
  const Status written = WriteFileAtomically("/dev/full", "x");
  REQUIRE(!written);
  CHECK(written.error().message == "/dev/full cannot be written: No space left on device");
  CHECK(WriteFileAtomically("/dev/null", "x"));
  CHECK(fs::is_character_file("/dev/full"));
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a link stays, and the file that it leads to is written") {
  const Folder folder;
  REQUIRE(WriteFileAtomically(folder.File("a"), "old"));
  fs::create_symlink("a", folder.File("link"));
  fs::create_symlink("new", folder.File("other"));
  CHECK(WriteFileAtomically(folder.File("link"), "A"));
  CHECK(WriteFileAtomically(folder.File("other"), "B"));
  CHECK(fs::is_symlink(folder.File("link")));
  CHECK(fs::is_symlink(folder.File("other")));
  CHECK(*ReadFile(folder.File("a")) == "A");
  CHECK(*ReadFile(folder.File("new")) == "B");
  CHECK(folder.FileCount() == 4);
}

TEST_CASE("a shell reads a word back as it was") {
  CHECK(ShellWord("xla-cpu@0.7.2") == "xla-cpu@0.7.2");
  CHECK(ShellWord("process:python3 peer.py") == "'process:python3 peer.py'");
  CHECK(ShellWord("") == "''");
  for (const std::string word : {"a b", "it's", "$HOME", "`id`", "a\\b", "\"", "*", "~", "a;b", "a\nb", "#", "!", "'",
                                 "''", "\xc3\xa9", "a=b", "{a,b}", "-n"}) {
    const std::string command = "printf %s " + ShellWord(word);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> shell(popen(command.c_str(), "r"), pclose);
    REQUIRE(shell);
    char read[100];
    CHECK(std::string(read, std::fread(read, 1, sizeof read, shell.get())) == word);
  }
}

}  // namespace assay
