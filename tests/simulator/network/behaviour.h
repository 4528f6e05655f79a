// How a machine of the simulated network behaves: its name says so, and a configuration that names
// targets thereby says everything.
//
//   srv-*          well
//   slow-*         answers after 400 ms
//   hang-*         never answers
//   hangs-later-*  answers the first queries that a process makes, then never again
//   lies-*         sends blocks whose lengths and counts are wrong
//   crash-*        ends the process that reads it, as a hostile reply might
//   reboots-*      was started less than a minute ago: its counters and clocks begin anew
//   renumbered-*   numbers its objects and counters differently from all others
//   german-*       has German names beside the English ones
//   old-*          has neither PerfLib nor V2 providers, and supports no metadata
//   denied-*       refuses this account
//   gone-*         isn't there, like all that have other names
// Thread rule: any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace winperf::simulator {

enum class Behaviour : std::uint8_t {
  kWell,
  kSlow,
  kHangs,
  kHangsLater,
  kLies,
  kCrashes,
  kReboots,
  kRenumbered,
  kGerman,
  kOld,
  kDenied,
  kGone,
};

// In lower case, and without the "\\" that may stand before it.
std::string plain_name(std::string_view machine);

// `machine`: a plain name.
Behaviour behaviour_of(std::string_view machine);

}  // namespace winperf::simulator
