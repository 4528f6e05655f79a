#include "service/selftest/program.h"

#include <windows.h>
// After windows.h.
#include <psapi.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"

namespace winperf::selftest {
namespace {

// As the C runtime takes a command line apart. Only what needs quotation marks gets them, and not
// the name of NAME=VALUE, because msiexec reads its command line itself.
std::wstring quoted(const std::wstring& word) {
  if (!word.empty() && word.find_first_of(L" \t\"") == std::wstring::npos) return word;
  const std::size_t equals = word.find(L'=');
  const bool has_name =
      equals != std::wstring::npos && word.find_first_of(L" \t\"") > equals && equals > 0;
  const std::size_t begin = has_name ? equals + 1 : 0;
  std::wstring out = word.substr(0, begin) + L'"';
  std::size_t backslashes = 0;
  for (const wchar_t c : word.substr(begin)) {
    if (c == L'"') out.append(backslashes + 1, L'\\');
    backslashes = c == L'\\' ? backslashes + 1 : 0;
    out += c;
  }
  return out.append(backslashes, L'\\') + L'"';
}

std::wstring command_line(const ProgramCall& call) {
  std::wstring line = L'"' + call.program.wstring() + L'"';
  for (const std::string& word : call.words) line += L' ' + quoted(to_wide(word));
  return line;
}

UniqueFileHandle inherited_file(const std::wstring& name, DWORD access, DWORD how) {
  SECURITY_ATTRIBUTES inherited{
      .nLength = sizeof inherited, .lpSecurityDescriptor = nullptr, .bInheritHandle = TRUE};
  return UniqueFileHandle(CreateFileW(name.c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                      &inherited, how, FILE_ATTRIBUTE_NORMAL, nullptr));
}

// A job that ends with the last handle, and all processes in it.
UniqueKernelHandle ending_job() {
  UniqueKernelHandle job(CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  if (job)
    SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits);
  return job;
}

double seconds_of(const FILETIME& time) {
  return static_cast<double>((std::uint64_t{time.dwHighDateTime} << 32) | time.dwLowDateTime) *
         1e-7;
}

struct Started {
  UniqueKernelHandle process;
  UniqueKernelHandle job;
  DWORD id = 0;
  std::filesystem::path output;
  std::filesystem::path errors;
};

class WindowsProgram final : public Program {
 public:
  explicit WindowsProgram(Started started) : started_(std::move(started)) {}
  ~WindowsProgram() override {
    kill();
    DeleteFileW(started_.output.c_str());
    DeleteFileW(started_.errors.c_str());
  }

  std::uint32_t id() const override { return started_.id; }
  std::optional<std::int64_t> wait_until(std::chrono::steady_clock::time_point time,
                                         const StopToken& stop) override {
    constexpr std::int64_t kPauseMs = 50;
    while (true) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                            time - std::chrono::steady_clock::now())
                            .count();
      const auto pause = static_cast<DWORD>(std::clamp<std::int64_t>(left, 0, kPauseMs));
      if (WaitForSingleObject(started_.process.get(), pause) == WAIT_OBJECT_0) {
        DWORD code = 0;
        GetExitCodeProcess(started_.process.get(), &code);
        return code;
      }
      if (left <= 0 || stop.stop_requested()) return std::nullopt;
    }
  }
  bool interrupt() override {
    return GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, started_.id) != FALSE;
  }
  void kill() override {
    constexpr DWORD kMostMs = 5'000;
    if (started_.job) TerminateJobObject(started_.job.get(), 1);
    TerminateProcess(started_.process.get(), 1);
    WaitForSingleObject(started_.process.get(), kMostMs);
  }
  ProgramUse use() const override {
    ProgramUse use;
    FILETIME created{};
    FILETIME ended{};
    FILETIME kernel{};
    FILETIME user{};
    if (GetProcessTimes(started_.process.get(), &created, &ended, &kernel, &user))
      use.cpu_seconds = seconds_of(kernel) + seconds_of(user);
    PROCESS_MEMORY_COUNTERS_EX memory{};
    if (GetProcessMemoryInfo(started_.process.get(),
                             reinterpret_cast<PROCESS_MEMORY_COUNTERS*>(&memory), sizeof memory))
      use.private_bytes = memory.PrivateUsage;
    DWORD handles = 0;
    if (GetProcessHandleCount(started_.process.get(), &handles)) use.handles = handles;
    return use;
  }
  std::string output() const override { return written_by_program(started_.output); }
  std::string errors() const override { return written_by_program(started_.errors); }

 private:
  const Started started_;
};

std::filesystem::path new_output(const std::filesystem::path& folder) {
  static std::atomic<unsigned> last{0};
  return folder /
         (L"output-" + std::to_wstring(GetCurrentProcessId()) + L"-" + std::to_wstring(++last));
}

// Inherits the three handles and no other. The process is in the job from its first moment, so that
// it ends with this one whenever that is killed; where Windows refuses that, it is put there later.
class InheritedHandles {
 public:
  InheritedHandles(std::vector<HANDLE> handles, HANDLE job)
      : handles_(std::move(handles)), job_(job) {
    constexpr DWORD kAttributes = 2;
    SIZE_T bytes = 0;
    InitializeProcThreadAttributeList(nullptr, kAttributes, 0, &bytes);
    memory_.resize(bytes);
    auto* const list = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
    if (!InitializeProcThreadAttributeList(list, kAttributes, 0, &bytes)) return;
    list_ = list;
    UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                              handles_.size() * sizeof(HANDLE), nullptr, nullptr);
    has_job_ = job_ != nullptr &&
               UpdateProcThreadAttribute(list, 0, kJobList, &job_, sizeof job_, nullptr, nullptr);
  }
  InheritedHandles(const InheritedHandles&) = delete;
  InheritedHandles& operator=(const InheritedHandles&) = delete;
  ~InheritedHandles() {
    if (list_ != nullptr) DeleteProcThreadAttributeList(list_);
  }
  LPPROC_THREAD_ATTRIBUTE_LIST list() const { return list_; }
  bool has_job() const { return has_job_; }
  HANDLE stream(std::size_t i) const { return handles_[i]; }

 private:
  static constexpr DWORD_PTR kJobList = 0x2000D;  // PROC_THREAD_ATTRIBUTE_JOB_LIST

  std::vector<HANDLE> handles_;
  HANDLE job_;  // Windows reads it when the process is made
  bool has_job_ = false;
  std::vector<std::byte> memory_;
  LPPROC_THREAD_ATTRIBUTE_LIST list_ = nullptr;
};

std::unexpected<std::string> last_failure(const std::string& what) {
  return std::unexpected(
      what + ": " +
      system_text(std::error_code(static_cast<int>(GetLastError()), std::system_category())));
}

// Suspended, unless it is in its job already. GetLastError() has why there is none.
std::optional<PROCESS_INFORMATION> create_process(const ProgramCall& call,
                                                  const InheritedHandles& handles) {
  STARTUPINFOEXW startup{};
  startup.StartupInfo.cb = sizeof startup;
  startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  startup.StartupInfo.hStdInput = handles.stream(0);
  startup.StartupInfo.hStdOutput = handles.stream(1);
  startup.StartupInfo.hStdError = handles.stream(2);
  startup.lpAttributeList = handles.list();
  std::wstring line = command_line(call);
  const std::wstring folder =
      call.folder.empty() ? written_path(GetSystemDirectoryW) : call.folder.wstring();
  PROCESS_INFORMATION made{};
  const DWORD suspended = handles.has_job() ? 0 : CREATE_SUSPENDED;
  if (!CreateProcessW(call.program.c_str(), line.data(), nullptr, nullptr, TRUE,
                      suspended | CREATE_NEW_PROCESS_GROUP | EXTENDED_STARTUPINFO_PRESENT, nullptr,
                      folder.c_str(), &startup.StartupInfo, &made))
    return std::nullopt;
  return made;
}

}  // namespace

std::expected<std::unique_ptr<Program>, std::string> start_program(const ProgramCall& call) {
  Started started{.process = {},
                  .job = ending_job(),
                  .id = 0,
                  .output = new_output(call.folder),
                  .errors = new_output(call.folder)};
  const auto input = inherited_file(call.input.empty() ? L"NUL" : call.input.wstring(),
                                    GENERIC_READ, OPEN_EXISTING);
  const auto output = inherited_file(started.output.wstring(), GENERIC_WRITE, CREATE_ALWAYS);
  const auto errors = inherited_file(started.errors.wstring(), GENERIC_WRITE, CREATE_ALWAYS);
  if (!input && !call.input.empty()) return last_failure("cannot read " + path_text(call.input));
  if (!input || !output || !errors)
    return last_failure("cannot write in " + path_text(call.folder));
  const std::vector<HANDLE> streams{input.get(), output.get(), errors.get()};
  auto made = create_process(call, InheritedHandles(streams, started.job.get()));
  // A job that doesn't allow nested ones refuses it; then it ends by kill() alone.
  if (!made) made = create_process(call, InheritedHandles(streams, nullptr));
  if (!made) return last_failure("cannot start " + path_text(call.program));
  const UniqueKernelHandle thread(made->hThread);
  started.process = UniqueKernelHandle(made->hProcess);
  started.id = made->dwProcessId;
  BOOL is_in_job = FALSE;
  if (started.job &&
      !(IsProcessInJob(made->hProcess, started.job.get(), &is_in_job) && is_in_job) &&
      !AssignProcessToJobObject(started.job.get(), made->hProcess))
    started.job.reset();
  ResumeThread(made->hThread);
  return std::make_unique<WindowsProgram>(std::move(started));
}

std::filesystem::path system_program(const std::string& name) {
  const std::wstring folder = written_path(GetSystemDirectoryW);
  if (folder.empty()) return {};
  return std::filesystem::path(folder) / path_of(name);
}

}  // namespace winperf::selftest
