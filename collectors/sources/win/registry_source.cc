// HKEY_PERFORMANCE_DATA of this machine.
//
// A query runs the code of every provider that it concerns in this process, on this thread. It
// can't be interrupted; only its repetitions can (query_policy.h).
// The first query opens the key, which then stays open, because closing it unloads every provider's
// DLL. It is closed, if anything was queried, by release(), by the destructor, and after an error
// that a fresh start may cure. Providers are found when the key is opened, so a caller that sees
// provider_generation() change calls release(). Text tables need no closing. Not validated: the
// blocks; only that their size fits the buffer. Thread rule: one thread at a time, and one object
// in use per process: closing the key while another thread queries it would unload the DLLs that
// this query is running in.
// Source: Learn, "Using the Registry Functions to Consume Counter Data".
#include "collectors/sources/platform.h"

#include <windows.h>

#include <array>
#include <filesystem>
#include <functional>
#include <utility>

#include "collectors/base/whole_file.h"
#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/wide.h"
#include "collectors/sources/capture_folder.h"
#include "collectors/sources/query_policy.h"
#include "collectors/sources/value_names.h"
#include "collectors/sources/win/query_value.h"
#include "collectors/sources/win/wine_quirk.h"

namespace winperf {

// The candidates for one name table on this machine, in order of preference.
//
// English: "Counter 009" of HKEY_PERFORMANCE_DATA, then perfc009.dat. HKEY_PERFORMANCE_TEXT isn't
// read: it gives the same table, so it can't be better if the first one is corrupt.
// Machine: "Counter" of HKEY_PERFORMANCE_NLSTEXT, then "Counter NNN" and perfcNNN.dat of the
// system's UI language.
// Not validated: the bytes; a table may be a stub, corrupt, or (help texts on Windows 10) English
// although another language was requested.
// Thread rule: that of `read`.
// Source: Learn, "Retrieving Counter Names and Help Text".

using ReadValue =
    std::function<std::expected<Bytes, Error>(HKEY key, const std::string& value_name)>;

[[nodiscard]] std::vector<std::expected<Bytes, Error>> read_text_tables(TextTable table,
                                                                        Language language,
                                                                        const ReadValue& read);

class RegistrySource final : public CounterSource {
 public:
  explicit RegistrySource(const QueryLimits& limits);
  ~RegistrySource() override { close_key(); }

  bool is_live() const override { return true; }
  [[nodiscard]] std::expected<Reply, Error> query(std::string_view value_name,
                                                  StopToken stop) override;
  [[nodiscard]] std::expected<std::size_t, Error> query_in(const ReplyRoom& room,
                                                           std::string_view value_name,
                                                           StopToken stop) override;
  [[nodiscard]] std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                     Language language) override;
  void limit_time(std::chrono::milliseconds time) override { policy_.limit_time(time); }
  bool supports_metadata() override;
  std::uint64_t provider_generation() override;
  void release() override { close_key(); }

 private:
  // `run`: (const QueryCalls&), which makes the query and returns an expected.
  template <class Run>
  auto query_key(std::string_view value_name, const Run& run)
      -> std::invoke_result_t<Run, const QueryCalls&>;
  [[nodiscard]] std::expected<Bytes, Error> read_text(HKEY key, const std::string& value_name);
  void close_key();

  QueryPolicy policy_;
  WineQuirk quirk_ = WineQuirk::detect();
  bool opened_ = false;  // whether anything was queried since the key was last closed
};

namespace {

// The largest tables in the field are a few MiB.
constexpr std::uint64_t kMaxTableFileBytes = 64U << 20;
constexpr const char* kWhere = "registry.table_file";

std::expected<Bytes, Error> read_table_file(TextTable table, std::uint16_t language_id) {
  std::array<wchar_t, MAX_PATH + 1> directory{};
  const UINT length = GetSystemDirectoryW(directory.data(), static_cast<UINT>(directory.size()));
  if (length == 0 || length >= directory.size()) {
    const DWORD os_code = GetLastError();
    return std::unexpected(Error{.code = ErrorCode::kOsError, .where = kWhere, .os_code = os_code});
  }
  const std::filesystem::path path(directory.data());
  auto bytes =
      read_whole_file(path / to_wide(text_file_name(table, language_id)), kMaxTableFileBytes);
  if (!bytes) return std::unexpected(file_error(bytes.error(), kWhere, kMaxTableFileBytes));
  return *std::move(bytes);
}

}  // namespace

std::vector<std::expected<Bytes, Error>> read_text_tables(TextTable table, Language language,
                                                          const ReadValue& read) {
  std::vector<std::expected<Bytes, Error>> candidates;
  std::uint16_t language_id = kEnglishLanguageId;
  if (language == Language::kMachine) {
    language_id = GetSystemDefaultUILanguage();
    candidates.push_back(
        read(HKEY_PERFORMANCE_NLSTEXT, table == TextTable::kCounter ? "Counter" : "Help"));
  }
  for (const std::string& value_name : text_value_names(table, language_id))
    candidates.push_back(read(HKEY_PERFORMANCE_DATA, value_name));
  candidates.push_back(read_table_file(table, language_id));
  return candidates;
}

namespace {

// Windows runs 32-bit providers for a 64-bit program, but not the reverse.
static_assert(sizeof(void*) == 8, "a 32-bit build would miss the counters of 64-bit providers");

}  // namespace

RegistrySource::RegistrySource(const QueryLimits& limits)
    : policy_(in_dword_range(limits), system_clocks()) {}

template <class Run>
auto RegistrySource::query_key(std::string_view value_name, const Run& run)
    -> std::invoke_result_t<Run, const QueryCalls&> {
  // The system reads an empty name as "Global", the most expensive query there is, and a name that
  // begins with NUL is empty to it. Wine crashes on a null one.
  if (value_name.empty() || value_name.find('\0') != std::string_view::npos)
    return std::unexpected(Error{.code = ErrorCode::kNoSuchName, .where = "registry.value_name"});
  const std::wstring wide_name = to_wide(value_name);
  QueryCalls calls;
  calls.query = [&](std::span<std::byte> buffer, std::size_t& size) {
    opened_ = true;
    const std::uint32_t os_code =
        query_value(HKEY_PERFORMANCE_DATA, wide_name, buffer, quirk_.usable(buffer.size()), size);
    if (os_code == ERROR_SUCCESS) quirk_.repair(buffer, size);
    return os_code;
  };
  calls.close = [this] { close_key(); };
  auto result = run(calls);
  if (!result && needs_close(result.error().code)) close_key();
  return result;
}

std::expected<Reply, Error> RegistrySource::query(std::string_view value_name, StopToken stop) {
  auto block = query_key(value_name, [&](const QueryCalls& calls) {
    return policy_.run(value_name, calls, std::move(stop));
  });
  if (!block) return std::unexpected(block.error());
  Reply reply;
  reply.blocks.push_back(*std::move(block));
  return reply;
}

std::expected<std::size_t, Error> RegistrySource::query_in(const ReplyRoom& room,
                                                           std::string_view value_name,
                                                           StopToken stop) {
  return query_key(value_name, [&](const QueryCalls& calls) {
    return policy_.run_in(room, value_name, calls, std::move(stop));
  });
}

std::expected<Bytes, Error> RegistrySource::read_text(HKEY key, const std::string& value_name) {
  const std::wstring wide_name = to_wide(value_name);
  QueryCalls calls;
  calls.query = [&](std::span<std::byte> buffer, std::size_t& size) {
    return query_value(key, wide_name, buffer, buffer.size(), size);
  };
  calls.close = [this] { close_key(); };
  return policy_.run(value_name, calls, {});
}

std::vector<std::expected<Bytes, Error>> RegistrySource::text_tables(TextTable table,
                                                                     Language language) {
  return read_text_tables(table, language, [this](HKEY key, const std::string& value_name) {
    return read_text(key, value_name);
  });
}

bool RegistrySource::supports_metadata() {
  return perflib_key().number(L"Supports Metadata").value_or(0) != 0;
}

std::uint64_t RegistrySource::provider_generation() {
  const KeyReader key = perflib_key();
  const std::uint64_t last_counter = key.number(L"Last Counter").value_or(0);
  const std::uint64_t last_help = key.number(L"Last Help").value_or(0);
  return last_counter << 32 | last_help;
}

void RegistrySource::close_key() {
  if (std::exchange(opened_, false)) RegCloseKey(HKEY_PERFORMANCE_DATA);
}

std::expected<std::unique_ptr<CounterSource>, SourceError> make_registry_source(
    const QueryLimits& limits) {
  return std::make_unique<RegistrySource>(limits);
}

}  // namespace winperf
