// Publishes states as the service does, until it is killed.
//
//   own_section_writer ROWS MILLISECONDS [EVENT]
//
// All values follow from a state's number (section_builder.h). Between two states it pauses for so
// long; 0 is not at all, so that it is killed in the middle of one. After the first state it sets
// the event, or without one prints a line.
#include <windows.h>

#include <cstdio>
#include <cstdlib>

#include "exporter/counters/section_writer.h"
#include "tests/exporter/counters/section_builder.h"
#include "tests/exporter/counters/win/global_section.h"

namespace {

using namespace winperf::own;

void renumber(OwnState& state, std::uint64_t number) {
  state.written_at = testing::filetime_now();
  for (std::size_t i = 0; i < kExporterValues; ++i)
    state.exporter[i] = testing::exporter_value_of(number, i);
  for (std::size_t row = 0; row < state.countersets.size(); ++row)
    for (std::size_t i = 0; i < kCountersetValues; ++i)
      state.countersets[row].values[i] = testing::counterset_value_of(number, row, i);
}

void tell(const wchar_t* name) {
  if (name == nullptr) {
    std::puts("publishing");
    std::fflush(stdout);
    return;
  }
  const HANDLE event = OpenEventW(EVENT_MODIFY_STATE, FALSE, name);
  if (event == nullptr) return;
  SetEvent(event);
  CloseHandle(event);
}

}  // namespace

int wmain(int count, wchar_t** arguments) {
  if (count < 3) return 2;
  const auto rows = std::wcstoul(arguments[1], nullptr, 10);
  const auto pause = static_cast<DWORD>(std::wcstoul(arguments[2], nullptr, 10));
  const testing::MappedSection section(kSectionWords);
  if (section.words().empty()) return 1;
  SectionWriter writer(section.words());
  OwnState state = testing::numbered_state(0, 0, rows);
  for (bool first = true;; first = false) {
    renumber(state, writer.next_number());
    writer.publish(state);
    if (first) tell(count > 3 ? arguments[3] : nullptr);
    if (pause != 0) Sleep(pause);
  }
}
