// Replays a binary log of perfmon (.blg): a source for each machine whose counters it holds.
//
// As with a capture folder (sources/replay.h), each value name has its own cursor, each query
// returns everything that the next sample holds for the machine, and after the last sample the
// answer is kEndOfCapture. The sources of a log count the same samples; if one holds nothing for a
// machine, that machine's reply is empty. The log is read when it is opened (log_index.h), and then
// sample by sample as they are queried. A damaged sample is an error in its
// place; the next query continues with the sample after it. Whole objects are V1 blocks. Values of
// single and wildcard counters are Reply::logged: they can't be turned into V1 blocks, because the
// log lacks everything else that a block contains. Whole V2 countersets are a separate recording
// (v2_countersets()). Name tables: that of the machine, and the names of objects that have no index
// in it. Validated: the layout of the log and its samples, within the limits. Not validated:
// blocks. Memory: that of the index, of LogReader and of two samples. Thread rule: one
// thread at a time, for all sources of one log. Source: docs/blg.md.
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

#include "collectors/base/stop.h"
#include "collectors/blg/log_summary.h"
#include "collectors/sources/perflib_source.h"
#include "collectors/sources/sample_cursors.h"
#include "collectors/sources/source.h"

namespace winperf::blg {

struct OpenLog;

class BlgSource final : public CounterSource {
 public:
  using Sources = std::vector<std::unique_ptr<BlgSource>>;  // at least one

  // The error names the file and the reason.
  [[nodiscard]] static std::expected<Sources, SourceError> open(const std::filesystem::path& file);
  // The same for a seekable stream, which errors call `name`.
  [[nodiscard]] static std::expected<Sources, SourceError> open(std::unique_ptr<std::istream> log,
                                                                const std::string& name);

  std::string machine() const override;
  [[nodiscard]] std::expected<Reply, Error> query(std::string_view value_name,
                                                  StopToken stop) override;
  // One table for all languages: that of the recording machine.
  [[nodiscard]] std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                     Language language) override;
  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return 0; }
  void release() override {}

  // The whole V2 countersets of the log; null if it has none.
  std::unique_ptr<V2Recording> v2_countersets() const;

  // Those that query() returns, including damaged ones.
  std::size_t sample_count() const;
  const LogSummary& summary() const;

 private:
  BlgSource(std::shared_ptr<OpenLog> log, std::size_t machine)
      : log_(std::move(log)), machine_(machine) {}

  std::shared_ptr<OpenLog> log_;
  std::size_t machine_;  // its number in the index
  SampleCursors cursors_{"log"};
};

}  // namespace winperf::blg
