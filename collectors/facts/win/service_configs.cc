#include "collectors/facts/win/service_configs.h"

#include <bit>
#include <expected>
#include <ratio>
#include <utility>
#include <variant>

#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/win/returned_buffer.h"

namespace winperf {
namespace {

constexpr DWORD kConfigBytes = 8 * 1024;  // the documented maximum

bool starts_delayed(SC_HANDLE service) {
  SERVICE_DELAYED_AUTO_START_INFO info{};
  DWORD needed = 0;
  return QueryServiceConfig2W(service, SERVICE_CONFIG_DELAYED_AUTO_START_INFO,
                              reinterpret_cast<LPBYTE>(&info), sizeof info, &needed) &&
         info.fDelayedAutostart;
}

std::expected<FactRow, DWORD> read_config(SC_HANDLE manager, const std::wstring& service) {
  const UniqueService handle(OpenServiceW(manager, service.c_str(), SERVICE_QUERY_CONFIG));
  if (!handle) return std::unexpected(GetLastError());
  ReturnedBuffer buffer(kConfigBytes);
  auto* const config = static_cast<QUERY_SERVICE_CONFIGW*>(buffer.data());
  DWORD needed = 0;
  if (!QueryServiceConfigW(handle.get(), config, kConfigBytes, &needed))
    return std::unexpected(GetLastError());
  const auto text = [&buffer](const wchar_t* at) { return to_utf8(buffer.text(at).value_or(L"")); };
  FactRow row;
  put_known(row, "run_as", text(config->lpServiceStartName));
  put_known(row, "path_name", text(config->lpBinaryPathName));
  put_known(row, "start_mode", service_start_name(config->dwStartType));
  if (config->dwStartType == SERVICE_AUTO_START)
    row.number("delayed", starts_delayed(handle.get()) ? 1 : 0);
  return row;
}

void add_fields(FactRow& row, const FactRow& more) {
  for (const auto& [field, value] : more.fields()) {
    if (const auto* const text = std::get_if<std::string>(&value))
      row.text(field, *text);
    else
      row.number(field, std::get<double>(value));
  }
}

}  // namespace

DWORD ServiceConfigs::add(SC_HANDLE manager, const std::wstring& service, FactRow& row) {
  // Before the configuration: what is written meanwhile is read the next time.
  const auto written =
      KeyReader(HKEY_LOCAL_MACHINE, std::wstring(kServicesPath) + L'\\' + service).written();
  auto known = before_.extract(service);
  if (known.empty() || !written || known.mapped().written != *written) {
    auto config = read_config(manager, service);
    if (!config) return config.error();
    add_fields(row, *config);
    if (written && is_settled(*written))
      now_[service] = {.written = *written, .config = *std::move(config)};
    return ERROR_SUCCESS;
  }
  add_fields(row, known.mapped().config);
  now_.insert(std::move(known));
  return ERROR_SUCCESS;
}

bool ServiceConfigs::is_settled(std::uint64_t written) const {
  FILETIME now{};
  GetSystemTimeAsFileTime(&now);
  using Ticks = std::chrono::duration<std::uint64_t, std::ratio<1, 10'000'000>>;
  return std::bit_cast<std::uint64_t>(now) - written >=
         std::chrono::duration_cast<Ticks>(settling_).count();
}

void ServiceConfigs::end_reading() {
  before_ = std::move(now_);
  now_.clear();
}

}  // namespace winperf
