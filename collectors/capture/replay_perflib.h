// Windows' PerfLib functions as a capture remembers them. The registrations are answered as they
// were recorded; a query handle gives with its first call for data that of the first sample, and so
// on; after counters were added it gives the same sample once more, because whoever adds them is
// still at it. A reply is given as it was recorded, to the byte, so that it reads as it read then:
// a request's index is that of the recorded order, and a result holds the whole counterset, all
// counters and instances, also where less was asked for.
//
// Errors, as Win32 codes: kGuidNotFound for what the capture does not have; kEndOfData after the
// last sample. Results that a sample lacks follow those it has, as error results with kNoData.
// Validated: the lengths of results, where some have to be appended; the rest is for the reader to
// check.
// Thread rule: one thread at a time. Source: docs/capture.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "collectors/sources/capture_folder.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf::capture {

class ReplayPerflib final : public PerflibApi {
 public:
  static constexpr std::uint32_t kEndOfData = 38;  // ERROR_HANDLE_EOF

  // Null where the capture has no V2 countersets.
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
    Owned answer;           // of next_sample, until it has been taken
  };

  ReplayPerflib(std::shared_ptr<const CaptureFolder> folder, std::uint32_t samples)
      : folder_(std::move(folder)), samples_(samples) {}

  Query* find(PerflibHandle handle);
  std::uint32_t make_answer(Query& query) const;

  std::shared_ptr<const CaptureFolder> folder_;
  std::uint32_t samples_;
  std::vector<Guid> countersets_;
  std::map<Guid, std::uint32_t> order_;  // the counterset's result in a recorded reply
  std::uint32_t recorded_results_ = 0;   // of a reply, as many as were asked for
  std::map<PerflibHandle, Query> queries_;
  std::uintptr_t next_handle_ = 1;
};

}  // namespace winperf::capture
