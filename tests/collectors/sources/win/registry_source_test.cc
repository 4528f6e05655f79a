// The registry source against whatever providers this system has.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "collectors/base/stop.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/sources/platform.h"
#include "tests/collectors/sources/win/block_walk.h"
#include "tests/collectors/sources/win/test_provider.h"
#include "tests/support/win/wine.h"

namespace winperf {
namespace {

constexpr const wchar_t* kPerflib = L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib";

std::unique_ptr<CounterSource> make_source() { return make_registry_source().value(); }

TEST(RegistrySource, GlobalGivesABlockOfItsExactLength) {
  const auto source = make_source();
  testing::walk_reply(source->query("Global", {}));
}

TEST(RegistrySource, IndexListGivesABlockOfItsExactLength) {
  const auto source = make_source();
  testing::walk_reply(source->query("2 4 230 238", {}));
}

TEST(RegistrySource, UnknownIndicesGiveASoundBlockWithoutThem) {
  const auto source = make_source();
  const testing::WalkedBlock block = testing::walk_reply(source->query("999998 1000000", {}));
  EXPECT_EQ(block.find(999'998), nullptr);
  EXPECT_EQ(block.find(1'000'000), nullptr);
}

TEST(RegistrySource, RepeatedQueriesGiveLaterSamples) {
  const auto source = make_source();
  LONGLONG last = 0;
  for (int i = 0; i < 10; ++i) {
    const testing::WalkedBlock block = testing::walk_reply(source->query("2", {}));
    EXPECT_GT(block.header.PerfTime.QuadPart, last);
    last = block.header.PerfTime.QuadPart;
  }
}

TEST(RegistrySource, IsUsableAfterRelease) {
  const auto source = make_source();
  source->release();
  testing::walk_reply(source->query("2", {}));
  source->release();
  source->release();
  testing::walk_reply(source->query("2", {}));
}

TEST(RegistrySource, RefusesAValueNameThatTheSystemWouldTakeForGlobal) {
  const auto source = make_source();
  for (const std::string_view value_name : {std::string_view(), std::string_view("\0002", 2)}) {
    const auto reply = source->query(value_name, {});
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, ErrorCode::kNoSuchName);
  }
}

TEST(RegistrySource, DoesNotQueryWhenStopped) {
  const auto source = make_source();
  StopSource stop;
  stop.request_stop();
  const auto reply = source->query("Global", stop.token());
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kCancelled);
}

TEST(RegistrySource, ReportsABufferLimit) {
  const auto source = make_registry_source({.max_bytes = 64}).value();
  const auto reply = source->query("Global", {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kBufferLimit);
  EXPECT_EQ(reply.error().limit, 64U);
}

// A REG_MULTI_SZ: whole UTF-16 units, closed by two terminators.
void expect_text_table(const std::expected<Bytes, Error>& table) {
  ASSERT_TRUE(table) << describe(table.error());
  ASSERT_GE(table->size(), 4U);
  EXPECT_EQ(table->size() % 2, 0U);
  for (std::size_t i = table->size() - 4; i < table->size(); ++i)
    EXPECT_EQ((*table)[i], std::byte{0});
}

TEST(RegistrySource, DeliversTheEnglishTablesAndTheFileAfterIt) {
  const auto source = make_source();
  for (const TextTable table : {TextTable::kCounter, TextTable::kHelp}) {
    const auto candidates = source->text_tables(table, Language::kEnglish);
    ASSERT_EQ(candidates.size(), 2U);
    expect_text_table(candidates[0]);
    if (!candidates[1]) {
      EXPECT_EQ(candidates[1].error().code, ErrorCode::kNoSuchFile);
    }
  }
}

TEST(RegistrySource, DeliversTheBytesOfTheTableFile) {
  if (!testing::under_wine())
    GTEST_SKIP() << "NOT UNDER WINE: would write to this machine's system directory";
  wchar_t directory[MAX_PATH] = {};
  ASSERT_NE(GetSystemDirectoryW(directory, MAX_PATH), 0U);
  const auto path = std::filesystem::path(directory) / L"perfh009.dat";
  if (std::filesystem::exists(path))
    GTEST_SKIP() << "THIS WINE PREFIX HAS A perfh009.dat, which the test won't overwrite";
  const std::string_view content("3\0\0\0h\0\0\0\0\0", 10);
  std::ofstream(path, std::ios::binary) << content;
  const auto source = make_source();
  const auto candidates = source->text_tables(TextTable::kHelp, Language::kEnglish);
  std::filesystem::remove(path);
  ASSERT_EQ(candidates.size(), 2U);
  ASSERT_TRUE(candidates[1]) << describe(candidates[1].error());
  ASSERT_EQ(candidates[1]->size(), content.size());
  EXPECT_EQ(std::memcmp(candidates[1]->data(), content.data(), content.size()), 0);
}

TEST(RegistrySource, DeliversTheMachinesTables) {
  const auto source = make_source();
  const auto candidates = source->text_tables(TextTable::kCounter, Language::kMachine);
  ASSERT_GE(candidates.size(), 3U);
  expect_text_table(candidates[0]);
}

TEST(RegistrySource, ProviderGenerationStaysWhileNothingChanges) {
  const auto source = make_source();
  EXPECT_EQ(source->provider_generation(), source->provider_generation());
}

// Writes values of the Perflib key and takes them away again.
class PerflibValues {
 public:
  PerflibValues() {
    RegCreateKeyExW(HKEY_LOCAL_MACHINE, kPerflib, 0, nullptr, 0, KEY_ALL_ACCESS | KEY_WOW64_64KEY,
                    nullptr, key_.put(), nullptr);
  }
  PerflibValues(const PerflibValues&) = delete;
  PerflibValues& operator=(const PerflibValues&) = delete;
  ~PerflibValues() {
    for (const wchar_t* name : {L"Supports Metadata", L"Last Counter", L"Last Help"}) remove(name);
  }
  void set(const wchar_t* name, DWORD value, DWORD type = REG_DWORD) {
    ASSERT_EQ(RegSetValueExW(key_.get(), name, 0, type, reinterpret_cast<const BYTE*>(&value),
                             sizeof(value)),
              ERROR_SUCCESS);
  }
  void remove(const wchar_t* name) { RegDeleteValueW(key_.get(), name); }

 private:
  UniqueKey key_;
};

class PerflibValuesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::under_wine())
      GTEST_SKIP() << "NOT UNDER WINE: would write to this machine's Perflib key";
  }
};

TEST_F(PerflibValuesTest, SupportsMetadataIsANonzeroNumber) {
  PerflibValues values;
  const auto source = make_source();
  values.remove(L"Supports Metadata");
  EXPECT_FALSE(source->supports_metadata());
  values.set(L"Supports Metadata", 0);
  EXPECT_FALSE(source->supports_metadata());
  values.set(L"Supports Metadata", 1);
  EXPECT_TRUE(source->supports_metadata());
  values.set(L"Supports Metadata", 1, REG_BINARY);
  EXPECT_FALSE(source->supports_metadata());
}

TEST_F(PerflibValuesTest, ProviderGenerationFollowsTheHighestIndices) {
  PerflibValues values;
  const auto source = make_source();
  values.remove(L"Last Counter");
  values.remove(L"Last Help");
  const std::uint64_t none = source->provider_generation();
  values.set(L"Last Counter", 5000);
  const std::uint64_t counter = source->provider_generation();
  values.set(L"Last Help", 5001);
  const std::uint64_t help = source->provider_generation();
  EXPECT_NE(none, counter);
  EXPECT_NE(counter, help);
  values.remove(L"Last Help");
  EXPECT_EQ(source->provider_generation(), counter);
}

}  // namespace
}  // namespace winperf
