#include "collectors/base/win/key_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::UnorderedElementsAre;

constexpr const wchar_t* kPath = L"Software\\winperf_exporter_key_reader_test";

class KeyReaderTest : public ::testing::Test {
 protected:
  KeyReaderTest() { RegCreateKeyW(HKEY_CURRENT_USER, kPath, &key_); }
  ~KeyReaderTest() override {
    RegCloseKey(key_);
    RegDeleteKeyW(HKEY_CURRENT_USER, kPath);
  }
  void set(DWORD type, const std::wstring& text) const {
    RegSetValueExW(key_, L"value", 0, type, reinterpret_cast<const BYTE*>(text.data()),
                   static_cast<DWORD>(text.size() * sizeof(wchar_t)));
  }
  static auto strings() { return KeyReader(HKEY_CURRENT_USER, kPath).strings(L"value"); }

  HKEY key_ = nullptr;
};

TEST_F(KeyReaderTest, StringsAreThoseBetweenTheNuls) {
  using namespace std::string_literals;
  set(REG_MULTI_SZ, L"one\0two\0\0"s);
  EXPECT_THAT(strings(), Optional(ElementsAre(L"one", L"two")));
  set(REG_MULTI_SZ, L"one\0\0two\0\0"s);
  EXPECT_THAT(strings(), Optional(ElementsAre(L"one"))) << "the empty one is the end";
  set(REG_MULTI_SZ, L"one");
  EXPECT_THAT(strings(), Optional(ElementsAre(L"one"))) << "without a NUL";
  set(REG_MULTI_SZ, L"\0"s);
  EXPECT_THAT(strings(), Optional(IsEmpty()));
  set(REG_MULTI_SZ, L"");
  EXPECT_THAT(strings(), Optional(IsEmpty()));
}

TEST_F(KeyReaderTest, OtherTextHasNoStrings) {
  EXPECT_EQ(strings(), std::nullopt);
  set(REG_SZ, L"one");
  EXPECT_EQ(strings(), std::nullopt);
}

TEST_F(KeyReaderTest, KeyKnowsWhenItWasWritten) {
  const auto written = [] { return KeyReader(HKEY_CURRENT_USER, kPath).written(); };
  const auto before = written();
  ASSERT_NE(before, std::nullopt);
  EXPECT_EQ(written(), before);
  for (std::wstring text = L"one"; written() == before; text += L'x') set(REG_SZ, text);
  EXPECT_GT(written(), before);
  EXPECT_EQ(KeyReader(HKEY_CURRENT_USER, L"Software\\no such key").written(), std::nullopt);
}

TEST_F(KeyReaderTest, ValuesHaveNames) {
  const auto names = [] { return KeyReader(HKEY_CURRENT_USER, kPath).value_names(); };
  EXPECT_THAT(names(), IsEmpty());
  set(REG_SZ, L"one");
  const std::wstring long_name(300, L'n');
  RegSetValueExW(key_, long_name.c_str(), 0, REG_NONE, nullptr, 0);
  RegSetValueExW(key_, nullptr, 0, REG_NONE, nullptr, 0);
  EXPECT_THAT(names(), UnorderedElementsAre(L"value", long_name, L"")) << "the key's own is empty";
  EXPECT_THAT(KeyReader(HKEY_CURRENT_USER, L"no such key").value_names(), IsEmpty());
}

}  // namespace
}  // namespace winperf
