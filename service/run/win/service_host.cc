#include "service/run/service_host.h"

#include <windows.h>
// After windows.h:
#include <tlhelp32.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "collectors/base/system_text.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "service/console/exit_code.h"
#include "service/log/event_log.h"
#include "service/run/console_host.h"
#include "service/scm/service_definition.h"
#include "service/scm/service_status.h"

namespace winperf {
namespace {

std::optional<PROCESSENTRY32W> find_process(HANDLE snapshot, DWORD id) {
  PROCESSENTRY32W entry{};
  entry.dwSize = sizeof(entry);
  for (BOOL more = Process32FirstW(snapshot, &entry); more; more = Process32NextW(snapshot, &entry))
    if (entry.th32ProcessID == id) return entry;
  return std::nullopt;
}

// Whether something other than the service control manager has started this process; false if that
// can't be found out. The dispatcher would report it, too, but Wine's takes ten seconds.
bool started_by_another_program() {
  const UniqueFileHandle snapshot(CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0));
  if (!snapshot) return false;
  const auto self = find_process(snapshot.get(), GetCurrentProcessId());
  if (!self) return false;
  const auto parent = find_process(snapshot.get(), self->th32ParentProcessID);
  if (!parent) return true;  // the parent has ended, and the manager never does
  return CompareStringOrdinal(parent->szExeFile, -1, L"services.exe", -1, TRUE) != CSTR_EQUAL;
}

DWORD state_of(ServiceState state) {
  static constexpr DWORD kStates[] = {SERVICE_START_PENDING, SERVICE_RUNNING, SERVICE_STOP_PENDING,
                                      SERVICE_STOPPED};
  return kStates[static_cast<std::size_t>(state)];
}

SERVICE_STATUS to_windows(const ServiceReport& report) {
  SERVICE_STATUS status{};
  status.dwServiceType = SERVICE_WIN32_OWN_PROCESS;
  status.dwCurrentState = state_of(report.state);
  if (report.accepts_controls)
    status.dwControlsAccepted = SERVICE_ACCEPT_STOP | SERVICE_ACCEPT_SHUTDOWN |
                                SERVICE_ACCEPT_PRESHUTDOWN | SERVICE_ACCEPT_PARAMCHANGE;
  status.dwCheckPoint = report.checkpoint;
  status.dwWaitHint = static_cast<DWORD>(report.wait_hint.count());
  status.dwWin32ExitCode = report.exit_code == 0 ? NO_ERROR : ERROR_SERVICE_SPECIFIC_ERROR;
  status.dwServiceSpecificExitCode = static_cast<DWORD>(report.exit_code);
  return status;
}

class WindowsServiceHost final : public ServiceHost {
 public:
  explicit WindowsServiceHost(std::string name)
      : name_(std::move(name)), status_([this](const ServiceReport& report) {
          SERVICE_STATUS status = to_windows(report);
          SetServiceStatus(handle_, &status);
        }) {
    handle_ = RegisterServiceCtrlHandlerExW(to_wide(name_).c_str(), handle_control, this);
  }

  const std::string& service_name() const override { return name_; }
  // The program's own log is not open yet, so this opens the event log.
  int cannot_start(const Failure& failure) override {
    if (const auto log = open_event_log(name_)) log->write(Event::kNotStarted, {}, failure.message);
    return failure.exit_code;
  }
  void still_starting() override { status_.starting(); }
  void still_stopping() override { status_.stopping(); }
  bool pause_start(std::chrono::milliseconds time) override {
    return passes_without_stop(queue_, time);
  }

  void running(const std::string&) override { status_.running(); }
  void wait(const HostedWork& work) override { do_hosted_work(queue_, work); }
  void request_reload() override { queue_.post(Control::kReload); }
  void request_maintenance() override { queue_.post(Control::kMaintain); }

  // A requested stop must not count as a failure, after which Windows restarts the service.
  void abandon(bool failed) override { leave(failed ? kExitFailure : kExitOk); }

  void leave(int exit_code) override {
    status_.stopped(exit_code);
    TerminateProcess(GetCurrentProcess(), static_cast<UINT>(exit_code));
    std::_Exit(exit_code);
  }

  void stopped(int exit_code) { status_.stopped(exit_code); }

 private:
  // Called by the dispatcher on the program's first thread.
  static DWORD WINAPI handle_control(DWORD control, DWORD, LPVOID, LPVOID context) {
    auto& host = *static_cast<WindowsServiceHost*>(context);
    switch (control) {
      case SERVICE_CONTROL_STOP:
      case SERVICE_CONTROL_SHUTDOWN:
      case SERVICE_CONTROL_PRESHUTDOWN:
        host.status_.stopping();
        host.queue_.post(Control::kStop);
        return NO_ERROR;
      case SERVICE_CONTROL_PARAMCHANGE:
        host.queue_.post(Control::kReload);
        return NO_ERROR;
      case SERVICE_CONTROL_INTERROGATE:
        return NO_ERROR;
      default:
        return ERROR_CALL_NOT_IMPLEMENTED;
    }
  }

  const std::string name_;
  SERVICE_STATUS_HANDLE handle_ = nullptr;
  ServiceStatus status_;
  ControlQueue queue_;
};

using Body = std::function<int(ServiceHost&)>;

int run_body(WindowsServiceHost& host, const Body& body) {
  try {
    return body(host);
  } catch (const std::exception& error) {
    return host.cannot_start({.message = exception_text(error)});
  }
}

// What service_main() works on. The dispatcher passes it no context, so this is global. The control
// handler may be called until the dispatcher returns, so the host lives as long.
struct Hosted {
  const Body& body;
  HANDLE ended;  // an event: std::binary_semaphore loses wake-ups with mingw-w64's GCC 12
  std::optional<WindowsServiceHost> host;
  int exit_code = kExitFailure;
};
Hosted* g_hosted = nullptr;

// Called on a thread of the dispatcher. After stopped() has been reported, the dispatcher may
// return on the first thread, which waits for `ended` before it ends the process.
void WINAPI service_main(DWORD count, LPWSTR* arguments) {
  Hosted& hosted = *g_hosted;
  hosted.host.emplace(count > 0 ? to_utf8(arguments[0]) : kServiceName);
  hosted.host->still_starting();
  hosted.exit_code = run_body(*hosted.host, hosted.body);
  hosted.host->stopped(hosted.exit_code);
  SetEvent(hosted.ended);
}

}  // namespace

int run_hosted(const std::function<int(ServiceHost&)>& body) {
  if (!started_by_another_program()) {
    const UniqueKernelHandle ended(CreateEventW(nullptr, TRUE, FALSE, nullptr));
    Hosted hosted{.body = body, .ended = ended.get(), .host = std::nullopt};
    g_hosted = &hosted;
    wchar_t no_name[] = L"";  // ignored: the process has only this service
    const SERVICE_TABLE_ENTRYW services[] = {{no_name, service_main}, {nullptr, nullptr}};
    if (StartServiceCtrlDispatcherW(services)) {
      WaitForSingleObject(ended.get(), INFINITE);
      return hosted.exit_code;
    }
    const DWORD code = GetLastError();
    if (code != ERROR_FAILED_SERVICE_CONTROLLER_CONNECT) {
      complain("the service control manager does not answer: " +
               system_text(std::error_code(static_cast<int>(code), std::system_category())));
      return kExitFailure;
    }
  }
  ConsoleHost host;
  return body(host);
}

}  // namespace winperf
