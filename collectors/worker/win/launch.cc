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
  SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits);
  return job;
}

void restrict_screen(HANDLE job) {
  JOBOBJECT_BASIC_UI_RESTRICTIONS screen{};
  screen.UIRestrictionsClass = JOB_OBJECT_UILIMIT_DESKTOP | JOB_OBJECT_UILIMIT_DISPLAYSETTINGS |
                               JOB_OBJECT_UILIMIT_EXITWINDOWS | JOB_OBJECT_UILIMIT_GLOBALATOMS |
                               JOB_OBJECT_UILIMIT_HANDLES | JOB_OBJECT_UILIMIT_READCLIPBOARD |
                               JOB_OBJECT_UILIMIT_SYSTEMPARAMETERS |
                               JOB_OBJECT_UILIMIT_WRITECLIPBOARD;
  SetInformationJobObject(job, JobObjectBasicUIRestrictions, &screen, sizeof screen);
}

// Without the UI restrictions, if those are refused. A job that has them can't contain other jobs.
void put_into(HANDLE job, HANDLE process, bool starts_workers) {
  if (!starts_workers) restrict_screen(job);
  if (AssignProcessToJobObject(job, process)) return;
  JOBOBJECT_BASIC_UI_RESTRICTIONS none{};
  SetInformationJobObject(job, JobObjectBasicUIRestrictions, &none, sizeof none);
  AssignProcessToJobObject(job, process);
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

// Which handles are inherited, and which policies hold.
class Attributes {
 public:
  explicit Attributes(std::vector<HANDLE> handles) : handles_(std::move(handles)) {
    constexpr DWORD kCount = 2;
    SIZE_T bytes = 0;
    InitializeProcThreadAttributeList(nullptr, kCount, 0, &bytes);
    memory_.resize(bytes);
    auto* const list = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
    if (!InitializeProcThreadAttributeList(list, kCount, 0, &bytes)) return;
    list_ = list;
    is_complete_ =
        UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                                  handles_.size() * sizeof(HANDLE), nullptr, nullptr) != FALSE;
    UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_MITIGATION_POLICY, &policies_,
                              sizeof policies_, nullptr, nullptr);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() {
    if (list_ != nullptr) DeleteProcThreadAttributeList(list_);
  }
  // Null if not even the list of handles can be set.
  LPPROC_THREAD_ATTRIBUTE_LIST list() const { return is_complete_ ? list_ : nullptr; }

 private:
  // Providers may generate code, as those of .NET do, and may have any signature. These policies
  // don't affect them otherwise: none needs remote images or window hooks.
  DWORD64 policies_ = PROCESS_CREATION_MITIGATION_POLICY_DEP_ENABLE |
                      PROCESS_CREATION_MITIGATION_POLICY_SEHOP_ENABLE |
                      PROCESS_CREATION_MITIGATION_POLICY_HEAP_TERMINATE_ALWAYS_ON |
                      PROCESS_CREATION_MITIGATION_POLICY_BOTTOM_UP_ASLR_ALWAYS_ON |
                      PROCESS_CREATION_MITIGATION_POLICY_EXTENSION_POINT_DISABLE_ALWAYS_ON |
                      PROCESS_CREATION_MITIGATION_POLICY_IMAGE_LOAD_NO_REMOTE_ALWAYS_ON |
                      PROCESS_CREATION_MITIGATION_POLICY_IMAGE_LOAD_NO_LOW_LABEL_ALWAYS_ON;
  std::vector<HANDLE> handles_;
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

// Suspended. The error is the system's code.
std::expected<PROCESS_INFORMATION, DWORD> create(const WorkerCommand& command, std::wstring line,
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
  const UniqueKernelHandle token = reduced_token();
  if (token &&
      CreateProcessAsUserW(token.get(), command.executable.c_str(), line.data(), nullptr, nullptr,
                           TRUE, flags, nullptr, folder.c_str(), &startup.StartupInfo, &made))
    return made;
  if (CreateProcessW(command.executable.c_str(), line.data(), nullptr, nullptr, TRUE, flags,
                     nullptr, folder.c_str(), &startup.StartupInfo, &made))
    return made;
  return std::unexpected(GetLastError());
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
  const Attributes attributes(handles);
  if (attributes.list() == nullptr) return std::unexpected(GetLastError());
  const auto made = create(command, command_line(command, handles), attributes.list());
  if (!made) return std::unexpected(made.error());
  launched.process = UniqueKernelHandle(made->hProcess);
  launched.id = made->dwProcessId;
  const UniqueKernelHandle thread(made->hThread);
  // If even that fails, the worker still watches its parent.
  put_into(launched.job.get(), launched.process.get(), command.starts_workers);
  ResumeThread(thread.get());
  return launched;
}

}  // namespace winperf::worker
