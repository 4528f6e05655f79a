#include "service/new_file.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <span>
#include <system_error>

#include "collectors/base/system_text.h"
#include "collectors/base/whole_file.h"
#include "service/commands/common.h"
#include "service/exit_code.h"

namespace winperf {
namespace {

namespace fs = std::filesystem;

std::expected<void, FileFailure> write_beside(const fs::path& file, const std::string& text) {
  fs::path beside = file;
  beside += ".new";
  auto written = write_whole_file(beside, std::as_bytes(std::span(text)));
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
  const fs::path file(std::u8string(name.begin(), name.end()));
  if (const auto wrong = never_a_file(file)) {
    complain(name + " cannot be written: " + *wrong);
    return kExitFailure;
  }
  std::error_code ignored;  // what can't be looked at can't be written either
  if (!force && fs::exists(file, ignored)) {
    (kept == kExitOk ? std::cout : std::cerr)
        << name << ": is there already, and was left as it is\n";
    return kept;
  }
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) {
    complain(name + " cannot be written: its folder does not exist; make it, or correct the name");
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
  const fs::path file(std::u8string(name.begin(), name.end()));
  if (!holds(file, text)) {
    std::cout << name << ": is not what was written, and was left as it is\n";
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

}  // namespace winperf
