// The registry source of Windows on a machine that keeps Windows' contract: the two functions of
// the registry that it calls are led to the simulator, whose providers stay open from the first
// query until the key is closed. (Wine loads and unloads its providers with each query.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <windows.h>

#include "collectors/sources/platform.h"
#include "tests/collectors/sources/win/import_hook.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/registry_face.h"
#include "tests/simulator/standard_machine.h"

// What this program's calls to these functions jump through.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern decltype(&RegQueryValueExW) __imp_RegQueryValueExW;
extern decltype(&RegCloseKey) __imp_RegCloseKey;
// NOLINTEND(bugprone-reserved-identifier)
}

namespace winperf {
namespace {

using ::testing::Each;
using ::testing::SizeIs;

simulator::RegistryFace* face = nullptr;
decltype(&RegQueryValueExW) windows_query_value = nullptr;
decltype(&RegCloseKey) windows_close_key = nullptr;

LSTATUS WINAPI query_performance_key(HKEY key, LPCWSTR name, LPDWORD reserved, LPDWORD type,
                                     LPBYTE data, LPDWORD size) {
  if (key != HKEY_PERFORMANCE_DATA)
    return windows_query_value(key, name, reserved, type, data, size);
  const std::wstring_view wide(name);
  std::size_t written = 0;
  const std::uint32_t status =
      face->query_value(std::u16string(wide.begin(), wide.end()),
                        {reinterpret_cast<std::byte*>(data), *size}, written);
  *size = static_cast<DWORD>(written);
  return static_cast<LSTATUS>(status);
}

LSTATUS WINAPI close_performance_key(HKEY key) {
  if (key != HKEY_PERFORMANCE_DATA) return windows_close_key(key);
  face->close();
  return ERROR_SUCCESS;
}

class PerformanceKeyTest : public ::testing::Test {
 protected:
  PerformanceKeyTest() : things_(simulator::thing_provider(machine_)), face_(machine_) {
    machine_.add(things_);
    face = &face_;
    windows_query_value = query_hook_.original();
    windows_close_key = close_hook_.original();
    source_ = make_registry_source().value();
  }

  simulator::Machine machine_;
  std::shared_ptr<simulator::ObjectProvider> things_;
  simulator::RegistryFace face_;
  testing::ImportHook<decltype(&RegQueryValueExW)> query_hook_{__imp_RegQueryValueExW,
                                                               &query_performance_key};
  testing::ImportHook<decltype(&RegCloseKey)> close_hook_{__imp_RegCloseKey,
                                                          &close_performance_key};
  std::unique_ptr<CounterSource> source_;
};

TEST_F(PerformanceKeyTest, ProvidersAreOpenedByTheFirstQueryAndThenOnlyCollect) {
  EXPECT_EQ(things_->opened, 0);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(source_->query("2000", {}));
  EXPECT_EQ(things_->opened, 1);
  EXPECT_EQ(things_->closed, 0);
  EXPECT_THAT(things_->queries, SizeIs(5));
  EXPECT_THAT(things_->queries, Each(u"2000"));
}

TEST_F(PerformanceKeyTest, ReleasingClosesThemAndTheNextQueryOpensThemAgain) {
  ASSERT_TRUE(source_->query("2000", {}));
  source_->release();
  EXPECT_EQ(things_->closed, 1);
  source_->release();
  EXPECT_EQ(face_.closed(), 1) << "there was nothing to close";
  ASSERT_TRUE(source_->query("2000", {}));
  EXPECT_EQ(things_->opened, 2);
  EXPECT_EQ(things_->closed, 1);
}

TEST_F(PerformanceKeyTest, TheEndOfTheSourceClosesThem) {
  ASSERT_TRUE(source_->query("2000", {}));
  source_.reset();
  EXPECT_EQ(things_->closed, 1);
  EXPECT_EQ(face_.closed(), 1);
}

TEST_F(PerformanceKeyTest, NamesAloneLeaveNothingToClose) {
  ASSERT_TRUE(source_->text_tables(TextTable::kCounter, Language::kEnglish).at(0));
  EXPECT_THAT(face_.queries(), Each(u"Counter 009"));
  source_.reset();
  EXPECT_EQ(face_.closed(), 0);
}

TEST_F(PerformanceKeyTest, AnErrorThatAFreshStartMayCureClosesIt) {
  ASSERT_TRUE(source_->query("2000", {}));
  machine_.faults.fail(simulator::Point::kRegistryQuery, ERROR_ACCESS_DENIED, 1);
  EXPECT_EQ(source_->query("2000", {}).error().code, ErrorCode::kAccessDenied);
  EXPECT_EQ(things_->closed, 1);
  machine_.faults.fail(simulator::Point::kRegistryQuery, ERROR_INVALID_HANDLE, 1);
  EXPECT_TRUE(source_->query("2000", {})) << "it was asked again";
  EXPECT_EQ(face_.closed(), 2);
}

TEST_F(PerformanceKeyTest, AReplyLargerThanTheLimitDoesNot) {
  source_ = make_registry_source({.max_bytes = 64}).value();
  EXPECT_EQ(source_->query("2000", {}).error().code, ErrorCode::kBufferLimit);
  EXPECT_EQ(face_.closed(), 0);
}

}  // namespace
}  // namespace winperf
