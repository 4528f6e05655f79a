// HKEY_PERFORMANCE_DATA of a remote machine, by RegConnectRegistry: one handle for the counters,
// and one for ordinary registry values, each opened when first needed.
//
// The query runs in a service of the remote machine; closing the handles frees the resources there.
// A handle is closed by release(), by the destructor, and after an error that reconnecting may
// cure; the next call connects again. A failed connection isn't retried here, because each attempt
// may last until the network times out. Text tables come from the performance data, and then from
// Perflib's keys, because here there are no files to fall back on. The machine's own language is
// read there, too. Not validated: the blocks and tables; only that their size fits the buffer.
// Errors, in addition to those of QueryPolicy: that of connecting, with `where` "remote.connect";
// kNoSuchName. Thread rule: one thread at a time. Source: Learn, RegConnectRegistryW and "Using the
// Registry Functions to Consume Counter Data".
#include "collectors/sources/platform.h"

#include <windows.h>

#include "collectors/base/machine_name.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/sources/value_names.h"
#include "collectors/sources/win/query_value.h"

namespace winperf {
namespace {

constexpr char kPerflib[] = "SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib";
constexpr const wchar_t* kLanguage = L"SYSTEM\\CurrentControlSet\\Control\\Nls\\Language";

// Stops the policy from retrying after some codes of a failed connection.
constexpr std::uint32_t kDontRepeat = ERROR_BAD_NETPATH;

Error connecting_error(std::uint32_t os_code) {
  return {.code = os_code == ERROR_ACCESS_DENIED ? ErrorCode::kAccessDenied : ErrorCode::kOsError,
          .where = kConnecting,
          .os_code = os_code};
}

bool is_unreachable(const std::expected<Bytes, Error>& table) {
  return !table && table.error().where == std::string_view(kConnecting);
}

class RemoteRegistrySource final : public PolicySource {
 public:
  // `machine`: a name as machine_name() gives it.
  RemoteRegistrySource(std::string_view machine, const QueryLimits& limits)
      : PolicySource(in_dword_range(limits), system_clocks()),
        machine_(L"\\\\" + to_wide(machine)) {}

  [[nodiscard]] std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                     Language language) override;
  bool supports_metadata() override {
    return local_key(to_wide(kPerflib)).number(L"Supports Metadata").value_or(0) != 0;
  }
  std::uint64_t provider_generation() override {
    return generation_in(local_key(to_wide(kPerflib)));
  }
  void release() override;

 private:
  // Connects to a predefined key of the machine, unless `key` is one already. A Win32 code.
  std::uint32_t connect(HKEY predefined, UniqueKey& key) const;
  [[nodiscard]] std::expected<std::size_t, Error> ask(std::string_view value_name,
                                                      const Query& query) override;
  // A key below the machine's HKEY_LOCAL_MACHINE. Without a connection it has no values.
  KeyReader local_key(const std::wstring& path);
  [[nodiscard]] std::expected<Bytes, Error> key_text(const std::string& key,
                                                     const std::string& value_name);
  [[nodiscard]] std::uint16_t language_id();

  const std::wstring machine_;  // with its two backslashes
  const WineQuirk quirk_ = wine_quirk();
  UniqueKey data_;
  UniqueKey local_;
};

std::uint32_t RemoteRegistrySource::connect(HKEY predefined, UniqueKey& key) const {
  if (key) return ERROR_SUCCESS;
  HKEY opened = nullptr;
  const LSTATUS status = RegConnectRegistryW(machine_.c_str(), predefined, &opened);
  if (status == ERROR_SUCCESS) key.reset(opened);
  return static_cast<std::uint32_t>(status);
}

std::expected<std::size_t, Error> RemoteRegistrySource::ask(std::string_view value_name,
                                                            const Query& query) {
  // The remote machine would read these as "Global".
  if (const auto problem = problem_of(value_name)) return std::unexpected(*problem);
  const std::wstring wide_name = to_wide(value_name);
  std::uint32_t not_connected = ERROR_SUCCESS;
  QueryCalls calls;
  calls.query = [&](std::span<std::byte> buffer, std::size_t& size) -> std::uint32_t {
    not_connected = connect(HKEY_PERFORMANCE_DATA, data_);
    if (not_connected != ERROR_SUCCESS) return kDontRepeat;
    return query_block(data_.get(), wide_name, quirk_, buffer, size);
  };
  calls.close = [this] { data_.reset(); };
  auto result = query(calls);
  if (!result && needs_close(result.error().code)) data_.reset();
  if (not_connected != ERROR_SUCCESS) return std::unexpected(connecting_error(not_connected));
  return result;
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
    candidates.push_back(block_of(value_name, {}));
    if (is_unreachable(candidates.back())) return candidates;
  }
  for (const std::string& key : text_table_keys(id))
    candidates.push_back(key_text(std::string(kPerflib) + '\\' + key,
                                  table == TextTable::kCounter ? "Counter" : "Help"));
  return candidates;
}

void RemoteRegistrySource::release() {
  data_.reset();
  local_.reset();
}

}  // namespace

std::expected<std::unique_ptr<CounterSource>, SourceError> make_remote_source(
    const std::string& machine, const QueryLimits& limits) {
  const auto name = machine_name(machine);
  if (!name)
    return std::unexpected(
        SourceError{ErrorCode::kUnsupported, "the given target name is not valid"});
  return std::make_unique<RemoteRegistrySource>(*name, limits);
}

}  // namespace winperf
