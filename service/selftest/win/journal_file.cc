#include <windows.h>

#include <system_error>

#include "collectors/base/system_text.h"
#include "collectors/base/win/unique_handle.h"
#include "service/selftest/journal.h"

namespace winperf::selftest {
namespace {

constexpr DWORD kLargestJournal = DWORD{1} << 20;

std::unexpected<std::string> failure_of(DWORD code) {
  return std::unexpected(
      system_text(std::error_code(static_cast<int>(code), std::system_category())));
}

class WindowsJournalFile final : public JournalFile {
 public:
  explicit WindowsJournalFile(UniqueFileHandle file) : file_(std::move(file)) {}

  std::expected<std::string, std::string> text() override {
    LARGE_INTEGER size{};
    if (!GetFileSizeEx(file_.get(), &size)) return failure_of(GetLastError());
    if (size.QuadPart > kLargestJournal)
      return std::unexpected("the journal is too large to be one");
    std::string text(static_cast<std::size_t>(size.QuadPart), '\0');
    DWORD got = 0;
    if (SetFilePointer(file_.get(), 0, nullptr, FILE_BEGIN) == INVALID_SET_FILE_POINTER ||
        !ReadFile(file_.get(), text.data(), static_cast<DWORD>(text.size()), &got, nullptr))
      return failure_of(GetLastError());
    text.resize(got);
    return text;
  }
  std::expected<void, std::string> append(std::string_view line) override {
    DWORD written = 0;
    const DWORD before = SetFilePointer(file_.get(), 0, nullptr, FILE_END);
    if (before == INVALID_SET_FILE_POINTER) return failure_of(GetLastError());
    DWORD code = ERROR_SUCCESS;
    if (!WriteFile(file_.get(), line.data(), static_cast<DWORD>(line.size()), &written, nullptr) ||
        !FlushFileBuffers(file_.get()))
      code = GetLastError();
    else if (written != line.size())
      code = ERROR_HANDLE_DISK_FULL;
    if (code == ERROR_SUCCESS) return {};
    (void)cut(before);  // half a line would make the whole journal unreadable
    return failure_of(code);
  }
  std::expected<void, std::string> clear() override { return cut(0); }
  std::expected<void, std::string> cut(std::size_t bytes) override {
    if (SetFilePointer(file_.get(), static_cast<LONG>(bytes), nullptr, FILE_BEGIN) ==
            INVALID_SET_FILE_POINTER ||
        !SetEndOfFile(file_.get()) || !FlushFileBuffers(file_.get()))
      return failure_of(GetLastError());
    return {};
  }
  // Its name is gone once this handle is closed; until then, no other process can open it.
  void remove() override {
    FILE_DISPOSITION_INFO gone{};
    gone.DeleteFile = TRUE;
    SetFileInformationByHandle(file_.get(), FileDispositionInfo, &gone, sizeof gone);
    file_.reset();
  }

 private:
  UniqueFileHandle file_;
};

}  // namespace

std::expected<std::unique_ptr<JournalFile>, std::string> open_journal_file(
    const std::filesystem::path& file) {
  // Others may read it.
  UniqueFileHandle opened(
      CreateFileW(file.c_str(), GENERIC_READ | GENERIC_WRITE | DELETE, FILE_SHARE_READ, nullptr,
                  OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
  if (!opened) {
    const DWORD code = GetLastError();
    if (code == ERROR_SHARING_VIOLATION) return std::unexpected("another selftest runs");
    return failure_of(code);
  }
  BY_HANDLE_FILE_INFORMATION facts{};
  if (!GetFileInformationByHandle(opened.get(), &facts)) return failure_of(GetLastError());
  if ((facts.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 || facts.nNumberOfLinks > 1)
    return std::unexpected("it is a link, or has another hard link");
  return std::make_unique<WindowsJournalFile>(std::move(opened));
}

}  // namespace winperf::selftest
