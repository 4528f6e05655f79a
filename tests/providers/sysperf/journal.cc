#include "tests/providers/sysperf/journal.h"

#include <iterator>

namespace sysperf {
namespace {

constexpr std::chrono::hours kBetweenReports{1};

struct Wording {
  Subject subject;
  Trouble trouble;
  const wchar_t* text;
};
// In the order of Subject's values.
constexpr Wording kWordings[] = {
    {Subject::kRegistration, Trouble::kIndices,
     L"First Counter or First Help of its Performance key cannot be read; run \"lodctr "
     L"sysperf.ini\" to register the provider"},
    {Subject::kDevices, Trouble::kDevice,
     L"the device that Linkage\\Export names cannot be opened"},
    {Subject::kSystem, Trouble::kObject, L"the numbers of System are not available"},
    {Subject::kProcessor, Trouble::kObject, L"the numbers of Processor are not available"},
    {Subject::kMemory, Trouble::kObject, L"the numbers of Memory are not available"},
    {Subject::kProcess, Trouble::kObject, L"the numbers of Process are not available"},
    {Subject::kReply, Trouble::kMemory, L"there is not enough memory for the reply"},
};
constexpr std::size_t place_of(Subject subject) { return static_cast<std::size_t>(subject); }
static_assert(std::size(kWordings) == kSubjects);
static_assert([] {
  for (std::size_t i = 0; i < kSubjects; ++i)
    if (place_of(kWordings[i].subject) != i) return false;
  return true;
}());

}  // namespace

void Journal::failed(Subject subject, std::uint32_t error, const std::wstring& name) {
  const std::lock_guard lock(mutex_);
  State& state = states_.at(place_of(subject));
  const std::chrono::milliseconds now = clock_();
  if (state.reported || (state.last_report && now - *state.last_report < kBetweenReports)) {
    ++state.unreported;
    return;
  }
  const Wording& wording = kWordings[place_of(subject)];
  std::wstring text = wording.text;
  if (!name.empty()) text += L": " + name;
  text += L" (error " + std::to_wstring(error) + L")";
  if (state.unreported != 0)
    text += L"; unreported failures since the last report: " + std::to_wstring(state.unreported);
  state = {.reported = true, .last_report = now};
  sink_({wording.trouble, text});
}

void Journal::succeeded(Subject subject) {
  const std::lock_guard lock(mutex_);
  states_.at(place_of(subject)).reported = false;
}

}  // namespace sysperf
