#include "tests/simulator/network/behaviour.h"

#include <algorithm>

#include "collectors/base/ascii.h"

namespace winperf::simulator {
namespace {

struct Entry {
  std::string_view prefix;
  Behaviour behaviour;
};

constexpr Entry kEntries[] = {
    {"srv-", Behaviour::kWell},        {"slow-", Behaviour::kSlow},
    {"hang-", Behaviour::kHangs},      {"hangs-later-", Behaviour::kHangsLater},
    {"lies-", Behaviour::kLies},       {"crash-", Behaviour::kCrashes},
    {"reboots-", Behaviour::kReboots}, {"renumbered-", Behaviour::kRenumbered},
    {"german-", Behaviour::kGerman},   {"old-", Behaviour::kOld},
    {"denied-", Behaviour::kDenied},
};

}  // namespace

std::string plain_name(std::string_view machine) {
  machine.remove_prefix(std::min(machine.find_first_not_of('\\'), machine.size()));
  return ascii_lower(machine);
}

Behaviour behaviour_of(std::string_view machine) {
  for (const Entry& entry : kEntries)
    if (machine.starts_with(entry.prefix)) return entry.behaviour;
  return Behaviour::kGone;
}

}  // namespace winperf::simulator
