// Sources of facts: this machine, a worker process, or a recorded answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/base/whole_file.h"
#include "collectors/facts/fact_table.h"
#include "collectors/match/filter.h"
#include "collectors/model/error.h"
#include "collectors/model/fact_topic.h"
#include "collectors/sources/source.h"

namespace winperf {

// A request for a part of a file, and the answer: the bytes, and the file's stamp at that time.
// Thread rule: values.
inline constexpr std::size_t kMaxFilePart = std::size_t{1} << 20;  // bytes of an answer
inline constexpr std::size_t kMaxFileProblem = 4096;               // bytes of a sentence

struct FileQuestion {
  std::string file{};  // its path in UTF-8
  std::uint64_t offset = 0;
  std::size_t max_bytes = 0;  // kMaxFilePart at most; 0: only the stamp
  bool operator==(const FileQuestion&) const = default;
};

struct FileAnswer {
  // Nothing: the file doesn't exist (any more), or can't be read.
  std::optional<FileStamp> stamp{};
  std::vector<std::byte> bytes{};
  std::string problem{};  // why it can't be read; a sentence
  bool operator==(const FileAnswer&) const = default;
};

struct FactRequest {
  FactTopic topic{};
  std::vector<std::string> folders{};  // of kTextfile, UTF-8
  Filter rows{};                       // selected rows, by the topic's row_name
  bool operator==(const FactRequest&) const = default;
};

// Thread rule: one thread.
class FactSource {
 public:
  FactSource() = default;
  FactSource(const FactSource&) = delete;
  FactSource& operator=(const FactSource&) = delete;
  virtual ~FactSource() = default;

  // May block indefinitely on services, drivers and servers: use a worker process. The error
  // concerns the whole topic: kUnsupported (not on this system), kAccessDenied, kOsError,
  // kNotRunning (a required service isn't running); errors of rows are among the table's problems.
  [[nodiscard]] virtual std::expected<FactTable, Error> read(const FactRequest& request,
                                                             const StopToken& stop) = 0;
  // Reads a part of a file that the topic kTextfile lists. May block like read(), and returns fewer
  // bytes rather than exceed `time`. Errors concern the call, not the file.
  [[nodiscard]] virtual std::expected<FileAnswer, Error> read_file(
      const FileQuestion& /*question*/, std::chrono::milliseconds /*time*/,
      const StopToken& /*stop*/) {
    return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "facts"});
  }
  // Nothing will be read before then, so a process that isn't worth keeping may end. True if one
  // did.
  virtual bool rest_until(SteadyTime /*next*/) { return false; }
  // Its worker process, if any.
  virtual std::vector<WorkerView*> workers() { return {}; }
};

// This machine. Only executables link it, so that a test's executable can have a simulated one.
std::unique_ptr<FactSource> make_fact_source();

}  // namespace winperf
