#include "service/commands/new_file.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <span>
#include <system_error>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/whole_file.h"
#include "service/console/exit_code.h"
#include "service/run/setup.h"

namespace winperf {
namespace {

namespace fs = std::filesystem;

fs::path with_suffix(fs::path file, const char* suffix) { return file += suffix; }

std::expected<void, FileFailure> write_text(const fs::path& file, const std::string& text) {
  std::error_code ignored;
  fs::remove(file, ignored);  // it may be a link to another one
  return write_whole_file(file, std::as_bytes(std::span(text)));
}

std::expected<void, FileFailure> write_beside(const fs::path& file, const std::string& text) {
  const fs::path beside = with_suffix(file, ".new");
  auto written = write_text(beside, text);
  if (written) written = rename_file(beside, file);
  std::error_code ignored;
  if (!written) fs::remove(beside, ignored);
  return written;
}

bool holds(const fs::path& file, const std::string& text) {
  const auto content = read_whole_file(file, text.size());
  return content && std::ranges::equal(*content, std::as_bytes(std::span(text)));
}

}  // namespace

int write_new_file(const std::string& name, const std::string& text, bool force, int kept) {
  const fs::path file = path_of(name);
  if (const auto wrong = never_a_file(file)) {
    complain(name + " cannot be written: " + *wrong);
    return kExitFailure;
  }
  std::error_code ignored;  // if it can't be read, writing fails, too
  if (!force && fs::exists(file, ignored)) {
    (kept == kExitOk ? std::cout : std::cerr) << name << ": already exists and was not changed\n";
    return kept;
  }
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) {
    complain(name +
             " cannot be written: its folder does not exist; create it, or correct the name");
    return kExitFailure;
  }
  if (const auto written = write_beside(file, text); !written) {
    complain(name + " cannot be written: " + written.error().reason);
    return kExitFailure;
  }
  std::cout << name << ": written\n";
  return kExitOk;
}

int remove_unchanged_file(const std::string& name, const std::string& text) {
  const fs::path file = path_of(name);
  if (!holds(file, text)) {
    std::cout << name << ": differs from what was written, and was not removed\n";
    return kExitOk;
  }
  std::error_code error;
  fs::remove(file, error);
  if (error) {
    complain(name + " cannot be removed: " + system_text(error));
    return kExitFailure;
  }
  std::cout << name << ": removed\n";
  return kExitOk;
}

fs::path backup_of(fs::path file) { return with_suffix(std::move(file), ".bak"); }

std::optional<std::string> change_file(const fs::path& file, const std::string& text,
                                       bool keep_backup) {
  // The new file would replace the link and not change the file that it leads to.
  if (is_link(file)) return path_text(file) + " is a link: name the file that it leads to";
  const fs::path beside = with_suffix(file, ".new");
  const fs::path before = keep_backup ? backup_of(file) : with_suffix(file, ".old");
  std::error_code ignored;
  std::optional<std::string> problem;
  if (const auto written = write_text(beside, text); !written) {
    problem = path_text(beside) + " cannot be written: " + written.error().reason;
  } else if (const auto failure = take_place(beside, file, before)) {
    problem = path_text(file) + " cannot be replaced: " + *failure;
  }
  fs::remove(beside, ignored);
  if (!keep_backup) fs::remove(before, ignored);
  return problem;
}

std::optional<std::string> restore_file(const fs::path& file) {
  const fs::path before = backup_of(file);
  std::error_code ignored;
  if (!fs::exists(before, ignored)) return std::nullopt;
  const fs::path failed = with_suffix(file, ".old");
  const auto failure = take_place(before, file, failed);
  fs::remove(failed, ignored);
  if (failure)
    return path_text(file) + " cannot be replaced by " + path_text(before) + ": " + *failure;
  return std::nullopt;
}

}  // namespace winperf
