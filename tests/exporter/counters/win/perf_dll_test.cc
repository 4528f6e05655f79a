// The extension DLL in a consumer that does all that a consumer may do to it, and more.
#include <gtest/gtest.h>
#include <windows.h>

#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "exporter/counters/section_writer.h"
#include "tests/exporter/counters/section_builder.h"
#include "tests/exporter/counters/win/global_section.h"
#include "tests/exporter/counters/win/perf_dll.h"
#include "tests/support/thorough.h"

namespace winperf::own {
namespace {

using testing::DllReply;
using testing::expect_no_data;
using testing::expect_one_state;
using testing::filetime_now;
using testing::MappedSection;

// After Wine's debugger has shown an exception, the process ends as if it had succeeded.
LONG WINAPI end_with_failure(EXCEPTION_POINTERS*) {
  TerminateProcess(GetCurrentProcess(), EXIT_FAILURE);
  return EXCEPTION_CONTINUE_SEARCH;
}

class PerfDllTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(dll_.loaded()) << OWN_PERF_DLL << ": error " << GetLastError();
    registry_.set_both();
    // Asked once: what the DLL has left open later is no service.
    static const bool published = testing::is_published();
    if (published) GTEST_SKIP() << "a service publishes its counters on this machine";
    ASSERT_FALSE(testing::is_published());
  }
  void TearDown() override {
    // The DLL stays loaded, and with it the count.
    while (opened_ > 0) close();
  }

  void open() {
    ASSERT_EQ(dll_.open(), DWORD{ERROR_SUCCESS});
    ++opened_;
  }
  void close() {
    EXPECT_EQ(dll_.close(), DWORD{ERROR_SUCCESS});
    --opened_;
  }
  void create_section() {
    section_ = std::make_unique<MappedSection>(kSectionWords);
    ASSERT_FALSE(section_->words().empty());
    writer_ = std::make_unique<SectionWriter>(section_->words());
  }
  std::uint64_t publish(std::size_t rows, std::int64_t written_at = filetime_now()) {
    const std::uint64_t number = writer_->next_number();
    writer_->publish(testing::numbered_state(number, written_at, rows));
    return number;
  }
  // A section that another version of the service has written.
  void put_section(const testing::SectionBuilder& builder, HANDLE file = INVALID_HANDLE_VALUE) {
    section_.reset();
    section_ = std::make_unique<MappedSection>(builder.words().size(), file);
    ASSERT_EQ(section_->words().size(), builder.words().size());
    for (std::size_t i = 0; i < builder.words().size(); ++i)
      section_->words()[i].store(builder.words()[i]);
  }

  testing::SectionTurn turn_;
  testing::PerfDll dll_;
  testing::RegisteredIndices registry_;
  std::unique_ptr<MappedSection> section_;
  std::unique_ptr<SectionWriter> writer_;
  int opened_ = 0;
};

TEST_F(PerfDllTest, ShowsTheNewestState) {
  open();
  create_section();
  for (std::size_t rows : {std::size_t{0}, std::size_t{3}, std::size_t{40}}) {
    const std::uint64_t number = publish(rows);
    EXPECT_EQ(expect_one_state(dll_.collect(), rows), number);
    EXPECT_EQ(expect_one_state(dll_.collect(), rows), number);  // and again
  }
  EXPECT_EQ(dll_.collect(L"4000").objects, 1U);
  EXPECT_EQ(dll_.collect(L"MetadataGlobal").objects, 2U);
  expect_no_data(dll_.collect(L"Costly"));
}

TEST_F(PerfDllTest, LeavesATinyRoomAlone) {
  open();
  create_section();
  publish(2);
  const std::size_t need = dll_.collect().data.size();
  ASSERT_GT(need, 0U);
  const std::size_t step = winperf::testing::tried_every(61);
  for (std::size_t room = 0; room < need; room += step) {
    const DllReply reply = dll_.collect(L"Global", room);
    ASSERT_EQ(reply.status, DWORD{ERROR_MORE_DATA}) << room;
    ASSERT_EQ(reply.objects, 0U);
    ASSERT_TRUE(reply.data.empty() && reply.moved_by_size && reply.untouched) << room;
  }
  EXPECT_EQ(dll_.collect(L"Global", need - 1).status, DWORD{ERROR_MORE_DATA});
  EXPECT_EQ(dll_.collect(L"Global", need).data.size(), need);
}

TEST_F(PerfDllTest, HasNoDataBeforeOpenAndAfterClose) {
  create_section();
  publish(1);
  expect_no_data(dll_.collect());
  EXPECT_EQ(dll_.close(), DWORD{ERROR_SUCCESS});  // without Open
  expect_no_data(dll_.collect());
  open();
  open();
  close();
  expect_one_state(dll_.collect(), 1);
  close();
  expect_no_data(dll_.collect());
}

TEST_F(PerfDllTest, OpenSaysWhatIsMissingInTheRegistry) {
  create_section();
  publish(1);
  registry_.set(L"First Help", 0, REG_BINARY);
  EXPECT_EQ(dll_.open(), DWORD{ERROR_INVALID_DATA});
  expect_no_data(dll_.collect());
  registry_.clear();
  EXPECT_EQ(dll_.open(), DWORD{ERROR_FILE_NOT_FOUND});
  expect_no_data(dll_.collect());
}

// A monitor keeps the DLL of an older version, while the names are those of a newer one.
TEST_F(PerfDllTest, OpenRefusesTheNamesOfAnotherVersion) {
  create_section();
  publish(1);
  const DWORD last =
      testing::kFirstCounter + title_offset(kCountersetObject, kCountersetRows.size() - 1);
  for (const DWORD other : {last - 2, last + 2, testing::kFirstCounter - 2}) {
    registry_.set(L"Last Counter", other);
    EXPECT_EQ(dll_.open(), DWORD{ERROR_INVALID_DATA}) << other;
    expect_no_data(dll_.collect());
  }
  registry_.set(L"Last Counter", last);
  open();
  expect_one_state(dll_.collect(), 1);
}

TEST_F(PerfDllTest, FindsAServiceThatStartsAndStopsAtOnce) {
  open();
  expect_no_data(dll_.collect());
  for (int start = 0; start < 3; ++start) {
    create_section();
    expect_no_data(dll_.collect());
    EXPECT_EQ(publish(1), 1U);
    EXPECT_EQ(expect_one_state(dll_.collect(), 1), 1U);
    section_->close();
    expect_no_data(dll_.collect());
    section_.reset();
  }
}

TEST_F(PerfDllTest, ShowsNothingOfAStateOfAnotherTime) {
  open();
  create_section();
  publish(1, filetime_now() - 2 * kOldestState);
  expect_no_data(dll_.collect());
  publish(1, filetime_now() + 2 * kOldestState);
  expect_no_data(dll_.collect());
  publish(1);
  expect_one_state(dll_.collect(), 1);
}

TEST_F(PerfDllTest, ToleratesOtherVersionsAndDamage) {
  open();
  using testing::SectionBuilder;
  SectionBuilder older(5, 4, 2);
  older.put_state(3, filetime_now(), 2);
  put_section(older);
  const DllReply reply = dll_.collect();
  EXPECT_EQ(reply.objects, 2U);
  const auto objects = sysperf::walk(reply.data, testing::kFirstCounter);
  EXPECT_EQ(objects.at(title_offset(kExporterObject)).counters.size(), 5U);
  EXPECT_EQ(objects.at(title_offset(kCountersetObject)).counters.size(), 3U);  // without its base

  SectionBuilder newer(60, 30, 3);
  newer.put_state(9, filetime_now(), 3);
  put_section(newer);
  EXPECT_EQ(expect_one_state(dll_.collect(), 3), 9U);

  SectionBuilder other(kExporterValues, kCountersetValues, 2);
  other.put_state(3, filetime_now(), 2);
  other.head(Head::kLayout) = 2;
  put_section(other);
  expect_no_data(dll_.collect());

  SectionBuilder damaged(kExporterValues, kCountersetValues, 2);
  damaged.put_state(3, filetime_now(), 2);
  damaged.head(Head::kCopyWords) += 1;
  put_section(damaged);
  expect_no_data(dll_.collect());
}

TEST_F(PerfDllTest, DoesNotReadASectionWithoutMemory) {
  open();
  const HANDLE reserved =
      CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE | SEC_RESERVE, 0,
                         static_cast<DWORD>(kSectionBytes), testing::section_name());
  ASSERT_NE(reserved, nullptr);
  SetUnhandledExceptionFilter(end_with_failure);
  expect_no_data(dll_.collect());
  CloseHandle(reserved);
}

// Which may lie on another machine, and go away while it is read.
TEST_F(PerfDllTest, DoesNotReadASectionOfAFile) {
  open();
  wchar_t folder[MAX_PATH];
  wchar_t name[MAX_PATH];
  ASSERT_NE(GetTempPathW(MAX_PATH, folder), 0U);
  ASSERT_NE(GetTempFileNameW(folder, L"own", 0, name), 0U);
  const HANDLE file = CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_EXISTING,
                                  FILE_FLAG_DELETE_ON_CLOSE, nullptr);
  ASSERT_NE(file, INVALID_HANDLE_VALUE);
  testing::SectionBuilder sound(kExporterValues, kCountersetValues, 2);
  sound.put_state(3, filetime_now(), 2);
  put_section(sound, file);
  expect_no_data(dll_.collect());
  put_section(sound);
  EXPECT_EQ(expect_one_state(dll_.collect(), 2), 3U);
  CloseHandle(file);
}

TEST_F(PerfDllTest, AnswersSixteenThreadsThatOpenAndClose) {
  open();
  create_section();
  publish(5);
  const std::size_t rounds = winperf::testing::tried(20, 200);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 16; ++thread)
    threads.emplace_back([&] {
      for (std::size_t round = 0; round < rounds; ++round) {
        EXPECT_EQ(dll_.open(), DWORD{ERROR_SUCCESS});
        const DllReply reply = dll_.collect();
        // Written over four times while it was read: no data, which is allowed.
        if (reply.objects != 0) expect_one_state(reply, 5);
        EXPECT_EQ(dll_.close(), DWORD{ERROR_SUCCESS});
      }
    });
  for (std::size_t state = 0; state < 16 * rounds; ++state) publish(5);
  threads.clear();
  expect_one_state(dll_.collect(), 5);
  close();
  expect_no_data(dll_.collect());
}

TEST_F(PerfDllTest, StaysLoadedWhenAConsumerUnloadsItWhileItReads) {
  SetUnhandledExceptionFilter(end_with_failure);
  open();
  create_section();
  publish(2);
  const HMODULE module = GetModuleHandleA(OWN_PERF_DLL);
  ASSERT_NE(module, nullptr);
  const std::size_t rounds = winperf::testing::tried(50, 500);
  std::jthread reader([&] {
    for (std::size_t round = 0; round < rounds; ++round) expect_one_state(dll_.collect(), 2);
  });
  // More often than it was loaded.
  for (int time = 0; time < 20; ++time) FreeLibrary(module);
  reader.join();
  EXPECT_EQ(GetModuleHandleA(OWN_PERF_DLL), module);
  expect_one_state(dll_.collect(), 2);
}

// Wine says 0 handles and 0 bytes of each process. So: the number of a new handle, which is the
// first that is free, and all memory that is committed, views of sections too.
struct Usage {
  std::size_t next_handle = 0;
  std::size_t committed_bytes = 0;
};

Usage usage() {
  Usage used;
  const HANDLE event = CreateEventW(nullptr, FALSE, FALSE, nullptr);
  used.next_handle = reinterpret_cast<std::size_t>(event);
  CloseHandle(event);
  MEMORY_BASIC_INFORMATION region{};
  for (const char* at = nullptr; VirtualQuery(at, &region, sizeof region) == sizeof region;
       at = static_cast<const char*>(region.BaseAddress) + region.RegionSize)
    if (region.State == MEM_COMMIT) used.committed_bytes += region.RegionSize;
  return used;
}

// Otherwise the next test would prove nothing.
TEST(PerfDllUsage, SeesHandlesAndMemory) {
  const Usage before = usage();
  const HANDLE event = CreateEventW(nullptr, FALSE, FALSE, nullptr);
  constexpr std::size_t kTaken = 1U << 16;
  void* const memory = VirtualAlloc(nullptr, kTaken, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
  ASSERT_NE(memory, nullptr);
  const Usage after = usage();
  EXPECT_GT(after.next_handle, before.next_handle);
  EXPECT_GE(after.committed_bytes, before.committed_bytes + kTaken);
  VirtualFree(memory, 0, MEM_RELEASE);
  CloseHandle(event);
}

// 86,400 queries are those of a day, at one a second.
TEST_F(PerfDllTest, ADayOfQueriesTakesNoHandlesAndNoMemory) {
  open();
  create_section();
  publish(10);
  std::vector<std::byte> room(std::size_t{1} << 18);
  std::wstring query = L"Global";
  std::size_t replies = 0;
  const auto ask = [&](std::size_t times) {
    for (std::size_t i = 0; i < times; ++i) {
      if (i % 1000 == 0) publish(10);  // a state is of the last minute
      LPVOID data = room.data();
      auto bytes = static_cast<DWORD>(room.size());
      DWORD objects = 0;
      EXPECT_EQ(dll_.open(), DWORD{ERROR_SUCCESS});
      EXPECT_EQ(dll_.call(query.data(), &data, &bytes, &objects), DWORD{ERROR_SUCCESS});
      EXPECT_EQ(dll_.close(), DWORD{ERROR_SUCCESS});
      if (objects == 2) ++replies;
    }
  };
  ask(100);
  const Usage before = usage();
  const std::size_t times = winperf::testing::tried(5'000, 100'000);
  ask(times);
  const Usage after = usage();
  EXPECT_EQ(replies, times + 100);
  EXPECT_EQ(after.next_handle, before.next_handle);
  // Less than a byte per query.
  EXPECT_LE(after.committed_bytes, before.committed_bytes + (times < 65'536 ? 65'536 : times));
}

}  // namespace
}  // namespace winperf::own
