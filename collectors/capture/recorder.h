// Records a machine's raw counter data: name tables, V1 blocks, and the registrations and replies
// of V2 countersets. The recorder interprets no more of it than the next request needs. If a part
// can't be read, only that part is lost, and problems() reports it.
//
// One query handle covers all V2 countersets, so that their values are of the same moment. Errors:
// those of the store, which end the capture. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/capture/held_buffers.h"
#include "collectors/capture/scrubber.h"
#include "collectors/capture/store.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/sources/source.h"

namespace winperf::capture {

class Recorder {
 public:
  // `queries`: value names of HKEY_PERFORMANCE_DATA, such as "Global", queried for each sample.
  // `perflib` and `scrubber` may be null. With a scrubber, blocks and data are held in memory until
  // finish(), which scrubs and stores them. All references must outlive the recorder.
  Recorder(CounterSource& registry, PerflibApi* perflib, const PerflibLimits& limits,
           std::vector<std::string> queries, Store& store, Scrubber* scrubber = nullptr);

  // Call this once, before the samples.
  [[nodiscard]] std::expected<void, std::string> record_names();
  // Returns false at the end of a source that has an end.
  [[nodiscard]] std::expected<bool, std::string> record_sample(StopToken stop);

  // Call this once, after the samples, even if one of them failed.
  [[nodiscard]] std::expected<void, std::string> finish();

  std::uint32_t samples() const { return samples_; }
  std::size_t v2_countersets() const { return v2_countersets_; }
  // Sentences, each of them once.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  [[nodiscard]] std::expected<void, std::string> record_table(TextTable table,
                                                              std::string_view file);
  [[nodiscard]] std::expected<void, std::string> record_registrations();
  [[nodiscard]] std::expected<void, std::string> open_query(PerflibClient& client,
                                                            std::vector<std::byte> wanted);
  [[nodiscard]] std::expected<bool, std::string> record_blocks(const StopToken& stop);
  [[nodiscard]] std::expected<void, std::string> record_v2_data();
  [[nodiscard]] std::expected<void, std::string> store(std::string file, BufferKind kind,
                                                       Bytes bytes);
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
