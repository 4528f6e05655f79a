// Where facts come from: this machine, a worker process in front of it, or a recorded answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/base/whole_file.h"
#include "collectors/facts/fact_table.h"
#include "collectors/match/filter.h"
#include "collectors/model/error.h"
#include "collectors/model/fact_topic.h"
#include "collectors/sources/source.h"

namespace winperf {

// What is asked about one file, and the answer: some of its bytes, as they are, and which file it
// was then. Nothing of a file is sent that wasn't asked for. Thread rule: values.
inline constexpr std::size_t kMaxFilePart = std::size_t{1} << 20;  // bytes of an answer
inline constexpr std::size_t kMaxFileProblem = 4096;               // bytes of a sentence

struct FileQuestion {
  std::string file{};  // its path in UTF-8
  std::uint64_t offset = 0;
  std::size_t max_bytes = 0;  // kMaxFilePart at most; 0: the stamp alone
  bool operator==(const FileQuestion&) const = default;
};

struct FileAnswer {
  // Nothing: there is no such file (any more), or it can't be read.
  std::optional<FileStamp> stamp{};
  std::vector<std::byte> bytes{};
  std::string problem{};  // why it can't be read; a sentence
  bool operator==(const FileAnswer&) const = default;
};

struct FactRequest {
  FactTopic topic{};
  std::vector<std::string> folders{};  // of kTextfile, UTF-8
  Filter rows{};                       // which are wanted, by the topic's row_name
  bool operator==(const FactRequest&) const = default;
};

// Thread rule: one thread.
class FactSource {
 public:
  FactSource() = default;
  FactSource(const FactSource&) = delete;
  FactSource& operator=(const FactSource&) = delete;
  virtual ~FactSource() = default;

  // It may wait for services, drivers and servers for as long as these like: ask a worker process.
  // An error is that of the whole topic: kUnsupported (not on this system), kAccessDenied,
  // kOsError, kNotRunning (a service that answers isn't running); that of one row is among the
  // table's problems.
  [[nodiscard]] virtual std::expected<FactTable, Error> read(const FactRequest& request,
                                                             const StopToken& stop) = 0;
  // Of a file that the topic kTextfile lists. It may wait as read() does, and answers with fewer
  // bytes instead of using up `time`. Errors are about the call, not about the file.
  [[nodiscard]] virtual std::expected<FileAnswer, Error> read_file(
      const FileQuestion& /*question*/, std::chrono::milliseconds /*time*/,
      const StopToken& /*stop*/) {
    return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "facts"});
  }
  // The worker process behind it, if there is one.
  virtual std::vector<WorkerView*> workers() { return {}; }
};

// This machine. Only executables link it, so that a test's executable can have a simulated one.
std::unique_ptr<FactSource> make_fact_source();

}  // namespace winperf
