// A PerfLib that answers every call with the same error, for tests of what comes before the calls.
#pragma once

#include "collectors/base/os_code.h"
#include "collectors/sources/perflib_api.h"

namespace winperf::testing {

class RefusingPerflib : public PerflibApi {
 public:
  std::uint32_t enumerate_countersets(const std::u16string&, std::span<Guid>,
                                      std::uint32_t&) override {
    return kRefused;
  }
  std::uint32_t enumerate_instances(const std::u16string&, const Guid&, Bytes,
                                    std::uint32_t&) override {
    return kRefused;
  }
  std::uint32_t query_registration(const std::u16string&, const Guid&, RegistrationInfo,
                                   std::uint32_t, Bytes, std::uint32_t&) override {
    return kRefused;
  }
  std::uint32_t open_query(const std::u16string&, PerflibHandle&) override { return kRefused; }
  std::uint32_t close_query(PerflibHandle) override { return kRefused; }
  std::uint32_t query_counter_info(PerflibHandle, Bytes, std::uint32_t&) override {
    return kRefused;
  }
  std::uint32_t query_counter_data(PerflibHandle, Bytes, std::uint32_t&) override {
    return kRefused;
  }
  std::uint32_t add_counters(PerflibHandle, Bytes) override { return kRefused; }
  std::uint32_t delete_counters(PerflibHandle, Bytes) override { return kRefused; }

 private:
  static constexpr std::uint32_t kRefused = value_of(OsCode::kNotSupported);
};

}  // namespace winperf::testing
