// A stand-in for windows_exporter: a service with its command line, --config.file=FILE, that
// answers every request on the address in that file, 127.0.0.1:PORT, with one metric.
#include <winsock2.h>
// After winsock2.h:
#include <windows.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace {

constexpr char kAnswer[] =
    "HTTP/1.0 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\n\r\nwindows_stand_in 1\n";

SERVICE_STATUS_HANDLE g_handle = nullptr;
std::atomic<SOCKET> g_listener{INVALID_SOCKET};
std::wstring g_config;

void report(DWORD state, DWORD exit_code = 0) {
  SERVICE_STATUS status{};
  status.dwServiceType = SERVICE_WIN32_OWN_PROCESS;
  status.dwCurrentState = state;
  status.dwControlsAccepted = state == SERVICE_RUNNING ? SERVICE_ACCEPT_STOP : 0;
  status.dwWin32ExitCode = exit_code;
  SetServiceStatus(g_handle, &status);
}

DWORD WINAPI control(DWORD code, DWORD, void*, void*) {
  if (code != SERVICE_CONTROL_STOP) return NO_ERROR;
  report(SERVICE_STOP_PENDING);
  closesocket(g_listener.exchange(INVALID_SOCKET));
  return NO_ERROR;
}

unsigned short port_in(const std::wstring& file) {
  std::ifstream stream(file.c_str());
  std::ostringstream text;
  text << stream.rdbuf();
  const std::string all = text.str();
  const std::size_t at = all.find("127.0.0.1:");
  return at == std::string::npos
             ? 0
             : static_cast<unsigned short>(std::strtoul(all.c_str() + at + 10, nullptr, 10));
}

bool listen_at(unsigned short port) {
  WSADATA data{};
  if (WSAStartup(MAKEWORD(2, 2), &data) != 0) return false;
  const SOCKET listener = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  g_listener = listener;
  return port != 0 &&
         bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
         listen(listener, 8) == 0;
}

void WINAPI service_main(DWORD, wchar_t**) {
  g_handle = RegisterServiceCtrlHandlerExW(L"windows_exporter", control, nullptr);
  if (!listen_at(port_in(g_config))) return report(SERVICE_STOPPED, ERROR_NETWORK_UNREACHABLE);
  report(SERVICE_RUNNING);
  while (g_listener != INVALID_SOCKET) {
    const SOCKET client = accept(g_listener, nullptr, nullptr);
    if (client == INVALID_SOCKET) break;
    char request[4096];
    recv(client, request, sizeof(request), 0);
    send(client, kAnswer, sizeof(kAnswer) - 1, 0);
    shutdown(client, SD_SEND);
    closesocket(client);
  }
  report(SERVICE_STOPPED);
}

}  // namespace

int wmain(int argc, wchar_t** argv) {
  const std::wstring flag = L"--config.file=";
  for (int i = 1; i < argc; ++i)
    if (const std::wstring word = argv[i]; word.starts_with(flag))
      g_config = word.substr(flag.size());
  wchar_t name[] = L"windows_exporter";
  const SERVICE_TABLE_ENTRYW services[] = {{name, service_main}, {nullptr, nullptr}};
  return StartServiceCtrlDispatcherW(services) ? 0 : 1;
}
