// PerfLib's countersets, replayed from a recording. Registrations are returned as they were
// recorded. The first time that a set is collected, it is the first sample, the second time the
// second one, and so on; after requests were added, it is the same sample again, because its user
// is still working on that sample. A reply is byte for byte what was recorded, so that it is parsed
// as it was then: a request's place is that of the recorded order, and a result holds the whole
// counterset, with all counters and instances, even if fewer were requested.
//
// Errors: as PerfLib's, with kGuidNotFound for a counterset that the recording doesn't have,
// kNotFound for a name of one that it has, kEndOfData after the last sample. Results that a sample
// lacks are appended to its own, as error results with kInvalidData, because kNoData would say that
// no instance was active. Validated: the lengths of results if some have to be appended. The reader
// checks everything else. Thread rule: one thread at a time. Source: docs/capture.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "collectors/sources/capture_folder.h"
#include "collectors/sources/perflib_source.h"
#include "collectors/sources/v2_recording.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf::capture {

class ReplayPerflib final : public PerflibSource {
 public:
  static constexpr std::uint32_t kEndOfData = 38;  // ERROR_HANDLE_EOF

  // Null if the recording has no V2 countersets.
  static std::unique_ptr<ReplayPerflib> open(std::unique_ptr<V2Recording> recording);
  // The same for a capture of so many samples.
  static std::unique_ptr<ReplayPerflib> open(std::shared_ptr<const CaptureFolder> folder,
                                             std::uint32_t samples);

  [[nodiscard]] std::expected<std::vector<Guid>, Error> countersets() override {
    return countersets_;
  }
  [[nodiscard]] std::expected<Bytes, Error> instances(const Guid& counterset) override;
  [[nodiscard]] std::expected<Bytes, Error> registration(const Guid& counterset,
                                                         RegistrationInfo info,
                                                         std::uint32_t argument = 0) override;
  PerflibSet new_set() override { return PerflibSet{++last_set_}; }
  [[nodiscard]] std::expected<std::vector<ResultPlace>, Error> open(
      PerflibSet set, std::span<const v2::CounterRequest> requests) override;
  [[nodiscard]] std::expected<Bytes, Error> collect(PerflibSet set) override;
  void close(PerflibSet set) override { sets_.erase(set); }

 private:
  struct Set {
    std::vector<v2::CounterRequest> requests{};
    std::uint32_t next_sample = 0;
  };

  explicit ReplayPerflib(std::unique_ptr<V2Recording> recording)
      : recording_(std::move(recording)) {}

  bool has(const Guid& counterset) const;

  std::unique_ptr<V2Recording> recording_;
  std::vector<Guid> countersets_;
  std::map<Guid, std::uint32_t> order_;  // place of the counterset's result in a recorded reply
  std::uint32_t recorded_results_ = 0;   // in a reply: as many as were requested
  std::map<PerflibSet, Set> sets_;
  std::uint32_t last_set_ = 0;
};

}  // namespace winperf::capture
