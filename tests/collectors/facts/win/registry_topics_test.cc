#include "collectors/facts/win/topics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "collectors/base/path_text.h"
#include "tests/collectors/facts/win/fact_values.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::string_literals;

class RegistryTopics : public ::testing::Test {
 public:
  RegistryTopics() : path_(L"Software\\winperf_exporter_registry_topics_test") { remove(); }
  ~RegistryTopics() override { remove(); }

 protected:
  void set(const std::wstring& key, const wchar_t* value, DWORD type, const void* data,
           std::size_t bytes) const {
    const std::wstring path = key.empty() ? path_ : path_ + L"\\" + key;
    ASSERT_EQ(RegSetKeyValueW(HKEY_CURRENT_USER, path.c_str(), value, type, data,
                              static_cast<DWORD>(bytes)),
              ERROR_SUCCESS);
  }
  void text(const std::wstring& key, const wchar_t* value, const std::wstring& text,
            DWORD type = REG_SZ) const {
    set(key, value, type, text.c_str(), (text.size() + 1) * sizeof(wchar_t));
  }
  void number(const wchar_t* value, DWORD number) const {
    set(L"", value, REG_DWORD, &number, sizeof number);
  }

  std::wstring path_;

 private:
  void remove() const { RegDeleteTreeW(HKEY_CURRENT_USER, path_.c_str()); }
};

TEST_F(RegistryTopics, WithoutIisThereIsNoRow) {
  auto answer = read_iis(HKEY_CURRENT_USER, path_);
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(*answer, FactTable());
  number(L"MajorVersion", 0);
  number(L"MinorVersion", 0);
  answer = read_iis(HKEY_CURRENT_USER, path_);
  ASSERT_TRUE(answer);
  EXPECT_THAT(answer->rows, IsEmpty()) << "what is left of it";
}

TEST_F(RegistryTopics, IisHasAVersion) {
  number(L"MajorVersion", 10);
  number(L"MinorVersion", 0);
  const auto answer = read_iis(HKEY_CURRENT_USER, path_);
  ASSERT_TRUE(answer);
  EXPECT_THAT(answer->rows, ElementsAre(FactRow()
                                            .number("major_version", 10)
                                            .number("minor_version", 0)
                                            .text("version", "10.0")));
}

TEST_F(RegistryTopics, WithoutSqlServerThereIsNoRow) {
  const auto answer = read_sql_servers(HKEY_CURRENT_USER, path_);
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(*answer, FactTable());
}

TEST_F(RegistryTopics, EachInstanceOfSqlServerIsARow) {
  text(L"Instance Names\\SQL", L"MSSQLSERVER", L"MSSQL16.MSSQLSERVER");
  text(L"Instance Names\\SQL", L"LOST", L"MSSQL15.LOST");
  text(L"MSSQL16.MSSQLSERVER\\Setup", L"Edition", L"Developer Edition");
  text(L"MSSQL16.MSSQLSERVER\\Setup", L"Version", L"16.0.1000.6");
  text(L"MSSQL16.MSSQLSERVER\\Setup", L"PatchLevel", L"16.0.4135.4");
  const auto answer = read_sql_servers(HKEY_CURRENT_USER, path_);
  ASSERT_TRUE(answer) << describe(answer.error());
  ASSERT_THAT(answer->rows, SizeIs(2));
  const FactRow* const found = row_with(*answer, "instance", "MSSQLSERVER");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(*found, FactRow()
                        .text("instance", "MSSQLSERVER")
                        .text("edition", "Developer Edition")
                        .text("version", "16.0.1000.6")
                        .text("patch", "16.0.4135.4"));
  const FactRow* const lost = row_with(*answer, "instance", "LOST");
  ASSERT_NE(lost, nullptr);
  EXPECT_EQ(*lost, FactRow().text("instance", "LOST")) << "only what is known";
  EXPECT_THAT(answer->problems, ElementsAre(HasSubstr("LOST cannot be read")));
}

TEST_F(RegistryTopics, WithoutPagingFilesThereIsNoRow) {
  const auto answer = read_pagefiles(HKEY_CURRENT_USER, path_);
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(*answer, FactTable());
}

TEST_F(RegistryTopics, PagingFilesHaveTheirSizesEvenIfNobodyMayOpenThem) {
  constexpr std::size_t kBytes = 12'345;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / L"winperf_exporter_pagefile_test.sys";
  std::ofstream(file, std::ios::binary) << std::string(kBytes, 'x');
  const std::wstring missing = L"\\??\\C:\\no such folder\\pagefile.sys";
  text(L"", L"ExistingPageFiles", L"\\??\\" + file.wstring() + L"\0"s + missing + L"\0"s,
       REG_MULTI_SZ);
  const HANDLE locked =
      CreateFileW(file.c_str(), GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr);
  ASSERT_NE(locked, INVALID_HANDLE_VALUE);
  const auto answer = read_pagefiles(HKEY_CURRENT_USER, path_);
  CloseHandle(locked);
  std::filesystem::remove(file);
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_THAT(answer->rows,
              ElementsAre(FactRow().text("file", path_text(file)).number("size", kBytes),
                          FactRow().text("file", "C:\\no such folder\\pagefile.sys")));
  EXPECT_THAT(answer->problems, ElementsAre(HasSubstr("C:\\no such folder\\pagefile.sys cannot")));
}

TEST(RegistryTopicsOfThisMachine, AreAnswered) {
  for (const auto& answer : {read_iis(), read_sql_servers(), read_pagefiles()}) {
    ASSERT_TRUE(answer) << describe(answer.error());
    EXPECT_TRUE(says_only_what_is_known(*answer));
  }
}

}  // namespace
}  // namespace winperf
