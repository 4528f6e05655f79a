// The V1 provider of tests/providers/faulty on the simulated machine: "Faulty Device" and "Faulty
// Parts" are right until a control file says which harm it does to the process that asks, or what
// is wrong with its data, its names or its registration.
//
// "Requests" grows by 10 a second of the machine's clock, in every process alike; "Jobs" is from 0
// to 9.
#pragma once

#include <filesystem>

#include "tests/simulator/machine.h"

namespace winperf::simulator {

inline constexpr std::uint32_t kFaultyObject = 3000;
inline constexpr std::uint32_t kFaultyParts = 3006;

class FaultyProvider final : public V1Provider {
 public:
  // `machine` outlives the provider. With `eager`, it has no list of objects, so that it is called
  // for every query.
  FaultyProvider(const Machine& machine, std::filesystem::path control_file, bool eager = false);

  std::uint32_t open(const char16_t* device_names) override;
  std::uint32_t collect(std::u16string_view query, std::byte*& data, std::uint32_t& bytes,
                        std::uint32_t& object_types) override;
  std::uint32_t close() override;
  std::vector<std::pair<std::uint32_t, std::u16string>> names() const override;
  bool is_registered() const override;

 private:
  // Of its first name; another one while its names are moved.
  std::uint32_t first_title() const;

  const Machine& machine_;
  std::filesystem::path control_file_;
};

}  // namespace winperf::simulator
