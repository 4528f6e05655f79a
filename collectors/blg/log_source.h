// Replays a binary log of perfmon (.blg) that holds whole objects: V1 blocks.
//
// As with a capture directory (sources/replay.h), every value name has a cursor of its own, each
// query gives all blocks of the next sample, and after the last one the answer is kEndOfCapture.
// The log is read twice: once, all of it, when it is opened, to find its samples; then each sample
// when it is asked for. A sample that is damaged is an error in its place; the next query goes on
// with the one after it. Items that are no whole objects are left out and counted in summary():
// a V1 block can't be made of them, because what a block says besides the values (types, bases,
// clocks, unique ids) is not in the log. Samples without a whole object are left out with them.
// Validated: the layout of the log (LogReader, ItemWalk); its size and samples, within the limits
// below. Not validated: the blocks.
// Memory: the name table (64 MiB at most), 64 bytes a sample, and what LogReader takes.
// Thread rule: one thread at a time.
// Source: docs/blg.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectors/blg/log_reader.h"
#include "collectors/blg/log_summary.h"
#include "collectors/sources/source.h"
#include "collectors/sources/source_error.h"

namespace winperf {

inline constexpr std::uint64_t kMaxLogBytes = 1ULL << 30;
// A sample a second for 48 days.
inline constexpr std::size_t kMaxLogSamples = std::size_t{1} << 22;

class BlgSource final : public CounterSource {
 public:
  // The error names the file and says why it can't be replayed: not a log, or a log of single
  // counters, with what it holds.
  static std::expected<std::unique_ptr<BlgSource>, SourceError> open(
      const std::filesystem::path& file);
  // The same of a seekable stream. `name` stands for it in errors.
  static std::expected<std::unique_ptr<BlgSource>, SourceError> open(
      std::unique_ptr<std::istream> log, const std::string& name);

  std::expected<Reply, Error> query(std::string_view value_name, std::stop_token stop) override;
  // One table, whatever the language: that of the machine that recorded the log.
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable table, Language language) override;
  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return 0; }
  void release() override {}

  // Those that query() gives, damaged ones included.
  std::size_t sample_count() const { return samples_.size(); }
  const blg::LogSummary& summary() const { return summary_; }

 private:
  using Sample = std::expected<blg::Place, Error>;

  BlgSource(std::unique_ptr<std::istream> log, blg::LogReader reader)
      : log_(std::move(log)), reader_(std::move(reader)) {}

  void find_samples();
  void take(const blg::ReadRecord& read);
  void take_sample(const blg::Record& record);
  void add_sample(const Sample& sample, std::uint64_t offset);
  void take_counters(const blg::Record& record);
  void take_names(const blg::Record& record);
  std::expected<blg::Record, Error> read_sample(const blg::Place& place);

  std::unique_ptr<std::istream> log_;
  blg::LogReader reader_;
  blg::LogSummary summary_;
  std::vector<Sample> samples_;
  std::string machine_;                                      // of the name table
  Bytes names_;                                              // without the closing NUL
  std::map<std::string, std::size_t, std::less<>> cursors_;  // value name -> next sample
};

}  // namespace winperf
