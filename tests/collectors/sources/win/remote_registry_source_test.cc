// The source of another machine's registry on a network of one: connecting leads to a simulated
// machine's counters, and to a key of ours in the place of its HKEY_LOCAL_MACHINE.
#include "collectors/sources/platform.h"

#include <windows.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <span>

#include "tests/collectors/sources/win/import_hook.h"
#include "tests/simulator/registry_face.h"
#include "tests/simulator/standard_machine.h"

// What this program's calls to these functions jump through.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern decltype(&RegConnectRegistryW) __imp_RegConnectRegistryW;
extern decltype(&RegQueryValueExW) __imp_RegQueryValueExW;
extern decltype(&RegCloseKey) __imp_RegCloseKey;
// NOLINTEND(bugprone-reserved-identifier)
}

namespace winperf {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const wchar_t* kRoot = L"Software\\winperf_exporter_remote_test";
constexpr const wchar_t* kRemotePerflib =
    L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib";
const HKEY kData = reinterpret_cast<HKEY>(std::uintptr_t{0x4567'0000});

struct Network {
  std::vector<std::wstring> machines;  // as they were connected to
  std::vector<HKEY> keys;              // which of their keys
  std::deque<LSTATUS> refusals;        // of the next attempts; 0: none
  simulator::RegistryFace* face = nullptr;
  int local_closed = 0;
  HKEY local = nullptr;
};
Network* network = nullptr;
decltype(&RegQueryValueExW) real_query_value = nullptr;
decltype(&RegCloseKey) real_close_key = nullptr;

LSTATUS WINAPI connect_registry(LPCWSTR machine, HKEY key, PHKEY opened) {
  network->machines.emplace_back(machine);
  network->keys.push_back(key);
  LSTATUS status = ERROR_SUCCESS;
  if (!network->refusals.empty()) {
    status = network->refusals.front();
    network->refusals.pop_front();
  }
  if (status != ERROR_SUCCESS) return status;
  if (key == HKEY_PERFORMANCE_DATA) {
    *opened = kData;
    return ERROR_SUCCESS;
  }
  const LSTATUS created = RegCreateKeyExW(HKEY_CURRENT_USER, kRoot, 0, nullptr, 0, KEY_ALL_ACCESS,
                                          nullptr, opened, nullptr);
  network->local = *opened;
  return created;
}

LSTATUS WINAPI query_value(HKEY key, LPCWSTR name, LPDWORD reserved, LPDWORD type, LPBYTE data,
                           LPDWORD size) {
  if (key != kData) return real_query_value(key, name, reserved, type, data, size);
  const std::wstring_view wide(name);
  std::size_t written = 0;
  const std::uint32_t status =
      network->face->query_value(std::u16string(wide.begin(), wide.end()),
                                 {reinterpret_cast<std::byte*>(data), *size}, written);
  *size = static_cast<DWORD>(written);
  return static_cast<LSTATUS>(status);
}

LSTATUS WINAPI close_key(HKEY key) {
  if (key == kData) {
    network->face->close();
    return ERROR_SUCCESS;
  }
  if (key == network->local) ++network->local_closed;
  return real_close_key(key);
}

class RemoteRegistryTest : public ::testing::Test {
 protected:
  RemoteRegistryTest() : things_(simulator::thing_provider(machine_)), face_(machine_) {
    machine_.add(things_);
    network_.face = &face_;
    network = &network_;
    real_query_value = query_hook_.original();
    real_close_key = close_hook_.original();
    source_ = make_remote_source("SQL01").value();
  }
  ~RemoteRegistryTest() override {
    source_.reset();
    RegDeleteTreeW(HKEY_CURRENT_USER, kRoot);
  }

  // Of the machine's HKEY_LOCAL_MACHINE.
  static void set(const std::wstring& key, const wchar_t* name, DWORD type, const void* data,
                  std::size_t bytes) {
    const std::wstring path = std::wstring(kRoot) + L'\\' + key;
    ASSERT_EQ(RegSetKeyValueW(HKEY_CURRENT_USER, path.c_str(), name, type, data,
                              static_cast<DWORD>(bytes)),
              ERROR_SUCCESS);
  }
  static void set_number(const wchar_t* name, DWORD number) {
    set(kRemotePerflib, name, REG_DWORD, &number, sizeof number);
  }
  static void set_text(const std::wstring& key, const wchar_t* name, std::wstring_view text,
                       DWORD type = REG_SZ) {
    set(key, name, type, text.data(), text.size() * sizeof(wchar_t));
  }
  Error query_error() { return source_->query("2000", {}).error(); }

  simulator::Machine machine_;
  std::shared_ptr<simulator::ObjectProvider> things_;
  simulator::RegistryFace face_;
  Network network_;
  testing::ImportHook<decltype(&RegConnectRegistryW)> connect_hook_{__imp_RegConnectRegistryW,
                                                                    &connect_registry};
  testing::ImportHook<decltype(&RegQueryValueExW)> query_hook_{__imp_RegQueryValueExW,
                                                               &query_value};
  testing::ImportHook<decltype(&RegCloseKey)> close_hook_{__imp_RegCloseKey, &close_key};
  std::unique_ptr<CounterSource> source_;
};

TEST_F(RemoteRegistryTest, TheFirstQueryConnectsAndTheHandleIsKept) {
  EXPECT_THAT(network_.machines, IsEmpty());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(source_->query("2000", {}));
  EXPECT_THAT(network_.machines, ElementsAre(L"\\\\SQL01"));
  EXPECT_THAT(network_.keys, ElementsAre(HKEY_PERFORMANCE_DATA));
  EXPECT_THAT(face_.queries(), Each(u"2000"));
  EXPECT_EQ(face_.closed(), 0);
}

TEST_F(RemoteRegistryTest, AReplyComesIntoTheCallersRoom) {
  Bytes room(1 << 20);
  const auto size = source_->query_in(std::span(room), "2000", {});
  ASSERT_TRUE(size);
  const auto reply = source_->query("2000", {});
  ASSERT_TRUE(reply);
  EXPECT_EQ(*size, reply->blocks.at(0).size());
  EXPECT_EQ(room[0], std::byte{'P'});
}

TEST_F(RemoteRegistryTest, ARefusedConnectionKeepsItsNumberAndIsNotRepeated) {
  for (const LSTATUS status :
       {LSTATUS{ERROR_BAD_NETPATH}, LSTATUS{RPC_S_SERVER_UNAVAILABLE}, LSTATUS{ERROR_LOGON_FAILURE},
        LSTATUS{ERROR_FILE_NOT_FOUND}, LSTATUS{ERROR_ACCESS_DENIED}, LSTATUS{ERROR_BUSY}}) {
    network_.machines.clear();
    network_.refusals = {status};
    const Error error = query_error();
    EXPECT_STREQ(error.where, kConnecting);
    EXPECT_EQ(error.os_code, static_cast<std::uint32_t>(status));
    EXPECT_EQ(error.code,
              status == ERROR_ACCESS_DENIED ? ErrorCode::kAccessDenied : ErrorCode::kOsError);
    EXPECT_THAT(network_.machines, SizeIs(1)) << status;
  }
  EXPECT_TRUE(source_->query("2000", {})) << "the next call connects";
}

TEST_F(RemoteRegistryTest, ABrokenHandleIsClosedAndConnectedAgain) {
  ASSERT_TRUE(source_->query("2000", {}));
  for (const std::uint32_t broken :
       {std::uint32_t{ERROR_INVALID_HANDLE}, std::uint32_t{RPC_S_SERVER_UNAVAILABLE},
        std::uint32_t{RPC_S_CALL_FAILED}}) {
    const int closed = face_.closed();
    machine_.faults.fail(simulator::Point::kRegistryQuery, broken, 1);
    network_.machines.clear();
    EXPECT_TRUE(source_->query("2000", {}));
    EXPECT_EQ(face_.closed(), closed + 1);
    EXPECT_THAT(network_.machines, SizeIs(1));
  }
}

TEST_F(RemoteRegistryTest, IfItCanNotBeConnectedAgainThatIsTheError) {
  ASSERT_TRUE(source_->query("2000", {}));
  machine_.faults.fail(simulator::Point::kRegistryQuery, RPC_S_CALL_FAILED, 1);
  network_.refusals = {ERROR_BAD_NETPATH};
  const Error error = query_error();
  EXPECT_STREQ(error.where, kConnecting);
  EXPECT_EQ(error.os_code, std::uint32_t{ERROR_BAD_NETPATH});
}

TEST_F(RemoteRegistryTest, AnErrorThatAFreshStartMayCureClosesTheHandle) {
  ASSERT_TRUE(source_->query("2000", {}));
  machine_.faults.fail(simulator::Point::kRegistryQuery, ERROR_ACCESS_DENIED, 1);
  const Error error = query_error();
  EXPECT_EQ(error.code, ErrorCode::kAccessDenied);
  EXPECT_STRNE(error.where, kConnecting);
  EXPECT_EQ(face_.closed(), 1);
  EXPECT_TRUE(source_->query("2000", {}));
  EXPECT_THAT(network_.machines, SizeIs(2));
}

TEST_F(RemoteRegistryTest, AReplyLargerThanTheLimitDoesNot) {
  source_ = make_remote_source("SQL01", {.max_bytes = 64}).value();
  EXPECT_EQ(query_error().code, ErrorCode::kBufferLimit);
  EXPECT_EQ(face_.closed(), 0);
}

TEST_F(RemoteRegistryTest, ReleasingAndTheEndCloseBothHandles) {
  ASSERT_TRUE(source_->query("2000", {}));
  source_->provider_generation();
  source_->release();
  EXPECT_EQ(face_.closed(), 1);
  EXPECT_EQ(network_.local_closed, 1);
  source_->release();
  EXPECT_EQ(face_.closed(), 1) << "there was nothing to close";
  ASSERT_TRUE(source_->query("2000", {}));
  source_->provider_generation();
  source_.reset();
  EXPECT_EQ(face_.closed(), 2);
  EXPECT_EQ(network_.local_closed, 2);
}

TEST_F(RemoteRegistryTest, WhatItSupportsAndItsProvidersComeFromItsOwnRegistry) {
  EXPECT_FALSE(source_->supports_metadata());
  EXPECT_EQ(source_->provider_generation(), 0U);
  set_number(L"Supports Metadata", 1);
  set_number(L"Last Counter", 9'000);
  set_number(L"Last Help", 9'001);
  EXPECT_TRUE(source_->supports_metadata());
  EXPECT_EQ(source_->provider_generation(), std::uint64_t{9'000} << 32 | 9'001);
  EXPECT_THAT(network_.keys, ElementsAre(HKEY_LOCAL_MACHINE)) << "one handle for all of it";
}

TEST_F(RemoteRegistryTest, AMachineThatCanNotBeAskedDoesNotTell) {
  set_number(L"Supports Metadata", 1);
  set_number(L"Last Counter", 9'000);
  network_.refusals = {ERROR_ACCESS_DENIED, ERROR_ACCESS_DENIED};
  EXPECT_EQ(source_->provider_generation(), 0U);
  EXPECT_FALSE(source_->supports_metadata());
  EXPECT_NE(source_->provider_generation(), 0U) << "the next call connects";
}

TEST_F(RemoteRegistryTest, TheEnglishTableIsThatOfTheCountersAndThenOfItsKey) {
  constexpr std::wstring_view kTable(
      L"1\0"
      L"1847\0\0",
      8);
  set_text(std::wstring(kRemotePerflib) + L"\\009", L"Counter", kTable, REG_MULTI_SZ);
  const auto tables = source_->text_tables(TextTable::kCounter, Language::kEnglish);
  ASSERT_THAT(tables, SizeIs(2));
  EXPECT_THAT(face_.queries(), Each(u"Counter 009"));
  EXPECT_TRUE(tables[0]) << describe(tables[0].error());
  ASSERT_TRUE(tables[1]) << describe(tables[1].error());
  EXPECT_EQ(std::memcmp(tables[1]->data(), kTable.data(), kTable.size() * sizeof(wchar_t)), 0);
  const auto help = source_->text_tables(TextTable::kHelp, Language::kEnglish);
  ASSERT_THAT(help, SizeIs(2));
  EXPECT_EQ(help[1].error().code, ErrorCode::kNoSuchFile) << "there is no such value";
}

TEST_F(RemoteRegistryTest, ItsOwnLanguageIsTheOneThatItWasInstalledIn) {
  const std::wstring key = L"SYSTEM\\CurrentControlSet\\Control\\Nls\\Language";
  const auto asked = [this] {
    static_cast<void>(source_->text_tables(TextTable::kCounter, Language::kMachine));
    return face_.queries().back();
  };
  EXPECT_EQ(asked(), u"Counter 009") << "it doesn't tell";
  set_text(key, L"Default", L"040C");
  EXPECT_EQ(asked(), u"Counter 00C");
  set_text(key, L"InstallLanguage", L"0407");
  EXPECT_EQ(asked(), u"Counter 007");
  set_text(key, L"InstallLanguage", L"no number");
  EXPECT_EQ(asked(), u"Counter 00C");
}

TEST_F(RemoteRegistryTest, TablesOfAnUnreachableMachineAreNotAskedForAgain) {
  network_.refusals = {ERROR_BAD_NETPATH};
  const auto tables = source_->text_tables(TextTable::kCounter, Language::kEnglish);
  ASSERT_THAT(tables, SizeIs(1));
  EXPECT_STREQ(tables[0].error().where, kConnecting);
  EXPECT_THAT(network_.machines, SizeIs(1));
}

TEST_F(RemoteRegistryTest, RefusesAValueNameThatTheSystemWouldTakeForGlobal) {
  for (const std::string_view value_name : {std::string_view(), std::string_view("\0002", 2)})
    EXPECT_EQ(source_->query(value_name, {}).error().code, ErrorCode::kNoSuchName);
  EXPECT_THAT(network_.machines, IsEmpty());
}

TEST_F(RemoteRegistryTest, DoesNotConnectWhenStopped) {
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(source_->query("2000", stop.token()).error().code, ErrorCode::kCancelled);
  EXPECT_THAT(network_.machines, IsEmpty());
}

TEST_F(RemoteRegistryTest, TakesWhatCanBeAName) {
  ASSERT_TRUE(make_remote_source("\\\\db.example.org").value()->query("2000", {}));
  EXPECT_THAT(network_.machines, ElementsAre(L"\\\\db.example.org"));
  for (const char* const text : {"", "\\\\", "a\\b", "a/b", "a\nb"})
    EXPECT_FALSE(make_remote_source(text)) << text;
}

}  // namespace
}  // namespace winperf
