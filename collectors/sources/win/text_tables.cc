#include "collectors/sources/win/text_tables.h"

#include <array>
#include <filesystem>

#include "collectors/base/whole_file.h"
#include "collectors/base/win/wide.h"
#include "collectors/sources/capture_folder.h"
#include "collectors/sources/value_names.h"

namespace winperf {
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

}  // namespace winperf
