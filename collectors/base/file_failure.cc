#include "collectors/base/file_failure.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/system_text.h"

namespace winperf {

const char* kept_text(std::string_view text, const char* otherwise) {
  constexpr std::size_t kMaxKept = 256;
  static std::mutex mutex;
  static std::set<std::string, std::less<>> all;
  if (!std::ranges::all_of(text, is_printable_ascii)) return otherwise;
  const std::lock_guard lock(mutex);
  auto found = all.find(text);
  if (found == all.end()) {
    if (all.size() >= kMaxKept) return otherwise;
    found = all.emplace(text).first;
  }
  return found->c_str();
}

namespace fs = std::filesystem;

std::unexpected<FileFailure> no_such_file() {
  return std::unexpected(FileFailure{.problem = FileProblem::kAbsent, .reason = "no such file"});
}

std::unexpected<FileFailure> is_a_folder() {
  return std::unexpected(FileFailure{.problem = FileProblem::kNotAFile,
                                     .reason = "this is a folder: name the file in it"});
}

std::unexpected<FileFailure> in_its_folder(FileFailure failure) {
  if (failure.problem == FileProblem::kAbsent) failure.reason = "its folder does not exist";
  return std::unexpected(std::move(failure));
}

std::unexpected<FileFailure> is_a_device() {
  return std::unexpected(FileFailure{.problem = FileProblem::kNotAFile,
                                     .reason = "this is a pipe or a device, not a file"});
}

std::unexpected<FileFailure> too_large(std::uint64_t bytes, std::uint64_t max_bytes) {
  return std::unexpected(FileFailure{.problem = FileProblem::kTooLarge,
                                     .reason = "its " + std::to_string(bytes) +
                                               " bytes are more than the limit of " +
                                               std::to_string(max_bytes),
                                     .bytes = bytes});
}

std::unexpected<FileFailure> system_failure(const std::error_code& cause) {
  return std::unexpected(
      FileFailure{.problem = FileProblem::kSystem, .reason = system_text(cause), .cause = cause});
}

fs::path nearest_existing(const fs::path& file) {
  std::error_code ignored;  // an inaccessible folder counts as missing
  fs::path there = fs::absolute(file, ignored);
  while (!fs::exists(there, ignored) && there.has_relative_path()) there = there.parent_path();
  return there;
}

std::optional<std::string> never_a_file(const fs::path& file) {
  if (!file.has_filename()) return is_a_folder().error().reason;
  std::error_code ignored;  // opening the file reports the reason
  const fs::file_status status = fs::status(file, ignored);
  if (fs::is_directory(status)) return is_a_folder().error().reason;
  if (fs::exists(status) && !fs::is_regular_file(status)) return is_a_device().error().reason;
  return std::nullopt;
}

}  // namespace winperf
