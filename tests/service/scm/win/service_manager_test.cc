// What is asked of Windows for the service: its account, rights and settings, and what follows if
// Windows refuses it; by functions of this test in the place of Windows'. Wine ignores most of it.
// Nothing is installed.
#include "service/scm/service_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <windows.h>
// After windows.h:
#include <lm.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/win/wide.h"
#include "service/scm/service_definition.h"
#include "service/scm/win/security.h"
#include "tests/support/win/import_hooks.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// What the service control manager gets for a service.
struct AskedOfManager {
  std::string name, display, command_line, account;
  bool has_password = false;
  std::string password;
  DWORD access = 0, type = 0, start = 0, error_control = 0;
};

// What the functions below were called with, and what they answer. They have no context.
struct AskedForService {
  std::vector<std::string> calls;
  std::map<std::string, DWORD> refused;
  AskedOfManager service;
  std::vector<std::pair<DWORD, std::string>> settings;  // level, and what is in the structure
  std::string group;
  DWORD level = 99;
  std::vector<std::byte> member;
  std::map<std::string, std::string> values;
  int open_handles = 0;
};
AskedForService* asked_for = nullptr;

DWORD refusal(const std::string& call) {
  asked_for->calls.push_back(call);
  const auto refused = asked_for->refused.find(call);
  return refused == asked_for->refused.end() ? ERROR_SUCCESS : refused->second;
}
SC_HANDLE handle_unless_refused(const std::string& call) {
  if (const DWORD code = refusal(call); code != ERROR_SUCCESS) {
    SetLastError(code);
    return nullptr;
  }
  ++asked_for->open_handles;
  return reinterpret_cast<SC_HANDLE>(std::uintptr_t{0x5150});
}
BOOL unless_refused(const std::string& call) {
  const DWORD code = refusal(call);
  if (code != ERROR_SUCCESS) SetLastError(code);
  return code == ERROR_SUCCESS;
}
std::string text_of(LPCWSTR text) { return text == nullptr ? "null" : to_utf8(text); }

SC_HANDLE WINAPI open_manager(LPCWSTR machine, LPCWSTR, DWORD) {
  EXPECT_EQ(machine, nullptr) << "this one";
  return handle_unless_refused("manager");
}
SC_HANDLE WINAPI open_service(SC_HANDLE, LPCWSTR name, DWORD access) {
  asked_for->service.name = text_of(name);
  asked_for->service.access = access;
  return handle_unless_refused("open");
}
BOOL WINAPI close_handle(SC_HANDLE) {
  --asked_for->open_handles;
  return TRUE;
}
void note_service(DWORD type, DWORD start, DWORD error_control, LPCWSTR command_line,
                  LPCWSTR account, LPCWSTR password, LPCWSTR display) {
  AskedOfManager& service = asked_for->service;
  service.type = type;
  service.start = start;
  service.error_control = error_control;
  service.command_line = text_of(command_line);
  service.account = text_of(account);
  service.has_password = password != nullptr;
  service.password = text_of(password);
  service.display = text_of(display);
}
SC_HANDLE WINAPI create_service(SC_HANDLE, LPCWSTR name, LPCWSTR display, DWORD access, DWORD type,
                                DWORD start, DWORD error_control, LPCWSTR command_line,
                                LPCWSTR group, LPDWORD tag, LPCWSTR dependencies, LPCWSTR account,
                                LPCWSTR password) {
  EXPECT_EQ(group, nullptr);
  EXPECT_EQ(tag, nullptr);
  EXPECT_EQ(dependencies, nullptr);
  asked_for->service.name = text_of(name);
  asked_for->service.access = access;
  note_service(type, start, error_control, command_line, account, password, display);
  return handle_unless_refused("create");
}
BOOL WINAPI change_service(SC_HANDLE, DWORD type, DWORD start, DWORD error_control,
                           LPCWSTR command_line, LPCWSTR, LPDWORD, LPCWSTR, LPCWSTR account,
                           LPCWSTR password, LPCWSTR display) {
  note_service(type, start, error_control, command_line, account, password, display);
  return unless_refused("change");
}

std::string described(const SERVICE_FAILURE_ACTIONSW& info) {
  std::string text = std::to_string(info.dwResetPeriod) + " s";
  for (DWORD i = 0; i < info.cActions; ++i)
    text += ", " + std::to_string(info.lpsaActions[i].Type) + '/' +
            std::to_string(info.lpsaActions[i].Delay);
  EXPECT_EQ(info.lpCommand, nullptr);
  EXPECT_EQ(info.lpRebootMsg, nullptr);
  return text;
}
// A NUL ends each, and another one the list.
std::string described(const wchar_t* list) {
  std::string text;
  for (; *list != L'\0'; list += std::wcslen(list) + 1) text += to_utf8(list) + ';';
  return text;
}
std::string described(DWORD level, const void* info) {
  switch (level) {
    case SERVICE_CONFIG_DESCRIPTION:
      return text_of(static_cast<const SERVICE_DESCRIPTIONW*>(info)->lpDescription);
    case SERVICE_CONFIG_FAILURE_ACTIONS:
      return described(*static_cast<const SERVICE_FAILURE_ACTIONSW*>(info));
    case SERVICE_CONFIG_REQUIRED_PRIVILEGES_INFO:
      return described(
          static_cast<const SERVICE_REQUIRED_PRIVILEGES_INFOW*>(info)->pmszRequiredPrivileges);
    default:  // the others are one number
      return std::to_string(*static_cast<const DWORD*>(info));
  }
}
BOOL WINAPI change_setting(SC_HANDLE, DWORD level, LPVOID info) {
  asked_for->settings.emplace_back(level, described(level, info));
  return unless_refused("setting");
}

BOOL WINAPI look_up_group(LPCWSTR, PSID sid, LPWSTR name, LPDWORD name_length, LPWSTR,
                          LPDWORD domain_length, PSID_NAME_USE use) {
  EXPECT_TRUE(IsWellKnownSid(sid, WinBuiltinPerfMonitoringUsersSid));
  const std::wstring german = L"Leistungsüberwachungsbenutzer";
  EXPECT_GT(*name_length, german.size());
  std::wmemcpy(name, german.c_str(), german.size() + 1);
  *name_length = static_cast<DWORD>(german.size());
  *domain_length = 0;
  *use = SidTypeAlias;
  return unless_refused("group");
}
NET_API_STATUS note_member(const char* call, LPCWSTR server, LPCWSTR group, DWORD level,
                           LPBYTE members, DWORD count) {
  EXPECT_EQ(server, nullptr);
  EXPECT_EQ(count, 1U);
  asked_for->group = text_of(group);
  asked_for->level = level;
  PSID const sid = reinterpret_cast<LOCALGROUP_MEMBERS_INFO_0*>(members)->lgrmi0_sid;
  const auto* const bytes = static_cast<const std::byte*>(sid);
  asked_for->member.assign(bytes, bytes + GetLengthSid(sid));
  return refusal(call);
}
NET_API_STATUS WINAPI add_member(LPCWSTR server, LPCWSTR group, DWORD level, LPBYTE members,
                                 DWORD count) {
  return note_member("join", server, group, level, members, count);
}
NET_API_STATUS WINAPI remove_member(LPCWSTR server, LPCWSTR group, DWORD level, LPBYTE members,
                                    DWORD count) {
  return note_member("leave", server, group, level, members, count);
}

LSTATUS WINAPI create_key(HKEY root, LPCWSTR path, DWORD, LPWSTR, DWORD, REGSAM access,
                          const LPSECURITY_ATTRIBUTES, PHKEY key, LPDWORD) {
  EXPECT_EQ(root, HKEY_LOCAL_MACHINE);
  EXPECT_EQ(access, REGSAM{KEY_SET_VALUE | KEY_WOW64_64KEY});
  *key = nullptr;
  return static_cast<LSTATUS>(refusal(text_of(path)));
}
LSTATUS WINAPI set_value(HKEY, LPCWSTR name, DWORD, DWORD type, const BYTE* data, DWORD bytes) {
  if (type == REG_DWORD) {
    DWORD number = 0;
    std::memcpy(&number, data, sizeof number);
    asked_for->values[text_of(name)] = std::to_string(number);
  } else {
    EXPECT_EQ(type, DWORD{REG_EXPAND_SZ});
    const auto* const text = reinterpret_cast<const wchar_t*>(data);
    EXPECT_EQ(bytes, (std::wcslen(text) + 1) * sizeof(wchar_t)) << "with its NUL";
    asked_for->values[text_of(name)] = text_of(text);
  }
  return static_cast<LSTATUS>(refusal("value"));
}

class ServiceSettings : public ::testing::Test {
 protected:
  ServiceSettings() {
    asked_for = &asked_;
    add("OpenSCManagerW", &open_manager);
    add("OpenServiceW", &open_service);
    add("CloseServiceHandle", &close_handle);
    add("CreateServiceW", &create_service);
    add("ChangeServiceConfigW", &change_service);
    add("ChangeServiceConfig2W", &change_setting);
    add("LookupAccountSidW", &look_up_group);
    add("NetLocalGroupAddMembers", &add_member);
    add("NetLocalGroupDelMembers", &remove_member);
    add("RegCreateKeyExW", &create_key);
    add("RegSetValueExW", &set_value);
  }
  ServiceSettings(const ServiceSettings&) = delete;
  ServiceSettings& operator=(const ServiceSettings&) = delete;
  ~ServiceSettings() override {
    hooks_.clear();
    EXPECT_EQ(asked_.open_handles, 0);
    asked_for = nullptr;
  }

  template <class Function>
  void add(const char* name, Function* replacement) {
    hooks_.push_back(std::make_unique<ImportHook>(name, replacement));
    EXPECT_TRUE(hooks_.back()->is_set()) << name;
  }
  static ServiceDefinition definition(const std::string& account = "") {
    return define_service({.name = "winperf_exporter", .account = account},
                          R"(C:\Program Files\winperf_exporter\winperf_exporter.exe)")
        .value();
  }
  // What one part sets.
  std::vector<std::pair<DWORD, std::string>> set(ServicePart part) {
    asked_.settings.clear();
    const auto done = manager_->set(part, definition());
    EXPECT_TRUE(done);
    return asked_.settings;
  }

  AskedForService asked_;
  std::vector<std::unique_ptr<ImportHook>> hooks_;
  const std::unique_ptr<ServiceManager> manager_ = open_service_manager().value();
};

TEST_F(ServiceSettings, ANewServiceHasAVirtualAccountWithoutAPassword) {
  const auto existed = manager_->put(definition());
  ASSERT_TRUE(existed);
  EXPECT_FALSE(*existed);
  EXPECT_THAT(asked_.calls, ElementsAre("manager", "create"));
  EXPECT_EQ(asked_.service.name, "winperf_exporter");
  EXPECT_EQ(asked_.service.display, "winperf_exporter");
  EXPECT_EQ(asked_.service.account, R"(NT SERVICE\winperf_exporter)");
  EXPECT_FALSE(asked_.service.has_password);
  EXPECT_EQ(asked_.service.command_line,
            R"("C:\Program Files\winperf_exporter\winperf_exporter.exe" run)");
  EXPECT_EQ(asked_.service.type, DWORD{SERVICE_WIN32_OWN_PROCESS});
  EXPECT_EQ(asked_.service.start, DWORD{SERVICE_AUTO_START});
  EXPECT_EQ(asked_.service.error_control, DWORD{SERVICE_ERROR_NORMAL});
  EXPECT_EQ(asked_.service.access, DWORD{SERVICE_QUERY_STATUS}) << "no more than is needed";
}

TEST_F(ServiceSettings, AccountsOfWindowsHaveAnEmptyPasswordAndManagedOnesNone) {
  const auto password_for = [&](const std::string& account) {
    EXPECT_TRUE(manager_->put(definition(account)));
    return asked_.service.has_password ? '"' + asked_.service.password + '"' : "none";
  };
  EXPECT_EQ(password_for("LocalService"), R"("")");
  EXPECT_EQ(asked_.service.account, R"(NT AUTHORITY\LocalService)");
  EXPECT_EQ(password_for("LocalSystem"), R"("")");
  EXPECT_EQ(password_for(R"(CONTOSO\exporter$)"), "none");
}

TEST_F(ServiceSettings, AnExistingServiceIsChanged) {
  asked_.refused["create"] = ERROR_SERVICE_EXISTS;
  const auto existed = manager_->put(definition());
  ASSERT_TRUE(existed);
  EXPECT_TRUE(*existed);
  EXPECT_THAT(asked_.calls, ElementsAre("manager", "create", "manager", "open", "change"));
  EXPECT_EQ(asked_.service.access, DWORD{SERVICE_CHANGE_CONFIG});
  EXPECT_EQ(asked_.service.account, R"(NT SERVICE\winperf_exporter)");
  EXPECT_FALSE(asked_.service.has_password) << "that of a managed account stays";
}

TEST_F(ServiceSettings, ARefusalIsTheErrorOfWindows) {
  for (const auto& [call, code] : {std::pair<const char*, DWORD>{"manager", ERROR_ACCESS_DENIED},
                                   {"create", ERROR_INVALID_SERVICE_ACCOUNT}}) {
    asked_.refused = {{call, code}};
    const auto put = manager_->put(definition());
    ASSERT_FALSE(put) << call;
    EXPECT_EQ(put.error().code, code);
  }
  asked_.refused = {{"create", ERROR_SERVICE_EXISTS}, {"change", ERROR_SERVICE_MARKED_FOR_DELETE}};
  EXPECT_EQ(manager_->put(definition()).error().code, DWORD{ERROR_SERVICE_MARKED_FOR_DELETE});
  for (const ServicePart part : {ServicePart::kDescription, ServicePart::kServiceSid,
                                 ServicePart::kPrivileges, ServicePart::kShutdownTimeout}) {
    asked_.refused = {{"setting", ERROR_INVALID_LEVEL}};
    const auto set = manager_->set(part, definition());
    ASSERT_FALSE(set) << name_of(part);
    EXPECT_EQ(set.error().code, DWORD{ERROR_INVALID_LEVEL});
  }
}

TEST_F(ServiceSettings, EachSettingHasItsLevelAndItsStructure) {
  EXPECT_THAT(set(ServicePart::kDescription),
              ElementsAre(Pair(DWORD{SERVICE_CONFIG_DESCRIPTION}, definition().description)));
  EXPECT_THAT(set(ServicePart::kDelayedStart),
              ElementsAre(Pair(DWORD{SERVICE_CONFIG_DELAYED_AUTO_START_INFO}, "1")));
  EXPECT_THAT(set(ServicePart::kFailureActions),
              ElementsAre(Pair(DWORD{SERVICE_CONFIG_FAILURE_ACTIONS},
                               "86400 s, 1/5000, 1/30000, 1/60000")));
  EXPECT_THAT(set(ServicePart::kFailureFlag),
              ElementsAre(Pair(DWORD{SERVICE_CONFIG_FAILURE_ACTIONS_FLAG}, "1")));
  EXPECT_THAT(set(ServicePart::kServiceSid),
              ElementsAre(Pair(DWORD{SERVICE_CONFIG_SERVICE_SID_INFO},
                               std::to_string(SERVICE_SID_TYPE_UNRESTRICTED))));
  EXPECT_THAT(set(ServicePart::kPrivileges),
              ElementsAre(Pair(DWORD{SERVICE_CONFIG_REQUIRED_PRIVILEGES_INFO},
                               "SeChangeNotifyPrivilege;SeCreateGlobalPrivilege;")));
  EXPECT_THAT(set(ServicePart::kShutdownTimeout),
              ElementsAre(Pair(DWORD{SERVICE_CONFIG_PRESHUTDOWN_INFO}, "10000")));
}

// Setting a restart requires the right to start, too.
TEST_F(ServiceSettings, SettingsAreChangedWithTheRightsThatTheyNeed) {
  set(ServicePart::kFailureActions);
  EXPECT_EQ(asked_.service.access, DWORD{SERVICE_CHANGE_CONFIG | SERVICE_START});
}

TEST_F(ServiceSettings, CountersAreReadAsAMemberOfAGroupThatIsFoundByItsSid) {
  const auto joined = manager_->set(ServicePart::kCounterAccess, definition());
  ASSERT_TRUE(joined);
  EXPECT_EQ(*joined, "Leistungsüberwachungsbenutzer");
  EXPECT_EQ(asked_.group, "Leistungsüberwachungsbenutzer");
  EXPECT_EQ(asked_.level, 0U) << "by SID, for which the account need not exist";
  EXPECT_EQ(asked_.member, sid_of(service_sid("winperf_exporter").value()).value());
  EXPECT_THAT(asked_.calls, ElementsAre("group", "join"));
}

TEST_F(ServiceSettings, AMemberOfTheGroupStaysOne) {
  asked_.refused["join"] = ERROR_MEMBER_IN_ALIAS;
  EXPECT_TRUE(manager_->set(ServicePart::kCounterAccess, definition()));
  // As a domain controller may say.
  asked_.refused["join"] = ERROR_INVALID_MEMBER;
  const auto refused = manager_->set(ServicePart::kCounterAccess, definition());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, DWORD{ERROR_INVALID_MEMBER});
}

TEST_F(ServiceSettings, TheTextsOfEventsAreInTheExecutable) {
  ASSERT_TRUE(manager_->set(ServicePart::kEventSource, definition()));
  EXPECT_THAT(asked_.calls.front(),
              R"(SYSTEM\CurrentControlSet\Services\EventLog\Application\winperf_exporter)");
  EXPECT_THAT(asked_.values, ElementsAre(Pair("EventMessageFile", manager_->executable()),
                                         Pair("TypesSupported", "7")));
  asked_.refused["value"] = ERROR_ACCESS_DENIED;
  EXPECT_FALSE(manager_->set(ServicePart::kEventSource, definition()));
}

}  // namespace
}  // namespace winperf
