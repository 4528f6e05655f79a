// HKEY_PERFORMANCE_DATA of this machine.
//
// A query runs the code of every provider that it concerns in this process, on this thread. It
// can't be interrupted, only its retries (query_policy.h). The first query opens the key, which
// then stays open, because closing it unloads every provider's DLL. It is closed, if anything was
// queried, by release(), by the destructor, and after an error that reopening may cure. Providers
// are found when the key is opened, so a caller that sees provider_generation() change calls
// release(). Text tables need no closing. Not validated: the blocks; only that their size fits the
// buffer. Thread rule: one thread at a time, and one object in use per process: closing the key
// while another thread queries it would unload the DLLs that this query is running in. Source:
// Learn, "Using the Registry Functions to Consume Counter Data".
#include "collectors/sources/platform.h"

#include <windows.h>

#include <array>
#include <filesystem>
#include <utility>

#include "collectors/base/whole_file.h"
#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/wide.h"
#include "collectors/sources/value_names.h"
#include "collectors/sources/win/query_value.h"

namespace winperf {
namespace {

// Windows runs 32-bit providers for a 64-bit program, but not the reverse.
static_assert(sizeof(void*) == 8, "a 32-bit build would miss the counters of 64-bit providers");

class RegistrySource final : public PolicySource {
 public:
  explicit RegistrySource(const QueryLimits& limits)
      : PolicySource(in_dword_range(limits), system_clocks()) {}
  ~RegistrySource() override { close_key(); }

  [[nodiscard]] std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                     Language language) override;
  bool supports_metadata() override {
    return perflib_key().number(L"Supports Metadata").value_or(0) != 0;
  }
  std::uint64_t provider_generation() override { return generation_in(perflib_key()); }
  void release() override { close_key(); }

 private:
  [[nodiscard]] std::expected<std::size_t, Error> ask(std::string_view value_name,
                                                      const Query& query) override;
  [[nodiscard]] std::expected<Bytes, Error> read_text(HKEY key, const std::string& value_name);
  void close_key();

  const WineQuirk quirk_ = wine_quirk();
  bool opened_ = false;  // whether anything was queried since the key was last closed
};

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

std::expected<std::size_t, Error> RegistrySource::ask(std::string_view value_name,
                                                      const Query& query) {
  if (const auto problem = problem_of(value_name)) return std::unexpected(*problem);
  const std::wstring wide_name = to_wide(value_name);
  QueryCalls calls;
  calls.query = [&](std::span<std::byte> buffer, std::size_t& size) {
    opened_ = true;
    return query_block(HKEY_PERFORMANCE_DATA, wide_name, quirk_, buffer, size);
  };
  calls.close = [this] { close_key(); };
  auto result = query(calls);
  if (!result && needs_close(result.error().code)) close_key();
  return result;
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

// The candidates for one name table on this machine, in order of preference.
//
// English: "Counter 009" of HKEY_PERFORMANCE_DATA, then perfc009.dat. HKEY_PERFORMANCE_TEXT isn't
// read: it gives the same table, so it can't be better if the first one is corrupt.
// Machine: "Counter" of HKEY_PERFORMANCE_NLSTEXT, then "Counter NNN" and perfcNNN.dat of the
// system's UI language.
// Not validated: the bytes; a table may be a stub, corrupt, or (help texts on Windows 10) English
// although another language was requested.
// Source: Learn, "Retrieving Counter Names and Help Text".
std::vector<std::expected<Bytes, Error>> RegistrySource::text_tables(TextTable table,
                                                                     Language language) {
  std::vector<std::expected<Bytes, Error>> candidates;
  std::uint16_t language_id = kEnglishLanguageId;
  if (language == Language::kMachine) {
    language_id = GetSystemDefaultUILanguage();
    candidates.push_back(
        read_text(HKEY_PERFORMANCE_NLSTEXT, table == TextTable::kCounter ? "Counter" : "Help"));
  }
  for (const std::string& value_name : text_value_names(table, language_id))
    candidates.push_back(read_text(HKEY_PERFORMANCE_DATA, value_name));
  candidates.push_back(read_table_file(table, language_id));
  return candidates;
}

void RegistrySource::close_key() {
  if (std::exchange(opened_, false)) RegCloseKey(HKEY_PERFORMANCE_DATA);
}

}  // namespace

std::expected<std::unique_ptr<CounterSource>, SourceError> make_registry_source(
    const QueryLimits& limits) {
  return std::make_unique<RegistrySource>(limits);
}

}  // namespace winperf
