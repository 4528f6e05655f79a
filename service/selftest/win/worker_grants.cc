#include "service/selftest/worker_grants.h"

#include <windows.h>
// After windows.h:
#include <psapi.h>
#include <tlhelp32.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <system_error>

#include "collectors/base/hex.h"
#include "collectors/base/system_text.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/win/launch.h"

namespace winperf::selftest {
namespace {

constexpr std::size_t kReplyBytes = std::size_t{64} << 20;
constexpr std::size_t kPrivateBytes = std::size_t{512} << 20;
constexpr DWORD kGrantStartMs = 30'000;
constexpr DWORD kGrantEndMs = 5'000;
constexpr char kUnknownGrant[] = "unknown";

std::string hexadecimal(std::uint64_t value) { return "0x" + upper_hex(value); }

std::string launch_error(DWORD code) {
  return system_text(std::error_code(static_cast<int>(code), std::system_category()));
}

// The names of all privileges in the process' token.
std::string privileges_of(HANDLE process) {
  UniqueKernelHandle token;
  DWORD bytes = 0;
  if (!OpenProcessToken(process, TOKEN_QUERY, token.put())) return kUnknownGrant;
  GetTokenInformation(token.get(), TokenPrivileges, nullptr, 0, &bytes);
  std::vector<std::byte> memory(std::max<std::size_t>(bytes, sizeof(TOKEN_PRIVILEGES)));
  if (!GetTokenInformation(token.get(), TokenPrivileges, memory.data(),
                           static_cast<DWORD>(memory.size()), &bytes))
    return kUnknownGrant;
  auto* const all = reinterpret_cast<TOKEN_PRIVILEGES*>(memory.data());
  std::vector<std::string> names;
  for (DWORD i = 0; i < all->PrivilegeCount; ++i) {
    std::array<wchar_t, 128> name{};
    auto length = static_cast<DWORD>(name.size());
    const bool is_known =
        LookupPrivilegeNameW(nullptr, &all->Privileges[i].Luid, name.data(), &length) != FALSE;
    names.push_back(is_known ? to_utf8({name.data(), length}) : kUnknownGrant);
  }
  std::ranges::sort(names);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Wine doesn't export the function.
template <class Policy>
std::string policy_of(HANDLE process, PROCESS_MITIGATION_POLICY kind, DWORD mask) {
  using Get = BOOL(WINAPI*)(HANDLE, PROCESS_MITIGATION_POLICY, PVOID, SIZE_T);
  const auto get =
      function_in<Get>(GetModuleHandleW(L"kernel32.dll"), "GetProcessMitigationPolicy");
  Policy policy{};
  if (get == nullptr || !get(process, kind, &policy, sizeof policy)) return kUnknownGrant;
  return hexadecimal(policy.Flags & mask);
}

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

template <class Info>
std::optional<Info> job_info(HANDLE job, JOBOBJECTINFOCLASS kind) {
  Info info{};
  if (job == nullptr || !QueryInformationJobObject(job, kind, &info, sizeof info, nullptr))
    return std::nullopt;
  return info;
}

void add_job(const worker::Launched& launched, std::vector<Grant>& grants) {
  BOOL is_in = FALSE;
  const bool is_known =
      launched.job && IsProcessInJob(launched.process.get(), launched.job.get(), &is_in) != FALSE;
  grants.push_back(
      {"it is in its job", "yes", is_known ? yes_or_no(is_in != FALSE) : kUnknownGrant});
  const auto limits = job_info<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>(
      launched.job.get(), JobObjectExtendedLimitInformation);
  constexpr DWORD kFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_PROCESS_MEMORY |
                           JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION |
                           JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
  const auto add = [&](const char* what, std::uint64_t wanted, std::uint64_t got) {
    grants.push_back({what, hexadecimal(wanted), limits ? hexadecimal(got) : kUnknownGrant});
  };
  const auto known = limits.value_or(JOBOBJECT_EXTENDED_LIMIT_INFORMATION{});
  add("kinds of limits of the job", kFlags, known.BasicLimitInformation.LimitFlags);
  add("private memory", 2 * kPrivateBytes, known.ProcessMemoryLimit);
  add("processes", 1, known.BasicLimitInformation.ActiveProcessLimit);
  const auto screen =
      job_info<JOBOBJECT_BASIC_UI_RESTRICTIONS>(launched.job.get(), JobObjectBasicUIRestrictions);
  grants.push_back({"restrictions of the screen", hexadecimal(0xFF),
                    screen ? hexadecimal(screen->UIRestrictionsClass) : kUnknownGrant});
}

void add_policies(HANDLE process, std::vector<Grant>& grants) {
  // Source: winnt.h, the bits of each structure.
  constexpr DWORD kBottomUp = 1;
  constexpr DWORD kNoExtensionPoints = 1;
  constexpr DWORD kNoRemoteImages = 1;
  constexpr DWORD kNoLowImages = 2;
  grants.push_back(
      {"addresses are randomised", hexadecimal(kBottomUp),
       policy_of<PROCESS_MITIGATION_ASLR_POLICY>(process, ProcessASLRPolicy, kBottomUp)});
  grants.push_back({"no extension points", hexadecimal(kNoExtensionPoints),
                    policy_of<PROCESS_MITIGATION_EXTENSION_POINT_DISABLE_POLICY>(
                        process, ProcessExtensionPointDisablePolicy, kNoExtensionPoints)});
  grants.push_back({"no images of other machines or of low integrity",
                    hexadecimal(kNoRemoteImages | kNoLowImages),
                    policy_of<PROCESS_MITIGATION_IMAGE_LOAD_POLICY>(
                        process, ProcessImageLoadPolicy, kNoRemoteImages | kNoLowImages)});
}

// The file names of the processes that it has started, or that Windows has for it.
std::string children_of(DWORD id) {
  const UniqueFileHandle snapshot(CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0));
  PROCESSENTRY32W entry{};
  entry.dwSize = sizeof entry;
  if (!snapshot || !Process32FirstW(snapshot.get(), &entry)) return kUnknownGrant;
  std::string text;
  do {
    if (entry.th32ParentProcessID == id)
      text += (text.empty() ? "" : ", ") + to_utf8(entry.szExeFile);
  } while (Process32NextW(snapshot.get(), &entry));
  return text.empty() ? "none" : text;
}

std::optional<std::uint64_t> private_bytes_of(HANDLE process) {
  PROCESS_MEMORY_COUNTERS_EX use{};
  auto* const counters = reinterpret_cast<PROCESS_MEMORY_COUNTERS*>(&use);
  if (!GetProcessMemoryInfo(process, counters, sizeof use) || use.PrivateUsage == 0)
    return std::nullopt;
  return use.PrivateUsage;
}

std::optional<std::int64_t> commit_charge() {
  PERFORMANCE_INFORMATION all{};
  if (!GetPerformanceInfo(&all, sizeof all) || all.CommitTotal == 0) return std::nullopt;
  return static_cast<std::int64_t>(all.CommitTotal * all.PageSize);
}

// Until it reports that it is up. Empty, or why it doesn't.
std::string await_up(worker::Launched& launched) {
  const std::array<HANDLE, 2> waited{launched.reply.get(), launched.process.get()};
  const DWORD which = WaitForMultipleObjects(static_cast<DWORD>(waited.size()), waited.data(),
                                             FALSE, kGrantStartMs);
  if (which == WAIT_TIMEOUT) return "it was not up in time";
  if (which == WAIT_OBJECT_0)
    return worker::is_up(launched.memory.bytes()) ? "" : "its first message is wrong";
  DWORD code = 0;
  GetExitCodeProcess(launched.process.get(), &code);
  return "it ended with code " + hexadecimal(code);
}

struct StartedWorker {
  WorkerGrants grants;
  worker::Launched launched{};
};

StartedWorker start_bare(const std::filesystem::path& program, const char* name) {
  StartedWorker started{.grants = {.worker = name}};
  const auto begun = std::chrono::steady_clock::now();
  auto launched = worker::launch({.executable = program,
                                  .words = {"worker", name},
                                  .shared_bytes = worker::kHeadBytes + kReplyBytes,
                                  .max_private_bytes = kPrivateBytes});
  if (!launched) {
    started.grants.failure = launch_error(launched.error());
    return started;
  }
  started.launched = *std::move(launched);
  started.grants.failure = await_up(started.launched);
  started.grants.start_took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begun);
  return started;
}

// The last look: it ends with its job.
Grant end_with_job(worker::Launched& launched) {
  launched.job.reset();
  const bool has_ended = WaitForSingleObject(launched.process.get(), kGrantEndMs) == WAIT_OBJECT_0;
  if (!has_ended) TerminateProcess(launched.process.get(), 1);
  return {"it ends with its job", "yes", yes_or_no(has_ended)};
}

void look_at(StartedWorker& started) {
  worker::Launched& launched = started.launched;
  if (!started.grants.failure.empty()) {
    if (launched.process) TerminateProcess(launched.process.get(), 1);
    return;
  }
  std::vector<Grant>& grants = started.grants.grants;
  grants.push_back(
      {"privileges", "SeChangeNotifyPrivilege", privileges_of(launched.process.get())});
  add_job(launched, grants);
  add_policies(launched.process.get(), grants);
  grants.push_back({"processes for it", "none", children_of(launched.id)});
  started.grants.private_bytes = private_bytes_of(launched.process.get());
  started.grants.shared_bytes = launched.memory.committed();
  grants.push_back(end_with_job(launched));
}

// Starts one worker of each kind, looks at them, and ends them.
MachineGrants probe_once(const std::filesystem::path& program, const StopToken& stop) {
  // As service/plan/setup.h names them: one each of what a machine has.
  constexpr std::array kWorkers{"registry", "perflib", "facts"};
  MachineGrants all;
  const auto before = commit_charge();
  std::vector<StartedWorker> workers;
  for (const char* const name : kWorkers)
    if (!stop.stop_requested()) workers.push_back(start_bare(program, name));
  const auto after = commit_charge();
  if (before && after) all.commit_bytes = *after - *before;
  for (StartedWorker& one : workers) {
    look_at(one);
    if (one.launched.memory) all.reserved_bytes += kReplyBytes;
    all.workers.push_back(std::move(one.grants));
  }
  return all;
}

}  // namespace

std::optional<MachineGrants> probe_grants(const std::filesystem::path& program,
                                          const StopToken& stop) {
  constexpr int kMostProbes = 3;
  MachineGrants all = probe_once(program, stop);
  for (int probes = 1; probes < kMostProbes && counts_reserved(all) && !stop.stop_requested();
       ++probes)
    all = probe_once(program, stop);
  all.code_pages = {{"console_output", std::to_string(GetConsoleOutputCP())},
                    {"console_input", std::to_string(GetConsoleCP())},
                    {"ansi", std::to_string(GetACP())},
                    {"oem", std::to_string(GetOEMCP())}};
  return all;
}

}  // namespace winperf::selftest
