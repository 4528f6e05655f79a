// A service that is killed in the middle of an update: the extension DLL still has a whole state.
#include <gtest/gtest.h>
#include <windows.h>

#include <string>

#include "exporter/counters/section_view.h"
#include "tests/exporter/counters/win/global_section.h"
#include "tests/exporter/counters/win/perf_dll.h"
#include "tests/support/thorough.h"

namespace winperf::own {
namespace {

using testing::MappedSection;

constexpr std::size_t kKilledRows = kMaxRows;  // so that most of the time goes into an update

// Whether a state is being written: a copy's first number isn't its last.
bool has_torn_copy(std::span<const Word> words) {
  for (std::size_t copy = 0; copy < 2; ++copy) {
    const auto begin = kHeadWords + copy * kOwnCopyWords;
    if (words[begin].load() != words[begin + kOwnCopyWords - 1].load()) return true;
  }
  return false;
}

// Stops the writer's thread in the middle of an update. A thread that is asked to stop may run on
// until its context can be read.
bool stopped_in_an_update(HANDLE thread, std::span<const Word> words) {
  constexpr int kTries = 100'000;  // an update takes more time than the numbers for the next one
  for (int attempt = 0; attempt < kTries; ++attempt) {
    CONTEXT context{};
    context.ContextFlags = CONTEXT_CONTROL;
    if (SuspendThread(thread) == DWORD(-1) || !GetThreadContext(thread, &context)) return false;
    if (has_torn_copy(words)) return true;
    ResumeThread(thread);
    SwitchToThread();
  }
  return false;
}

enum class Moment { kAny, kInAnUpdate };

// Starts a writer, kills it after it has published at least one state, and waits for its end.
void run_and_kill(HANDLE published, const std::wstring& event, Moment moment,
                  std::span<const Word> words) {
  std::wstring path(OWN_SECTION_WRITER_W);
  std::wstring command = L"\"" + path + L"\" " + std::to_wstring(kKilledRows) + L" 0 " + event;
  STARTUPINFOW startup{};
  startup.cb = sizeof startup;
  PROCESS_INFORMATION process{};
  ASSERT_TRUE(CreateProcessW(nullptr, command.data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr,
                             &startup, &process))
      << GetLastError();
  const HANDLE either[] = {published, process.hProcess};
  EXPECT_EQ(WaitForMultipleObjects(2, either, FALSE, INFINITE), DWORD{WAIT_OBJECT_0});
  if (moment == Moment::kInAnUpdate) {
    EXPECT_TRUE(stopped_in_an_update(process.hThread, words)) << GetLastError();
  }
  EXPECT_TRUE(TerminateProcess(process.hProcess, 1));
  EXPECT_EQ(WaitForSingleObject(process.hProcess, INFINITE), DWORD{WAIT_OBJECT_0});
  if (moment == Moment::kInAnUpdate) {
    EXPECT_TRUE(has_torn_copy(words)) << "the writer wasn't killed in the middle of an update";
  }
  CloseHandle(process.hThread);
  CloseHandle(process.hProcess);
}

TEST(PerfDllKills, AKilledServiceLeavesAWholeState) {
  const testing::SectionTurn turn;
  testing::RegisteredIndices registry;
  registry.set_both();
  const testing::PerfDll dll;
  ASSERT_TRUE(dll.loaded());
  if (testing::is_published()) GTEST_SKIP() << "a service publishes its counters on this machine";
  const MappedSection section(kSectionWords);
  ASSERT_FALSE(section.words().empty());
  ASSERT_EQ(dll.open(), DWORD{ERROR_SUCCESS});
  const std::wstring name = L"winperf_published_" + std::to_wstring(GetCurrentProcessId());
  const HANDLE published = CreateEventW(nullptr, FALSE, FALSE, name.c_str());
  ASSERT_NE(published, nullptr);
  const std::size_t kills = winperf::testing::tried(10, 100);
  std::uint64_t last = 0;
  for (std::size_t kill = 0; kill < kills && !HasFatalFailure(); ++kill) {
    run_and_kill(published, name, kill % 2 == 0 ? Moment::kInAnUpdate : Moment::kAny,
                 section.words());
    const auto state = SectionView(section.words()).newest();
    ASSERT_TRUE(state);
    const std::uint64_t number =
        testing::expect_one_state(dll.collect(L"Global", std::size_t{1} << 20), kKilledRows);
    EXPECT_EQ(number, state->number());
    EXPECT_GT(number, last);
    last = number;
  }
  CloseHandle(published);
  EXPECT_EQ(dll.close(), DWORD{ERROR_SUCCESS});
}

}  // namespace
}  // namespace winperf::own
