// Windows' PerfLib functions with a listener, which gets each registration that is read. All other
// calls pass through unchanged. Thread rule: that of the functions called.
#pragma once

#include <functional>
#include <utility>

#include "collectors/sources/perflib_api.h"

namespace winperf::capture {

class RecordingPerflib final : public PerflibApi {
 public:
  using Listener = std::function<void(const Guid& counterset, RegistrationInfo info,
                                      std::uint32_t argument, std::span<const std::byte> reply)>;

  RecordingPerflib(PerflibApi& inner, Listener listener)
      : inner_(inner), listener_(std::move(listener)) {}

  std::uint32_t enumerate_countersets(const std::u16string& machine, std::span<Guid> guids,
                                      std::uint32_t& actual) override {
    return inner_.enumerate_countersets(machine, guids, actual);
  }
  std::uint32_t enumerate_instances(const std::u16string& machine, const Guid& counterset,
                                    Bytes buffer, std::uint32_t& actual) override {
    return inner_.enumerate_instances(machine, counterset, buffer, actual);
  }
  std::uint32_t query_registration(const std::u16string& machine, const Guid& counterset,
                                   RegistrationInfo info, std::uint32_t argument, Bytes buffer,
                                   std::uint32_t& actual) override {
    const std::uint32_t code =
        inner_.query_registration(machine, counterset, info, argument, buffer, actual);
    if (code == 0 && actual <= buffer.size())
      listener_(counterset, info, argument, buffer.first(actual));
    return code;
  }
  std::uint32_t open_query(const std::u16string& machine, PerflibHandle& query) override {
    return inner_.open_query(machine, query);
  }
  std::uint32_t close_query(PerflibHandle query) override { return inner_.close_query(query); }
  std::uint32_t query_counter_info(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override {
    return inner_.query_counter_info(query, buffer, actual);
  }
  std::uint32_t query_counter_data(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override {
    return inner_.query_counter_data(query, buffer, actual);
  }
  std::uint32_t add_counters(PerflibHandle query, Bytes identifiers) override {
    return inner_.add_counters(query, identifiers);
  }
  std::uint32_t delete_counters(PerflibHandle query, Bytes identifiers) override {
    return inner_.delete_counters(query, identifiers);
  }

 private:
  PerflibApi& inner_;
  Listener listener_;
};

}  // namespace winperf::capture
