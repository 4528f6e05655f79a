// Windows' PerfLib functions, replayed from a recording. Registrations are returned as they were
// recorded. A query handle's first call for data returns the first sample, the second call the
// second, and so on; after counters were added, it returns the same sample again, because its user
// is still working on that sample. A reply is byte for byte what was recorded, so that it is parsed
// as it was then: a request's index is that of the recorded order, and a result holds the whole
// counterset, with all counters and instances, even if fewer were requested.
//
// Errors, as Win32 codes: kGuidNotFound for a counterset that the recording doesn't have, kNotFound
// for a name of one that it has; kEndOfData after the last sample. Results that a sample lacks are
// appended to its own, as error results with kInvalidData, because kNoData would say that no
// instance was active. Validated: the lengths of results if some have to be appended. The reader
// checks everything else. Thread rule: one thread at a time. Source: docs/capture.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "collectors/sources/capture_folder.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/v2_recording.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf::capture {

class ReplayPerflib final : public PerflibApi {
 public:
  static constexpr std::uint32_t kEndOfData = 38;  // ERROR_HANDLE_EOF

  // Null if the recording has no V2 countersets.
  static std::unique_ptr<ReplayPerflib> open(std::unique_ptr<V2Recording> recording);
  // The same for a capture of so many samples.
  static std::unique_ptr<ReplayPerflib> open(std::shared_ptr<const CaptureFolder> folder,
                                             std::uint32_t samples);

  std::uint32_t enumerate_countersets(const std::u16string& machine, std::span<Guid> guids,
                                      std::uint32_t& actual) override;
  std::uint32_t enumerate_instances(const std::u16string& machine, const Guid& counterset,
                                    Bytes buffer, std::uint32_t& actual) override;
  std::uint32_t query_registration(const std::u16string& machine, const Guid& counterset,
                                   RegistrationInfo info, std::uint32_t argument, Bytes buffer,
                                   std::uint32_t& actual) override;
  std::uint32_t open_query(const std::u16string& machine, PerflibHandle& query) override;
  std::uint32_t close_query(PerflibHandle query) override;
  std::uint32_t query_counter_info(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override;
  std::uint32_t query_counter_data(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override;
  std::uint32_t add_counters(PerflibHandle query, Bytes identifiers) override;
  std::uint32_t delete_counters(PerflibHandle query, Bytes identifiers) override;

 private:
  using Owned = std::vector<std::byte>;

  struct Query {
    std::vector<v2::CounterRequest> requests;
    std::uint32_t next_sample = 0;
    bool extended = false;  // since the last answer
    Owned answer;           // of next_sample, until it has been delivered
  };

  explicit ReplayPerflib(std::unique_ptr<V2Recording> recording)
      : recording_(std::move(recording)) {}

  Query* find(PerflibHandle handle);
  std::uint32_t make_answer(Query& query) const;

  std::unique_ptr<V2Recording> recording_;
  std::vector<Guid> countersets_;
  std::map<Guid, std::uint32_t> order_;  // index of the counterset's result in a recorded reply
  std::uint32_t recorded_results_ = 0;   // in a reply: as many as were requested
  std::map<PerflibHandle, Query> queries_;
  std::uintptr_t next_handle_ = 1;
};

}  // namespace winperf::capture
