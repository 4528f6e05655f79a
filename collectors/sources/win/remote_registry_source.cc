#include "collectors/sources/win/remote_registry_source.h"

#include <utility>

#include "collectors/base/machine_name.h"
#include "collectors/base/win/wide.h"
#include "collectors/sources/platform.h"
#include "collectors/sources/value_names.h"
#include "collectors/sources/win/query_value.h"

namespace winperf {
namespace {

constexpr char kPerflib[] = "SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib";
constexpr const wchar_t* kLanguage = L"SYSTEM\\CurrentControlSet\\Control\\Nls\\Language";

// For the policy, which would repeat itself after some of the codes that connecting gives.
constexpr std::uint32_t kDontRepeat = ERROR_BAD_NETPATH;

Error connecting_error(std::uint32_t os_code) {
  return {.code = os_code == ERROR_ACCESS_DENIED ? ErrorCode::kAccessDenied : ErrorCode::kOsError,
          .where = kConnecting,
          .os_code = os_code};
}

bool is_unreachable(const std::expected<Bytes, Error>& table) {
  return !table && table.error().where == std::string_view(kConnecting);
}

}  // namespace

RemoteRegistrySource::RemoteRegistrySource(std::string_view machine, const QueryLimits& limits)
    : machine_(L"\\\\" + to_wide(machine)), policy_(in_dword_range(limits), system_clocks()) {}

std::uint32_t RemoteRegistrySource::connect(HKEY predefined, UniqueKey& key) const {
  if (key) return ERROR_SUCCESS;
  HKEY opened = nullptr;
  const LSTATUS status = RegConnectRegistryW(machine_.c_str(), predefined, &opened);
  if (status == ERROR_SUCCESS) key.reset(opened);
  return static_cast<std::uint32_t>(status);
}

template <class Run>
auto RemoteRegistrySource::query_data(std::string_view value_name, const Run& run)
    -> std::invoke_result_t<Run, const QueryCalls&> {
  // The other machine would take these for "Global".
  if (value_name.empty() || value_name.find('\0') != std::string_view::npos)
    return std::unexpected(Error{.code = ErrorCode::kNoSuchName, .where = "registry.value_name"});
  const std::wstring wide_name = to_wide(value_name);
  std::uint32_t not_connected = ERROR_SUCCESS;
  QueryCalls calls;
  calls.query = [&](std::span<std::byte> buffer, std::size_t& size) -> std::uint32_t {
    not_connected = connect(HKEY_PERFORMANCE_DATA, data_);
    if (not_connected != ERROR_SUCCESS) return kDontRepeat;
    const std::uint32_t os_code =
        query_value(data_.get(), wide_name, buffer, quirk_.usable(buffer.size()), size);
    if (os_code == ERROR_SUCCESS) quirk_.repair(buffer, size);
    return os_code;
  };
  calls.close = [this] { data_.reset(); };
  auto result = run(calls);
  if (!result && needs_close(result.error().code)) data_.reset();
  if (not_connected != ERROR_SUCCESS) return std::unexpected(connecting_error(not_connected));
  return result;
}

std::expected<Reply, Error> RemoteRegistrySource::query(std::string_view value_name,
                                                        StopToken stop) {
  auto block = query_data(value_name, [&](const QueryCalls& calls) {
    return policy_.run(value_name, calls, std::move(stop));
  });
  if (!block) return std::unexpected(block.error());
  Reply reply;
  reply.blocks.push_back(*std::move(block));
  return reply;
}

std::expected<std::size_t, Error> RemoteRegistrySource::query_in(const ReplyRoom& room,
                                                                 std::string_view value_name,
                                                                 StopToken stop) {
  return query_data(value_name, [&](const QueryCalls& calls) {
    return policy_.run_in(room, value_name, calls, std::move(stop));
  });
}

KeyReader RemoteRegistrySource::local_key(const std::wstring& path) {
  static_cast<void>(connect(HKEY_LOCAL_MACHINE, local_));
  KeyReader key(local_.get(), path);
  if (key.status() != ERROR_SUCCESS && key.status() != ERROR_FILE_NOT_FOUND) local_.reset();
  return key;
}

std::expected<Bytes, Error> RemoteRegistrySource::key_text(const std::string& key,
                                                           const std::string& value_name) {
  if (const std::uint32_t os_code = connect(HKEY_LOCAL_MACHINE, local_); os_code != ERROR_SUCCESS)
    return std::unexpected(connecting_error(os_code));
  UniqueKey opened;
  const std::wstring path = to_wide(key);
  const std::wstring wide_name = to_wide(value_name);
  QueryCalls calls;
  calls.query = [&](std::span<std::byte> buffer, std::size_t& size) -> std::uint32_t {
    if (!opened) {
      const LSTATUS status =
          RegOpenKeyExW(local_.get(), path.c_str(), 0, KEY_READ | KEY_WOW64_64KEY, opened.put());
      if (status != ERROR_SUCCESS) return static_cast<std::uint32_t>(status);
    }
    return query_value(opened.get(), wide_name, buffer, buffer.size(), size);
  };
  calls.close = [&] { opened.reset(); };
  auto text = policy_.run(key + ' ' + value_name, calls, {});
  if (!text && needs_close(text.error().code)) local_.reset();
  return text;
}

std::uint16_t RemoteRegistrySource::language_id() {
  const KeyReader key = local_key(kLanguage);
  for (const wchar_t* const value : {L"InstallLanguage", L"Default"}) {
    const auto text = key.text(value);
    const auto id = text ? parse_language_id(to_utf8(*text)) : std::nullopt;
    if (id) return *id;
  }
  return kEnglishLanguageId;
}

std::vector<std::expected<Bytes, Error>> RemoteRegistrySource::text_tables(TextTable table,
                                                                           Language language) {
  const std::uint16_t id = language == Language::kMachine ? language_id() : kEnglishLanguageId;
  std::vector<std::expected<Bytes, Error>> candidates;
  for (const std::string& value_name : text_value_names(table, id)) {
    candidates.push_back(query_data(
        value_name, [&](const QueryCalls& calls) { return policy_.run(value_name, calls, {}); }));
    if (is_unreachable(candidates.back())) return candidates;
  }
  for (const std::string& key : text_table_keys(id))
    candidates.push_back(key_text(std::string(kPerflib) + '\\' + key,
                                  table == TextTable::kCounter ? "Counter" : "Help"));
  return candidates;
}

bool RemoteRegistrySource::supports_metadata() {
  return local_key(to_wide(kPerflib)).number(L"Supports Metadata").value_or(0) != 0;
}

std::uint64_t RemoteRegistrySource::provider_generation() {
  const KeyReader key = local_key(to_wide(kPerflib));
  const std::uint64_t last_counter = key.number(L"Last Counter").value_or(0);
  const std::uint64_t last_help = key.number(L"Last Help").value_or(0);
  return last_counter << 32 | last_help;
}

void RemoteRegistrySource::release() {
  data_.reset();
  local_.reset();
}

std::expected<std::unique_ptr<CounterSource>, SourceError> make_remote_source(
    const std::string& machine, const QueryLimits& limits) {
  const auto name = machine_name(machine);
  if (!name)
    return std::unexpected(SourceError{ErrorCode::kUnsupported,
                                       "what was given as another machine's name can't be one"});
  return std::make_unique<RemoteRegistrySource>(*name, limits);
}

}  // namespace winperf
