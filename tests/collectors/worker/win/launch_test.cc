// What is asked of Windows for a worker, in which order, and what follows if Windows refuses it;
// by functions of this test in the place of Windows'. Wine ignores most of it. No process starts.
#include "collectors/worker/win/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "collectors/base/win/wide.h"
#include "tests/support/win/import_hooks.h"

namespace winperf::worker {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr DWORD64 kSinceWindows8 = 0x0000'0001'0001'1000;
constexpr DWORD64 kSince1511 = 0x0110'0000'0000'0000;
static_assert((kSinceWindows8 & 0x7) == 0, "DEP, its thunks and SEHOP");

// An attempt to create the process.
struct Attempt {
  bool has_token = false;
  DWORD64 policies = 0;
  std::size_t handles = 0;  // that are inherited
};

// What the functions below were called with, and what they answer. They have no context.
struct AskedOfWindows {
  std::vector<std::string> calls;
  Attempt attributes;  // of the list that was made last
  std::vector<Attempt> attempts;
  std::vector<HANDLE> handles;
  std::wstring executable, line, folder;
  DWORD flags = 0;
  BOOL inherits = FALSE;
  STARTUPINFOEXW startup{};
  DWORD section_protection = 0;
  std::vector<JOBOBJECT_EXTENDED_LIMIT_INFORMATION> limits;
  std::vector<DWORD> screen;
  DWORD token_flags = 0;
  DWORD token_access = 0;
  std::function<DWORD(const std::string& call)> refuse = [](const std::string&) { return 0; };
  std::function<DWORD(const Attempt&)> refuse_attempt = [](const Attempt&) { return 0; };
  UINT drive = DRIVE_FIXED;
  HANDLE thread = nullptr;  // of the process that was made last
};
AskedOfWindows* asked = nullptr;

decltype(&CreateFileMappingW) system_create_section = nullptr;
decltype(&CreateRestrictedToken) system_restrict_token = nullptr;
decltype(&OpenProcessToken) system_open_token = nullptr;
decltype(&ResumeThread) system_resume = nullptr;

BOOL answered(const std::string& call) {
  asked->calls.push_back(call);
  const DWORD error = asked->refuse(call);
  if (error != 0) SetLastError(error);
  return error == 0;
}
// Where a handle to a process or thread is expected.
HANDLE any_handle() { return CreateEventW(nullptr, TRUE, TRUE, nullptr); }

HANDLE WINAPI create_section(HANDLE file, LPSECURITY_ATTRIBUTES attributes, DWORD protection,
                             DWORD high, DWORD low, LPCWSTR name) {
  asked->section_protection = protection;
  return system_create_section(file, attributes, protection, high, low, name);
}
HANDLE WINAPI create_job(LPSECURITY_ATTRIBUTES, LPCWSTR name) {
  EXPECT_EQ(name, nullptr);
  return answered("job") ? any_handle() : nullptr;
}
BOOL WINAPI set_job(HANDLE, JOBOBJECTINFOCLASS kind, LPVOID what, DWORD bytes) {
  if (kind == JobObjectExtendedLimitInformation) {
    EXPECT_EQ(bytes, sizeof(JOBOBJECT_EXTENDED_LIMIT_INFORMATION));
    asked->limits.push_back(*static_cast<JOBOBJECT_EXTENDED_LIMIT_INFORMATION*>(what));
    return answered("limits " + std::to_string(asked->limits.size()));
  }
  EXPECT_EQ(kind, JobObjectBasicUIRestrictions);
  EXPECT_EQ(bytes, sizeof(JOBOBJECT_BASIC_UI_RESTRICTIONS));
  asked->screen.push_back(static_cast<JOBOBJECT_BASIC_UI_RESTRICTIONS*>(what)->UIRestrictionsClass);
  return answered("screen " + std::to_string(asked->screen.size()));
}
BOOL WINAPI assign(HANDLE job, HANDLE process) {
  EXPECT_NE(job, nullptr);
  EXPECT_NE(process, nullptr);
  return answered("assign");
}
BOOL WINAPI open_token(HANDLE process, DWORD access, PHANDLE token) {
  asked->token_access = access;
  return system_open_token(process, access, token);
}
BOOL WINAPI restrict_token(HANDLE token, DWORD flags, DWORD disabled, PSID_AND_ATTRIBUTES sids,
                           DWORD deleted, PLUID_AND_ATTRIBUTES privileges, DWORD restricted,
                           PSID_AND_ATTRIBUTES restricting, PHANDLE reduced) {
  asked->token_flags = flags;
  EXPECT_EQ(disabled + deleted + restricted, 0U) << "SIDs: the groups that may read counters";
  if (!answered("token")) return FALSE;
  return system_restrict_token(token, flags, disabled, sids, deleted, privileges, restricted,
                               restricting, reduced);
}
BOOL WINAPI update_attribute(LPPROC_THREAD_ATTRIBUTE_LIST, DWORD flags, DWORD_PTR attribute,
                             PVOID value, SIZE_T bytes, PVOID, PSIZE_T) {
  EXPECT_EQ(flags, 0U);
  if (attribute == PROC_THREAD_ATTRIBUTE_HANDLE_LIST) {
    const auto* const first = static_cast<HANDLE*>(value);
    asked->handles.assign(first, first + bytes / sizeof(HANDLE));
    asked->attributes = {.handles = asked->handles.size()};
    return answered("handles");
  }
  EXPECT_EQ(attribute, static_cast<DWORD_PTR>(PROC_THREAD_ATTRIBUTE_MITIGATION_POLICY));
  EXPECT_EQ(bytes, sizeof(DWORD64));
  asked->attributes.policies = *static_cast<DWORD64*>(value);
  return answered("policies");
}
BOOL created(bool has_token, LPCWSTR executable, LPWSTR line, BOOL inherits, DWORD flags,
             LPCWSTR folder, LPSTARTUPINFOW startup, LPPROCESS_INFORMATION made) {
  Attempt attempt = asked->attributes;
  attempt.has_token = has_token;
  asked->attempts.push_back(attempt);
  asked->executable = executable;
  asked->line = line;
  asked->inherits = inherits;
  asked->flags = flags;
  asked->folder = folder;
  asked->startup = *reinterpret_cast<STARTUPINFOEXW*>(startup);
  line[0] = L'-';  // Windows may change it
  asked->calls.push_back(has_token ? "process with token" : "process");
  if (const DWORD error = asked->refuse_attempt(attempt); error != 0) {
    SetLastError(error);
    return FALSE;
  }
  asked->thread = any_handle();
  *made = {
      .hProcess = any_handle(), .hThread = asked->thread, .dwProcessId = 4711, .dwThreadId = 1};
  return TRUE;
}
BOOL WINAPI create_as_user(HANDLE token, LPCWSTR executable, LPWSTR line, LPSECURITY_ATTRIBUTES,
                           LPSECURITY_ATTRIBUTES, BOOL inherits, DWORD flags, LPVOID environment,
                           LPCWSTR folder, LPSTARTUPINFOW startup, LPPROCESS_INFORMATION made) {
  EXPECT_NE(token, nullptr);
  EXPECT_EQ(environment, nullptr);
  return created(true, executable, line, inherits, flags, folder, startup, made);
}
BOOL WINAPI create(LPCWSTR executable, LPWSTR line, LPSECURITY_ATTRIBUTES, LPSECURITY_ATTRIBUTES,
                   BOOL inherits, DWORD flags, LPVOID environment, LPCWSTR folder,
                   LPSTARTUPINFOW startup, LPPROCESS_INFORMATION made) {
  EXPECT_EQ(environment, nullptr);
  return created(false, executable, line, inherits, flags, folder, startup, made);
}
DWORD WINAPI resume(HANDLE thread) {
  // This executable's threads begin suspended, too.
  if (thread != asked->thread) return system_resume(thread);
  asked->calls.push_back("resume");
  return 1;
}
UINT WINAPI drive_type(LPCWSTR root) {
  EXPECT_THAT(to_utf8(root), EndsWith(":\\"));
  return asked->drive;
}

class Launching : public ::testing::Test {
 protected:
  Launching() {
    asked = &asked_;
    add("CreateJobObjectW", &create_job);
    add("SetInformationJobObject", &set_job);
    add("AssignProcessToJobObject", &assign);
    add("UpdateProcThreadAttribute", &update_attribute);
    add("CreateProcessAsUserW", &create_as_user);
    add("CreateProcessW", &create);
    system_resume = add("ResumeThread", &resume);
    add("GetDriveTypeW", &drive_type);
    system_create_section = add("CreateFileMappingW", &create_section);
    system_restrict_token = add("CreateRestrictedToken", &restrict_token);
    system_open_token = add("OpenProcessToken", &open_token);
  }
  Launching(const Launching&) = delete;
  Launching& operator=(const Launching&) = delete;
  ~Launching() override {
    hooks_.clear();
    asked = nullptr;
  }

  template <class Function>
  Function* add(const char* name, Function* replacement) {
    hooks_.push_back(std::make_unique<ImportHook>(name, replacement));
    EXPECT_TRUE(hooks_.back()->is_set()) << name;
    return hooks_.back()->template original<Function>();
  }
  static WorkerCommand command() {
    return {.executable = LR"(C:\Program Files\winperf exporter.exe)",
            .words = {"worker", "provider:MSSQL$A B"},
            .shared_bytes = 64U << 20,
            .max_private_bytes = 512U << 20};
  }
  // The policies of each attempt, with T for a reduced token.
  std::vector<std::string> attempts() const {
    std::vector<std::string> all;
    for (const Attempt& one : asked_.attempts) {
      const DWORD64 whole = kSinceWindows8 | kSince1511;
      const std::string policies = one.policies == whole            ? "all"
                                   : one.policies == kSinceWindows8 ? "older"
                                   : one.policies == 0              ? "none"
                                                                    : "other";
      all.push_back((one.has_token ? "T " : "") + policies);
    }
    return all;
  }

  AskedOfWindows asked_;
  std::vector<std::unique_ptr<ImportHook>> hooks_;
};

TEST_F(Launching, AsksForEveryRestrictionInOrder) {
  const auto launched = launch(command());
  ASSERT_TRUE(launched);
  EXPECT_THAT(asked_.calls, ElementsAre("job", "limits 1", "token", "handles", "policies",
                                        "process with token", "screen 1", "assign", "resume"));
  EXPECT_EQ(launched->id, 4711U);
  EXPECT_TRUE(launched->granted.has_reduced_token);
  EXPECT_EQ(launched->granted.policies, kSinceWindows8 | kSince1511);
  EXPECT_TRUE(launched->granted.is_in_job);
  EXPECT_TRUE(launched->granted.has_screen_limits);
}

TEST_F(Launching, TheProcessHasNoConsoleAndItsOwnGroupAndBeginsSuspended) {
  ASSERT_TRUE(launch(command()));
  EXPECT_EQ(asked_.flags, DWORD{DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP | CREATE_SUSPENDED |
                                EXTENDED_STARTUPINFO_PRESENT});
  EXPECT_EQ(asked_.startup.StartupInfo.cb, sizeof(STARTUPINFOEXW));
  EXPECT_NE(asked_.startup.lpAttributeList, nullptr);
  EXPECT_EQ(asked_.startup.StartupInfo.dwFlags, 0U) << "no standard handles";
  EXPECT_EQ(asked_.executable, LR"(C:\Program Files\winperf exporter.exe)");
  EXPECT_THAT(
      to_utf8(asked_.line),
      AllOf(StartsWith(R"("C:\Program Files\winperf exporter.exe" "worker" "provider:MSSQL$A B" )"),
            EndsWith(" 67108864")));
  EXPECT_EQ(asked_.folder, written_path(GetSystemDirectoryW));
}

TEST_F(Launching, FiveHandlesAreInheritedAndNoOthers) {
  ASSERT_TRUE(launch(command()));
  EXPECT_TRUE(asked_.inherits) << "the list has no effect otherwise";
  ASSERT_EQ(asked_.handles.size(), 5U);
  std::string numbers;
  for (const HANDLE handle : asked_.handles)
    numbers += ' ' + std::to_string(reinterpret_cast<std::uintptr_t>(handle));
  EXPECT_THAT(to_utf8(asked_.line), HasSubstr(numbers));
}

TEST_F(Launching, MemoryIsReservedAndNotCommitted) {
  ASSERT_TRUE(launch(command()));
  EXPECT_EQ(asked_.section_protection, DWORD{PAGE_READWRITE | SEC_RESERVE});
}

TEST_F(Launching, TheTokenLosesItsPrivilegesAndKeepsItsGroups) {
  ASSERT_TRUE(launch(command()));
  EXPECT_EQ(asked_.token_flags, DWORD{DISABLE_MAX_PRIVILEGE});
  EXPECT_EQ(asked_.token_access, DWORD{TOKEN_DUPLICATE | TOKEN_ASSIGN_PRIMARY | TOKEN_QUERY});
}

TEST_F(Launching, TheJobEndsWithThisProcessAndLimitsMemoryAndProcesses) {
  ASSERT_TRUE(launch(command()));
  ASSERT_EQ(asked_.limits.size(), 1U);
  const auto& limits = asked_.limits[0];
  EXPECT_EQ(limits.BasicLimitInformation.LimitFlags,
            DWORD{JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_PROCESS_MEMORY |
                  JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION | JOB_OBJECT_LIMIT_ACTIVE_PROCESS});
  EXPECT_EQ(limits.BasicLimitInformation.ActiveProcessLimit, 1U);
  EXPECT_EQ(limits.ProcessMemoryLimit, 1U << 30);
  EXPECT_THAT(asked_.screen, ElementsAre(0xFFU));
}

TEST_F(Launching, AWorkerThatStartsWorkersMayDoSoAndItsJobMayContainJobs) {
  WorkerCommand whole = command();
  whole.starts_workers = true;
  const auto launched = launch(whole);
  ASSERT_TRUE(launched);
  EXPECT_EQ(asked_.limits.at(0).BasicLimitInformation.LimitFlags & JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
            0U);
  EXPECT_THAT(asked_.screen, IsEmpty());
  EXPECT_TRUE(launched->granted.is_in_job);
  EXPECT_FALSE(launched->granted.has_screen_limits);
}

// As Windows 10 1507 does with what is newer.
TEST_F(Launching, PoliciesThatWindowsDoesNotKnowAreLeftOut) {
  asked_.refuse_attempt = [](const Attempt& attempt) -> DWORD {
    return (attempt.policies & kSince1511) != 0 ? ERROR_INVALID_PARAMETER : 0;
  };
  const auto launched = launch(command());
  ASSERT_TRUE(launched);
  EXPECT_THAT(attempts(), ElementsAre("T all", "T older"));
  EXPECT_EQ(launched->granted.policies, kSinceWindows8);
  EXPECT_TRUE(launched->granted.has_reduced_token);
}

TEST_F(Launching, AWorkerWithoutAnyPolicyIsBetterThanNone) {
  asked_.refuse_attempt = [](const Attempt& attempt) -> DWORD {
    return attempt.policies != 0 ? ERROR_INVALID_PARAMETER : 0;
  };
  const auto launched = launch(command());
  ASSERT_TRUE(launched);
  EXPECT_THAT(attempts(), ElementsAre("T all", "T older", "T none"));
  EXPECT_EQ(launched->granted.policies, 0U);
  EXPECT_EQ(asked_.attempts.back().handles, 5U) << "no other handle is inherited all the same";
}

TEST_F(Launching, PoliciesMayBeRefusedBeforeThereIsAProcess) {
  asked_.refuse = [](const std::string& call) -> DWORD {
    return call == "policies" ? ERROR_NOT_SUPPORTED : 0;
  };
  const auto launched = launch(command());
  ASSERT_TRUE(launched);
  EXPECT_THAT(attempts(), ElementsAre("T none"));
  EXPECT_EQ(launched->granted.policies, 0U);
}

TEST_F(Launching, ATokenThatIsRefusedIsLeftOutAndThePoliciesStay) {
  asked_.refuse_attempt = [](const Attempt& attempt) -> DWORD {
    return attempt.has_token ? ERROR_PRIVILEGE_NOT_HELD : 0;
  };
  const auto launched = launch(command());
  ASSERT_TRUE(launched);
  EXPECT_THAT(attempts(), ElementsAre("T all", "T older", "T none", "all"));
  EXPECT_FALSE(launched->granted.has_reduced_token);
  EXPECT_EQ(launched->granted.policies, kSinceWindows8 | kSince1511);
}

TEST_F(Launching, ATokenThatCannotBeReducedIsThatOfThisProcess) {
  asked_.refuse = [](const std::string& call) -> DWORD {
    return call == "token" ? ERROR_ACCESS_DENIED : 0;
  };
  const auto launched = launch(command());
  ASSERT_TRUE(launched);
  EXPECT_THAT(attempts(), ElementsAre("all"));
  EXPECT_FALSE(launched->granted.has_reduced_token);
}

TEST_F(Launching, WhatIsAlwaysRefusedIsTheErrorOfTheLastAttempt) {
  asked_.refuse_attempt = [](const Attempt& attempt) -> DWORD {
    return attempt.has_token || attempt.policies != 0 ? ERROR_INVALID_PARAMETER
                                                      : ERROR_FILE_NOT_FOUND;
  };
  const auto launched = launch(command());
  ASSERT_FALSE(launched);
  EXPECT_EQ(launched.error(), DWORD{ERROR_FILE_NOT_FOUND});
  EXPECT_THAT(attempts(), ElementsAre("T all", "T older", "T none", "all", "older", "none"));
  EXPECT_THAT(asked_.calls, Not(::testing::Contains("resume")));
}

TEST_F(Launching, WithoutAListOfHandlesNoProcessIsStarted) {
  asked_.refuse = [](const std::string& call) -> DWORD {
    return call == "handles" ? ERROR_NOT_SUPPORTED : 0;
  };
  const auto launched = launch(command());
  ASSERT_FALSE(launched);
  EXPECT_EQ(launched.error(), DWORD{ERROR_NOT_SUPPORTED});
  EXPECT_THAT(attempts(), IsEmpty());
}

TEST_F(Launching, AnExecutableOnAnotherMachineMayLoadWhatIsThere) {
  for (const wchar_t* const file :
       {LR"(\\server\share\winperf_exporter.exe)", LR"(\\?\UNC\server\share\winperf_exporter.exe)",
        LR"(Z:\winperf_exporter.exe)", LR"(\\?\Z:\winperf_exporter.exe)"}) {
    asked_.attempts.clear();
    WorkerCommand remote = command();
    remote.executable = file;
    asked_.drive = std::wstring(file).find(L'Z') != std::wstring::npos ? DRIVE_REMOTE : DRIVE_FIXED;
    ASSERT_TRUE(launch(remote));
    EXPECT_THAT(attempts(), ElementsAre("T older")) << to_utf8(file);
  }
  asked_.attempts.clear();
  asked_.drive = DRIVE_FIXED;
  WorkerCommand local = command();
  local.executable = LR"(\\?\C:\winperf_exporter.exe)";
  ASSERT_TRUE(launch(local));
  EXPECT_THAT(attempts(), ElementsAre("T all"));
}

TEST_F(Launching, AJobWhoseLimitsAreRefusedStillEndsWithThisProcess) {
  asked_.refuse = [](const std::string& call) -> DWORD {
    return call == "limits 1" ? ERROR_ACCESS_DENIED : 0;
  };
  const auto launched = launch(command());
  ASSERT_TRUE(launched);
  ASSERT_EQ(asked_.limits.size(), 2U);
  EXPECT_EQ(asked_.limits[1].BasicLimitInformation.LimitFlags,
            DWORD{JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE});
  EXPECT_EQ(asked_.limits[1].ProcessMemoryLimit, 0U);
  EXPECT_TRUE(launched->granted.is_in_job);
}

// As in a job of a container or a scheduler that can't have another one with such limits in it.
TEST_F(Launching, AJobThatIsRefusedForItsScreenLimitsHasNone) {
  asked_.refuse = [refused = false](const std::string& call) mutable -> DWORD {
    if (call != "assign" || refused) return 0;
    refused = true;
    return ERROR_ACCESS_DENIED;
  };
  const auto launched = launch(command());
  ASSERT_TRUE(launched);
  EXPECT_THAT(asked_.calls,
              ElementsAre("job", "limits 1", "token", "handles", "policies", "process with token",
                          "screen 1", "assign", "screen 2", "assign", "resume"));
  EXPECT_THAT(asked_.screen, ElementsAre(0xFFU, 0U));
  EXPECT_TRUE(launched->granted.is_in_job);
  EXPECT_FALSE(launched->granted.has_screen_limits);
}

TEST_F(Launching, AWorkerRunsWithoutAJobThatIsRefused) {
  asked_.refuse = [](const std::string& call) -> DWORD {
    return call == "job" ? ERROR_ACCESS_DENIED : 0;
  };
  const auto launched = launch(command());
  ASSERT_TRUE(launched);
  EXPECT_THAT(asked_.calls,
              ElementsAre("job", "token", "handles", "policies", "process with token", "resume"))
      << "without a handle, limits would be those of this process' own job";
  EXPECT_FALSE(launched->granted.is_in_job);
  EXPECT_FALSE(launched->job);
}

TEST_F(Launching, AWorkerRunsOutsideAJobThatDoesNotTakeIt) {
  asked_.refuse = [](const std::string& call) -> DWORD {
    return call == "assign" ? ERROR_ACCESS_DENIED : 0;
  };
  const auto launched = launch(command());
  ASSERT_TRUE(launched);
  EXPECT_FALSE(launched->granted.is_in_job);
  EXPECT_EQ(asked_.calls.back(), "resume");
}

}  // namespace
}  // namespace winperf::worker
