#include "service/run/capture_files.h"

#include <algorithm>
#include <system_error>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/whole_file.h"

namespace winperf {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kArchiveEnd = ".zip";
constexpr std::string_view kUnfinishedEnd = ".part";

// As compact_time() writes it.
constexpr std::string_view kStampForm = "00000000T000000Z";

bool is_stamp(std::string_view text) {
  return std::ranges::equal(text, kStampForm, [](char c, char form) {
    return form == '0' ? c >= '0' && c <= '9' : c == form;
  });
}

fs::path unfinished(fs::path file) { return file += kUnfinishedEnd; }

std::string cannot_be(const fs::path& path, std::string_view what, const std::string& why) {
  return path_text(path) + " cannot be " + std::string(what) + ": " + why;
}

// The regular files of the folder, in any order. What can't be read is none.
std::vector<fs::directory_entry> regular_files(const fs::path& folder) {
  std::vector<fs::directory_entry> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (fs::is_regular_file(it->symlink_status(ignored))) found.push_back(*it);
  }
  return found;
}

}  // namespace

std::string_view name_of(CaptureReason reason) {
  switch (reason) {
    case CaptureReason::kCountersetFails:
      return "counterset_fails";
    case CaptureReason::kCounter:
      return "counter";
    case CaptureReason::kServiceStops:
      break;
  }
  return "service_stops";
}

std::string capture_name(std::string_view recording, CaptureReason reason) {
  if (recording.ends_with(kArchiveEnd)) recording.remove_suffix(kArchiveEnd.size());
  return std::string(recording) + '-' + std::string(name_of(reason)) + std::string(kArchiveEnd);
}

std::optional<CaptureName> parse_capture_name(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  const std::string_view stamp = name.substr(0, kStampForm.size());
  if (!is_stamp(stamp)) return std::nullopt;
  for (const CaptureReason reason : kCaptureReasons)
    if (name.substr(stamp.size()) == capture_name("", reason))
      return CaptureName{.stamp = std::string(stamp), .reason = reason};
  return std::nullopt;
}

std::vector<CaptureFiles::File> CaptureFiles::files() const {
  std::vector<File> found;
  for (const fs::directory_entry& entry : regular_files(folder_)) {
    auto name = parse_capture_name(path_text(entry.path().filename()), prefix_);
    std::error_code error;
    const std::uintmax_t bytes = entry.file_size(error);
    if (name) found.push_back({entry.path(), *std::move(name), error ? 0 : bytes});
  }
  std::ranges::sort(found, [](const File& a, const File& b) {
    return a.name.stamp != b.name.stamp ? a.name.stamp < b.name.stamp : a.path < b.path;
  });
  return found;
}

void CaptureFiles::remove_unfinished() const {
  for (const fs::directory_entry& entry : regular_files(folder_)) {
    const std::string name = path_text(entry.path().filename());
    if (!name.ends_with(kUnfinishedEnd)) continue;
    std::error_code ignored;  // another service may be writing it
    if (parse_capture_name(name.substr(0, name.size() - kUnfinishedEnd.size()), prefix_))
      fs::remove(entry.path(), ignored);
  }
}

// The new one stays, even if a clock that was set back makes it the oldest.
std::string CaptureFiles::remove_old_ones(const fs::path& new_one) const {
  const std::vector<File> present = files();
  std::uintmax_t all = 0;
  for (const File& file : present) all += file.bytes;
  std::size_t count = present.size();
  std::string notice;
  for (const File& file : present) {
    if (count <= kMostFiles && all <= most_bytes_) break;
    if (file.path == new_one) continue;
    std::error_code error;
    fs::remove(file.path, error);
    if (error && notice.empty()) notice = cannot_be(file.path, "removed", system_text(error));
    if (error) continue;
    --count;
    all -= file.bytes;
  }
  return notice;
}

std::expected<CaptureFiles::Stored, std::string> CaptureFiles::store(
    const std::string& name, std::span<const std::byte> bytes) const {
  std::error_code error;
  fs::create_directories(folder_, error);  // like that of a log file, which has its rights
  if (error) return std::unexpected(cannot_be(folder_, "created", system_text(error)));
  const fs::path file = folder_ / path_of(name);
  const fs::path part = unfinished(file);
  if (fs::exists(fs::symlink_status(file, error)))
    return std::unexpected(cannot_be(file, "written", "it exists"));
  fs::remove(part, error);
  // An account that may write in the folder must not redirect this account's output with a link.
  if (const auto why = leads_elsewhere(part))
    return std::unexpected(cannot_be(part, "written", *why));
  std::optional<std::string> failure;
  if (const auto written = write_whole_file(part, bytes); !written)
    failure = cannot_be(part, "written", written.error().reason);
  if (!failure)
    if (const auto renamed = rename_file(part, file); !renamed)
      failure = cannot_be(file, "written", renamed.error().reason);
  if (!failure) return Stored{.file = file, .notice = remove_old_ones(file)};
  fs::remove(part, error);
  return std::unexpected(*std::move(failure));
}

std::optional<std::string> capture_folder_notice(const fs::path& folder) {
  const auto reason = why_not_writable(folder / "x");
  if (!reason) return std::nullopt;
  return "captures cannot be written to " + path_text(folder) + " by this account: " + *reason;
}

}  // namespace winperf
