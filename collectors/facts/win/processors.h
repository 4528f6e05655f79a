// The processors as the kernel and the registry know them, for when WMI doesn't answer: without
// what the firmware alone tells (how many cores are enabled) and WMI's number of the family.
// Thread rule: any thread.
#pragma once

#include "collectors/facts/win/topics.h"

namespace winperf {

FactAnswer read_processors_without_wmi();

}  // namespace winperf
