// Prints samples, one after the other, in each format that `query` and `top` have. Thread rule: one
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"
#include "exporter/text/pdh_text.h"
#include "service/commands/command.h"
#include "service/console/look.h"
#include "service/console/terminal.h"

namespace winperf {

using CountersetSamples = std::vector<std::shared_ptr<const CountersetSample>>;

// One sample of a recording.
struct RecordedSample {
  CountersetSamples countersets{};
  std::optional<Ticks100ns> time{};  // empty if nothing in it has one
  std::string host{};                // empty if the recording is of several, or doesn't say
};

// A table that takes the place of the one before on the terminal: a line for each instance, and a
// column for each counter.
struct Ranking {
  std::string by{};      // the counter that orders the lines, largest value first; empty: the first
  std::size_t most = 0;  // lines of each counterset; 0: as many as the terminal has
  // How tall and wide the tables may be; nothing: they are printed one after the other.
  std::optional<TerminalSize> terminal{};
};

struct PrintOptions {
  OutputFormat format = OutputFormat::kTable;
  MappingOptions mapping{};
  bool is_human = false;  // numbers of a table for people
  // How wide a table may be that is printed after the others.
  std::size_t columns = kUnlimitedColumns;
  std::string host{};                // in the paths of typeperf's formats
  std::optional<Ranking> ranking{};  // of the format kTable
};

// The page of metrics shows only the last sample, and has to be finished.
class SamplePrinter {
 public:
  explicit SamplePrinter(PrintOptions options);

  void print(const CountersetSamples& samples);
  // Of a recording, each sample of which has its own heading in a table.
  void print(const RecordedSample& sample);
  void finish();

  // Whether a sample had none of the counters that were asked for.
  bool lacks_counters() const { return lacks_counters_; }
  // How many values are missing from typeperf's formats, because their instances appeared after the
  // first sample.
  std::uint64_t values_without_column() const { return pdh_.values_without_column(); }

 private:
  std::string heading_of(const RecordedSample& sample) const;
  void print_one(const CountersetSamples& samples, std::optional<Ticks100ns> time,
                 const std::string& heading);

  PrintOptions options_;
  PdhText pdh_;
  std::uint64_t count_ = 0;
  CountersetSamples last_{};
  bool lacks_counters_ = false;
};

}  // namespace winperf
