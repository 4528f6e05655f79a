// Replays a capture, a directory or an archive of one: V1 blocks that were recorded from
// HKEY_PERFORMANCE_DATA.
//
//   counter-009.bin, help-009.bin   the English name tables (REG_MULTI_SZ, UTF-16LE); optional
//   sample-NNNN.perf                one block, as RegQueryValueExW returned it
//   sample-NNNN-MM.perf             the same, for a sample that took several queries, in MM order
//
// Every value name has a cursor of its own: the first query for it gives all blocks of the first
// sample, whatever was asked for, the second query those of the second one; after the last sample
// the answer is kEndOfCapture. So any number of readers, each with its own value name, see the
// samples in step.
// Validated: file names, sizes (256 MiB a file). Not validated: the blocks; nothing is parsed here.
// Files are read when their sample is asked for. A file that can't be read makes its sample an
// error; the next query goes on with the sample after it.
// Thread rule: one thread at a time.
// Source: docs/registry-path.md, "Capture directories".
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectors/sources/capture_folder.h"
#include "collectors/sources/source.h"

namespace winperf {

class ReplaySource final : public CounterSource {
 public:
  // Lists the files. A folder that is missing, unreadable or without a sample is an error.
  static std::expected<std::unique_ptr<ReplaySource>, SourceError> open(
      std::shared_ptr<const CaptureFolder> folder);
  static std::expected<std::unique_ptr<ReplaySource>, SourceError> open(
      const std::filesystem::path& directory) {
    return open(open_directory(directory));
  }

  std::expected<Reply, Error> query(std::string_view value_name, std::stop_token stop) override;
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable table, Language language) override;
  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return 0; }
  void release() override {}

  std::size_t sample_count() const { return samples_.size(); }
  // Runs of sample numbers that have no file, first and last: samples are numbered from 0.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& gaps() const { return gaps_; }
  // Entries of the directory that are none of the files above.
  std::size_t ignored_entries() const { return ignored_entries_; }

 private:
  using Sample = std::vector<std::string>;  // names of files

  explicit ReplaySource(std::shared_ptr<const CaptureFolder> folder) : folder_(std::move(folder)) {}

  std::expected<void, SourceError> list_samples();

  std::shared_ptr<const CaptureFolder> folder_;
  std::vector<Sample> samples_;  // in order of their number
  std::vector<std::pair<std::uint32_t, std::uint32_t>> gaps_;
  std::size_t ignored_entries_ = 0;
  std::map<std::string, std::size_t, std::less<>> cursors_;  // value name -> next sample
};

}  // namespace winperf
