// A V1 provider with the object "Faulty Device", whose data is right whenever it does no harm to
// the process that asks. tests/providers/faulty/harm.h says what harm there is; a control file says
// which of it is done.
//
// "Requests" grows by 10 a second of the machine's clock, in every process alike; "Jobs" is from 0
// to 9.
#pragma once

#include <filesystem>

#include "tests/simulator/machine.h"

namespace winperf::simulator {

inline constexpr std::uint32_t kFaultyObject = 3000;

class FaultyProvider final : public V1Provider {
 public:
  // `machine` outlives the provider.
  FaultyProvider(const Machine& machine, std::filesystem::path control_file);

  std::uint32_t open(const char16_t* device_names) override;
  std::uint32_t collect(std::u16string_view query, std::byte*& data, std::uint32_t& bytes,
                        std::uint32_t& object_types) override;
  std::uint32_t close() override;
  std::vector<std::pair<std::uint32_t, std::u16string>> names() const override {
    return honest_.names();
  }

 private:
  ObjectProvider honest_;
  std::filesystem::path control_file_;
};

}  // namespace winperf::simulator
