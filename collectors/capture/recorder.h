// Records what a machine's counters look like, raw: name tables, V1 blocks, and of V2 countersets
// registrations and replies. Nothing of it is interpreted, but for what has to be known in order to
// ask; what can't be had costs itself alone and is said in problems().
//
// Asks for all V2 countersets by one query handle, so that their values are of one moment.
// Errors: of the store, which end the capture. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "collectors/capture/held_buffers.h"
#include "collectors/capture/scrubber.h"
#include "collectors/capture/store.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/sources/source.h"

namespace winperf::capture {

class Recorder {
 public:
  // `queries`: value names of HKEY_PERFORMANCE_DATA, such as "Global", asked for with each sample.
  // `perflib` may be null, and so may `scrubber`, through which blocks and data go before they are
  // stored; then they are held in memory until finish(). What is referred to outlives the recorder.
  Recorder(CounterSource& registry, PerflibApi* perflib, const PerflibLimits& limits,
           std::vector<std::string> queries, Store& store, Scrubber* scrubber = nullptr);

  // Once, before the samples.
  std::expected<void, std::string> record_names();
  // False at the end of a source that has one.
  std::expected<bool, std::string> record_sample(std::stop_token stop);

  // Once, after the samples, also after an error of theirs.
  std::expected<void, std::string> finish();

  std::uint32_t samples() const { return samples_; }
  std::size_t v2_countersets() const { return v2_countersets_; }
  // Sentences, each once.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::expected<void, std::string> record_table(TextTable table, std::string_view file);
  std::expected<void, std::string> record_registrations();
  std::expected<void, std::string> open_query(PerflibClient& client, std::vector<std::byte> wanted);
  std::expected<bool, std::string> record_blocks(const std::stop_token& stop);
  std::expected<void, std::string> record_v2_data();
  std::expected<void, std::string> store(std::string file, BufferKind kind, Bytes bytes);
  void note(std::string problem);

  CounterSource& registry_;
  PerflibApi* perflib_;
  const PerflibLimits limits_;
  const std::vector<std::string> queries_;
  Store& store_;
  Scrubber* const scrubber_;
  HeldBuffers held_;
  std::optional<PerflibQuery> query_;
  std::uint32_t samples_ = 0;
  std::size_t v2_countersets_ = 0;
  std::vector<std::string> problems_;
};

}  // namespace winperf::capture
