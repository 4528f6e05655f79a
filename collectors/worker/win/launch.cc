#include "collectors/worker/win/launch.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/win/wide.h"
#include "collectors/worker/frame.h"

namespace winperf::worker {
namespace {

UniqueKernelHandle new_event(bool inherited) {
  SECURITY_ATTRIBUTES attributes{sizeof attributes, nullptr, inherited};
  constexpr BOOL kManual = FALSE;
  return UniqueKernelHandle(CreateEventW(&attributes, kManual, FALSE, nullptr));
}

UniqueKernelHandle new_section(std::size_t bytes) {
  SECURITY_ATTRIBUTES attributes{sizeof attributes, nullptr, TRUE};
  const auto size = static_cast<std::uint64_t>(bytes);
  constexpr unsigned kUpper = 32;
  // Only reserved: committed memory counts against the whole system, so it is committed as replies
  // need it.
  return UniqueKernelHandle(
      CreateFileMappingW(INVALID_HANDLE_VALUE, &attributes, PAGE_READWRITE | SEC_RESERVE,
                         static_cast<DWORD>(size >> kUpper), static_cast<DWORD>(size), nullptr));
}

// This process, so that the worker can wait for its end.
UniqueKernelHandle own_process() {
  UniqueKernelHandle handle;
  DuplicateHandle(GetCurrentProcess(), GetCurrentProcess(), GetCurrentProcess(), handle.put(),
                  SYNCHRONIZE, TRUE, 0);
  return handle;
}

// Workers of a worker are in its job, too, so that they end with it.
UniqueKernelHandle new_job(const WorkerCommand& command) {
  UniqueKernelHandle job(CreateJobObjectW(nullptr, nullptr));
  if (!job) return job;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE |
                                            JOB_OBJECT_LIMIT_PROCESS_MEMORY |
                                            JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  if (!command.starts_workers) {
    limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
    limits.BasicLimitInformation.ActiveProcessLimit = 1;
  }
  // The parent replaces the worker at the limit. The system only refuses more memory, and a
  // provider without memory misbehaves, so this is for one that grows too fast to be noticed.
  limits.ProcessMemoryLimit = 2 * command.max_private_bytes;
  if (SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits))
    return job;
  // The end with this process matters most.
  limits = {};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits);
  return job;
}

bool restrict_screen(HANDLE job) {
  JOBOBJECT_BASIC_UI_RESTRICTIONS screen{};
  screen.UIRestrictionsClass = JOB_OBJECT_UILIMIT_DESKTOP | JOB_OBJECT_UILIMIT_DISPLAYSETTINGS |
                               JOB_OBJECT_UILIMIT_EXITWINDOWS | JOB_OBJECT_UILIMIT_GLOBALATOMS |
                               JOB_OBJECT_UILIMIT_HANDLES | JOB_OBJECT_UILIMIT_READCLIPBOARD |
                               JOB_OBJECT_UILIMIT_SYSTEMPARAMETERS |
                               JOB_OBJECT_UILIMIT_WRITECLIPBOARD;
  return SetInformationJobObject(job, JobObjectBasicUIRestrictions, &screen, sizeof screen) !=
         FALSE;
}

// Without the UI restrictions, if those are refused. A job that has them can't contain other jobs.
void put_into(HANDLE job, HANDLE process, bool starts_workers, Granted& granted) {
  if (job == nullptr) return;  // it would mean the job of this process
  granted.has_screen_limits = !starts_workers && restrict_screen(job);
  granted.is_in_job = AssignProcessToJobObject(job, process) != FALSE;
  if (granted.is_in_job || !granted.has_screen_limits) return;
  JOBOBJECT_BASIC_UI_RESTRICTIONS none{};
  SetInformationJobObject(job, JobObjectBasicUIRestrictions, &none, sizeof none);
  granted.has_screen_limits = false;
  granted.is_in_job = AssignProcessToJobObject(job, process) != FALSE;
}

// This process' token without its privileges; null if the system refuses.
UniqueKernelHandle reduced_token() {
  UniqueKernelHandle own;
  UniqueKernelHandle reduced;
  if (OpenProcessToken(GetCurrentProcess(), TOKEN_DUPLICATE | TOKEN_ASSIGN_PRIMARY | TOKEN_QUERY,
                       own.put()))
    CreateRestrictedToken(own.get(), DISABLE_MAX_PRIVILEGE, 0, nullptr, 0, nullptr, 0, nullptr,
                          reduced.put());
  return reduced;
}

// Providers may generate code, as those of .NET do, and may have any signature. These policies
// don't affect them otherwise: none needs remote images or window hooks. DEP and SEHOP aren't among
// them: each 64-bit process has the one, the other is for 32-bit code, and Windows may refuse both.
// Source: winnt.h; the second group is of Windows 10 1511.
constexpr DWORD64 kPolicies = PROCESS_CREATION_MITIGATION_POLICY_HEAP_TERMINATE_ALWAYS_ON |
                              PROCESS_CREATION_MITIGATION_POLICY_BOTTOM_UP_ASLR_ALWAYS_ON |
                              PROCESS_CREATION_MITIGATION_POLICY_EXTENSION_POINT_DISABLE_ALWAYS_ON;
constexpr DWORD64 kImagePolicies =
    PROCESS_CREATION_MITIGATION_POLICY_IMAGE_LOAD_NO_REMOTE_ALWAYS_ON |
    PROCESS_CREATION_MITIGATION_POLICY_IMAGE_LOAD_NO_LOW_LABEL_ALWAYS_ON;

// Whether the file is on another machine. With NO_REMOTE its process could then load nothing.
bool is_remote(const std::wstring& file) {
  if (file.starts_with(LR"(\\?\)") && !file.starts_with(LR"(\\?\UNC\)"))
    return is_remote(file.substr(4));
  if (file.starts_with(LR"(\\)")) return true;
  return GetDriveTypeW((file.substr(0, 2) + L'\\').c_str()) == DRIVE_REMOTE;
}

// Which handles are inherited, and which policies hold, if any.
class Attributes {
 public:
  Attributes(std::vector<HANDLE> handles, DWORD64 policies)
      : handles_(std::move(handles)), policies_(policies) {
    const DWORD count = policies != 0 ? 2 : 1;
    SIZE_T bytes = 0;
    InitializeProcThreadAttributeList(nullptr, count, 0, &bytes);
    memory_.resize(bytes);
    auto* const list = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
    if (!InitializeProcThreadAttributeList(list, count, 0, &bytes)) return;
    list_ = list;
    is_complete_ =
        UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                                  handles_.size() * sizeof(HANDLE), nullptr, nullptr) &&
        (policies == 0 ||
         UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_MITIGATION_POLICY, &policies_,
                                   sizeof policies_, nullptr, nullptr));
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() {
    if (list_ != nullptr) DeleteProcThreadAttributeList(list_);
  }
  // Null if the system refuses one of them.
  LPPROC_THREAD_ATTRIBUTE_LIST list() const { return is_complete_ ? list_ : nullptr; }

 private:
  std::vector<HANDLE> handles_;
  DWORD64 policies_;
  std::vector<std::byte> memory_;
  LPPROC_THREAD_ATTRIBUTE_LIST list_ = nullptr;
  bool is_complete_ = false;
};

// No word contains quotation marks or ends with a backslash; service names may contain blanks.
std::wstring command_line(const WorkerCommand& command, std::span<const HANDLE> handles) {
  std::wstring line = L'"' + command.executable.wstring() + L'"';
  for (const std::string& word : command.words) line += L" \"" + to_wide(word) + L'"';
  for (const HANDLE handle : handles)
    line += L' ' + std::to_wstring(reinterpret_cast<std::uintptr_t>(handle));
  line += L' ' + std::to_wstring(command.shared_bytes);
  return line;
}

// Suspended. `token`: the process' token; null: this process' own. The error is the system's code.
std::expected<PROCESS_INFORMATION, DWORD> create(const WorkerCommand& command, std::wstring line,
                                                 HANDLE token,
                                                 LPPROC_THREAD_ATTRIBUTE_LIST attributes) {
  STARTUPINFOEXW startup{};
  startup.StartupInfo.cb = sizeof startup;
  startup.lpAttributeList = attributes;
  // Without a console, for which Windows would start another process (conhost.exe), and in a
  // separate group, because a console's Ctrl-C is for the parent.
  const DWORD flags =
      CREATE_SUSPENDED | DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP | EXTENDED_STARTUPINFO_PRESENT;
  // The working folder of services; the caller's may contain any DLLs.
  const std::wstring folder = written_path(GetSystemDirectoryW);
  PROCESS_INFORMATION made{};
  const BOOL is_made =
      token != nullptr
          ? CreateProcessAsUserW(token, command.executable.c_str(), line.data(), nullptr, nullptr,
                                 TRUE, flags, nullptr, folder.c_str(), &startup.StartupInfo, &made)
          : CreateProcessW(command.executable.c_str(), line.data(), nullptr, nullptr, TRUE, flags,
                           nullptr, folder.c_str(), &startup.StartupInfo, &made);
  if (is_made) return made;
  return std::unexpected(GetLastError());
}

// With fewer restrictions each time, until the system accepts them: those of newer Windows are left
// out first, and the token last. Nothing in an error says which one it is about, so it can be any.
std::expected<PROCESS_INFORMATION, DWORD> create(const WorkerCommand& command,
                                                 const std::vector<HANDLE>& handles,
                                                 Granted& granted) {
  const std::wstring line = command_line(command, handles);
  const UniqueKernelHandle reduced = reduced_token();
  std::vector<DWORD64> policies{kPolicies | kImagePolicies, kPolicies, 0};
  if (is_remote(command.executable.wstring())) policies.erase(policies.begin());
  DWORD error = ERROR_SUCCESS;
  std::vector<HANDLE> tokens{nullptr};
  if (reduced) tokens.insert(tokens.begin(), reduced.get());
  for (const HANDLE token : tokens) {
    for (const DWORD64 policy : policies) {
      const Attributes attributes(handles, policy);
      if (attributes.list() == nullptr) {
        error = GetLastError();
        continue;
      }
      const auto made = create(command, line, token, attributes.list());
      granted.has_reduced_token = token != nullptr;
      granted.policies = policy;
      if (made) return made;
      error = made.error();
    }
  }
  return std::unexpected(error);
}

}  // namespace

SharedView::SharedView(HANDLE section, std::size_t bytes) {
  void* const at = MapViewOfFile(section, FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, bytes);
  if (at == nullptr) return;
  bytes_ = {static_cast<std::byte*>(at), bytes};
  if (!commit(std::min(bytes, kHeadBytes))) *this = SharedView();
}

bool SharedView::commit(std::size_t bytes) {
  if (bytes <= committed_) return true;
  if (bytes > bytes_.size() ||
      VirtualAlloc(bytes_.data(), bytes, MEM_COMMIT, PAGE_READWRITE) == nullptr)
    return false;
  committed_ = bytes;
  return true;
}

std::optional<std::uint64_t> SharedView::committed() const {
  // Committed from its beginning on, by this process or the other one.
  MEMORY_BASIC_INFORMATION pages{};
  if (VirtualQuery(bytes_.data(), &pages, sizeof pages) == 0) return std::nullopt;
  return pages.State == MEM_COMMIT ? pages.RegionSize : 0;
}

std::expected<Launched, DWORD> launch(const WorkerCommand& command) {
  const UniqueKernelHandle section = new_section(command.shared_bytes);
  const UniqueKernelHandle parent = own_process();
  Launched launched;
  launched.memory = SharedView(section.get(), command.shared_bytes);
  launched.request = new_event(true);
  launched.reply = new_event(true);
  launched.where = new_event(true);
  launched.interrupted = new_event(false);
  if (!launched.memory || !parent || !launched.request || !launched.reply || !launched.where ||
      !launched.interrupted)
    return std::unexpected(GetLastError());
  launched.job = new_job(command);

  const std::vector<HANDLE> handles{section.get(), launched.request.get(), launched.reply.get(),
                                    parent.get(), launched.where.get()};
  const auto made = create(command, handles, launched.granted);
  if (!made) return std::unexpected(made.error());
  launched.process = UniqueKernelHandle(made->hProcess);
  launched.id = made->dwProcessId;
  const UniqueKernelHandle thread(made->hThread);
  // If even that fails, the worker still watches its parent.
  put_into(launched.job.get(), launched.process.get(), command.starts_workers, launched.granted);
  ResumeThread(thread.get());
  return launched;
}

}  // namespace winperf::worker
