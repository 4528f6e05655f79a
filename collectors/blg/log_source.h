// Replays a binary log of perfmon (.blg): a source for each machine whose counters it holds.
//
// As with a capture directory (sources/replay.h), every value name has a cursor of its own, each
// query gives everything that the next sample holds of the machine, and after the last one the
// answer is kEndOfCapture. The sources of a log count the same samples: where one has nothing of
// its machine, the reply is empty. The log is read twice: once, all of it, when it is opened
// (log_index.h); then each sample when it is asked for. A sample that is damaged is an error in its
// place; the next query goes on with the one after it.
// Whole objects are V1 blocks. Values of single and wildcard counters are Reply::logged: a V1 block
// can't be made of them, because what a block says besides the values is not in the log.
// Name tables: that of the machine, and the names of the objects that have no index in it.
// Validated: the layout of the log, its size and samples, within the limits. Not validated: blocks.
// Memory: that of the index, and what LogReader and the sample at hand take.
// Thread rule: one thread at a time, for all sources of one log.
// Source: docs/blg.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <istream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectors/blg/log_index.h"
#include "collectors/blg/log_reader.h"
#include "collectors/sources/sample_cursors.h"
#include "collectors/sources/source.h"

namespace winperf {

inline constexpr std::uint64_t kMaxLogBytes = 1ULL << 30;

class BlgSource final : public CounterSource {
 public:
  using Sources = std::vector<std::unique_ptr<BlgSource>>;  // at least one

  // The error names the file and says why it can't be replayed.
  static std::expected<Sources, SourceError> open(const std::filesystem::path& file);
  // The same of a seekable stream. `name` stands for it in errors.
  static std::expected<Sources, SourceError> open(std::unique_ptr<std::istream> log,
                                                  const std::string& name);

  std::string machine() const override;
  std::expected<Reply, Error> query(std::string_view value_name, std::stop_token stop) override;
  // One table, whatever the language: that of the machine that recorded the log.
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable table, Language language) override;
  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return 0; }
  void release() override {}

  // Those that query() gives, damaged ones included.
  std::size_t sample_count() const { return log_->index.samples.size(); }
  const blg::LogSummary& summary() const { return log_->index.summary; }

 private:
  struct Log {
    std::unique_ptr<std::istream> stream;
    blg::LogReader reader;
    blg::LogIndex index{};

    std::expected<blg::Record, Error> read(const blg::Place& place);
  };

  BlgSource(std::shared_ptr<Log> log, std::size_t machine)
      : log_(std::move(log)), machine_(machine) {}

  std::shared_ptr<Log> log_;
  std::size_t machine_;  // in the index
  SampleCursors cursors_{"log"};
};

}  // namespace winperf
