// Replays a capture, a directory or an archive of one: V1 blocks that were recorded from
// HKEY_PERFORMANCE_DATA.
//
//   counter-009.bin, help-009.bin   the English name tables (REG_MULTI_SZ, UTF-16LE); optional
//   sample-NNNN.perf                one block, as RegQueryValueExW returned it
//   sample-NNNN-MM.perf             the same, for a sample that took several queries, in MM order
//
// The first query for a value name gives all blocks of the first sample, whatever was requested,
// the second query those of the second sample (sample_cursors.h); after the last sample the answer
// is kEndOfCapture.
// Validated: file names, sizes (256 MiB per file). Not validated: the blocks; nothing is parsed.
// Files are read when their sample is requested. If one can't be read, its sample is an error; the
// next query continues with the sample after it.
// Thread rule: one thread at a time.
// Source: docs/capture.md, "The files".
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/sources/capture_folder.h"
#include "collectors/sources/sample_cursors.h"
#include "collectors/sources/source.h"

namespace winperf {

class ReplaySource final : public CounterSource {
 public:
  // Lists the files. A folder that is missing, unreadable or without a sample is an error.
  [[nodiscard]] static std::expected<std::unique_ptr<ReplaySource>, SourceError> open(
      std::shared_ptr<const CaptureFolder> folder);
  [[nodiscard]] static std::expected<std::unique_ptr<ReplaySource>, SourceError> open(
      const std::filesystem::path& directory) {
    return open(open_directory(directory));
  }

  [[nodiscard]] std::expected<Reply, Error> query(std::string_view value_name,
                                                  StopToken stop) override;
  [[nodiscard]] std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                     Language language) override;

  std::size_t sample_count() const { return samples_.size(); }
  // Which samples are missing, for people: "DIR lacks samples 0 to 1 and 4". Empty if none is; the
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
