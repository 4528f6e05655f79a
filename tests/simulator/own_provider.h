// The exporter's own counters on a simulated machine, by both roads of the product: the functions
// of its V1 extension DLL, and its V2 provider. Both read the section of own_section.h when a
// consumer asks, so the machine may be in another process than the exporter.
//
// On a real machine only one of them is registered. Here both are, and V1 has the lower title
// indices, so that readers of the registry get V1's object and those of PerfLib V2's.
// Thread rule: as for V1Provider and V2Provider.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "exporter/counters/extension.h"
#include "tests/simulator/definitions.h"
#include "tests/simulator/machine.h"

namespace winperf::simulator {

// A FILETIME: the clock of whoever writes the section.
using OwnClock = std::function<std::int64_t()>;

class OwnExtension final : public V1Provider {
 public:
  // `titles`: as the machine has assigned them.
  OwnExtension(std::filesystem::path section, own::TitleIndices titles, OwnClock now);

  std::uint32_t open(const char16_t* device_names) override;
  std::uint32_t collect(std::u16string_view query, std::byte*& data, std::uint32_t& bytes,
                        std::uint32_t& object_types) override;
  std::uint32_t close() override;
  Names names() const override;
  Names local_names() const override;  // German
  Names helps() const override;

  // What went to the event log.
  struct Report {
    own::Trouble trouble{};
    std::uint32_t detail = 0;
    bool operator==(const Report&) const = default;
  };
  const std::vector<Report>& reports() const { return reports_; }

 private:
  static own::Surroundings surroundings_of(OwnExtension* provider);

  const std::filesystem::path section_;
  const own::TitleIndices titles_;
  const OwnClock now_;
  std::vector<Report> reports_;
  own::Extension extension_;
};

// What winperf_exporter.man declares.
std::vector<CountersetDefinition> own_definitions();

std::shared_ptr<V2Provider> own_v2_provider(std::filesystem::path section, OwnClock now);

// Adds both.
void add_own_counters(Machine& machine, const std::filesystem::path& section, const OwnClock& now);

}  // namespace winperf::simulator
