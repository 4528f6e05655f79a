// Replays a capture, a directory or an archive of one: V1 blocks that were recorded from
// HKEY_PERFORMANCE_DATA.
//
//   counter-009.bin, help-009.bin   the English name tables (REG_MULTI_SZ, UTF-16LE); optional
//   sample-NNNN.perf                one block, as RegQueryValueExW returned it
//   sample-NNNN-MM.perf             the same, for a sample that took several queries, in MM order
//
// The first query for a value name gives all blocks of the first sample, regardless of the request,
// the second query those of the second sample (sample_cursors.h); after the last sample the answer
// is kEndOfCapture. Validated: file names, sizes (256 MiB per file). Not validated: the blocks;
// nothing is parsed. Files are read when their sample is requested. If one can't be read, its
// sample is an error; the next query continues with the sample after it. Thread rule: one thread at
// a time. Source: docs/capture.md, "The files".
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/base/whole_file.h"
#include "collectors/sources/sample_cursors.h"
#include "collectors/sources/source.h"

namespace winperf {

inline constexpr std::string_view kCounterTable = "counter-009.bin";
inline constexpr std::string_view kHelpTable = "help-009.bin";
inline constexpr std::uint64_t kMaxFileBytes = 256ULL << 20;

// The files of a capture, in a folder or in an archive. Thread rule: one thread at a time.
class CaptureFolder {
 public:
  CaptureFolder() = default;
  CaptureFolder(const CaptureFolder&) = delete;
  CaptureFolder& operator=(const CaptureFolder&) = delete;
  virtual ~CaptureFolder() = default;

  // Unordered.
  [[nodiscard]] virtual std::expected<std::vector<std::string>, SourceError> names() const = 0;
  // At most kMaxFileBytes. Errors: those of file_error(), and those of an archive; `where` becomes
  // Error::where, so it is static text.
  [[nodiscard]] virtual std::expected<Bytes, Error> read(std::string_view name,
                                                         const char* where) const = 0;
  // For messages.
  virtual std::string text() const = 0;
};

[[nodiscard]] std::unique_ptr<CaptureFolder> open_directory(std::filesystem::path directory);

// The file names of a capture directory: "sample-NNNN.perf" and "sample-NNNN-MM.perf", NNNN the
// sample counted from 0 (4 to 9 digits), MM the query within it (2 to 9 digits).
// Source: docs/capture.md, "The files".
struct SampleFileName {
  std::uint32_t sample = 0;
  std::optional<std::uint32_t> part;  // absent sorts before every part
  auto operator<=>(const SampleFileName&) const = default;
};

// Nothing for any other name.
[[nodiscard]] std::optional<SampleFileName> parse_sample_file_name(std::string_view name);

class ReplaySource final : public CounterSource {
 public:
  // Lists the files. A folder that is missing, unreadable or without a sample is an error.
  [[nodiscard]] static std::expected<std::unique_ptr<ReplaySource>, SourceError> open(
      std::shared_ptr<const CaptureFolder> folder);

  [[nodiscard]] std::expected<Reply, Error> query(std::string_view value_name,
                                                  StopToken stop) override;
  [[nodiscard]] std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                     Language language) override;

  std::size_t sample_count() const { return samples_.size(); }
  // The missing samples, as a message: "DIR lacks samples 0 to 1 and 4". Empty if none is; the
  // numbers begin with 0.
  std::string describe_gaps() const;

 private:
  using Sample = std::vector<std::string>;  // names of files
  struct Gap {
    std::uint32_t first, last;  // sample numbers that have no file
  };

  explicit ReplaySource(std::shared_ptr<const CaptureFolder> folder) : folder_(std::move(folder)) {}

  [[nodiscard]] std::expected<void, SourceError> list_samples();

  std::shared_ptr<const CaptureFolder> folder_;
  std::vector<Sample> samples_;  // in order of their number
  std::vector<Gap> gaps_;
  SampleCursors cursors_{"capture"};
};

}  // namespace winperf
