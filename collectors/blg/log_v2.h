// The whole V2 countersets of a log, in the form that Windows' PerfLib functions have: one reply
// for each sample, with a result for each counterset.
//
// Each item of a sample is a reply of its own, of one counterset; their results are put together
// under the header of the first one, since all of them were collected at one time. A counterset
// that a sample lacks answers with kGuidNotFound, and one whose item is unsound with kInvalidData,
// both as PERF_ERROR_RETURN. The log has no descriptions of counters and doesn't name the provider,
// so these texts are empty; its names are those of the recording machine's language. Thread rule:
// one thread at a time, for all that is read of one log. Source: docs/blg.md, "Registrations".
#pragma once

#include <cstdint>
#include <expected>
#include <memory>

#include "collectors/blg/open_log.h"
#include "collectors/sources/v2_recording.h"

namespace winperf::blg {

class LogV2 final : public V2Recording {
 public:
  // Null if the log has no whole V2 counterset.
  static std::unique_ptr<V2Recording> of(std::shared_ptr<OpenLog> log);

  std::uint32_t samples() const override;
  [[nodiscard]] std::expected<Bytes, Error> countersets() override;
  [[nodiscard]] std::expected<Bytes, Error> order() override;
  [[nodiscard]] std::expected<Bytes, Error> registration(const Guid& counterset,
                                                         RegistrationInfo info,
                                                         std::uint32_t argument) override;
  [[nodiscard]] std::expected<Bytes, Error> reply(std::uint32_t sample) override;

 private:
  explicit LogV2(std::shared_ptr<OpenLog> log) : log_(std::move(log)) {}

  std::shared_ptr<OpenLog> log_;
};

}  // namespace winperf::blg
