// Events as wevtutil prints them with /f:RenderedXml: number, source and text.
//
// Input is the output of a program of Windows, with texts that any program may have written there.
// Not XML in general: what isn't as wevtutil writes it is left out. At most 10,000 events.
// Thread rule: pure functions. Source: Learn, wevtutil; "Event Schema", EventID and RenderingInfo.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::selftest {

struct RenderedEvent {
  std::uint32_t id = 0;
  std::string provider{};
  std::optional<std::string> message{};  // nothing: Windows has no description for it
};

std::vector<RenderedEvent> rendered_events(std::string_view output);

}  // namespace winperf::selftest
