#include "service/new_file.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>
#include <utility>

#include "service/commands/common.h"
#include "service/exit_code.h"

namespace winperf {
namespace {

namespace fs = std::filesystem;

fs::path with_suffix(fs::path file, const char* suffix) { return file += suffix; }

std::error_code write_text(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  return out ? std::error_code() : std::make_error_code(std::errc::io_error);
}

std::error_code write_whole(const fs::path& file, const std::string& text) {
  const fs::path beside = with_suffix(file, ".new");
  std::error_code error = write_text(beside, text);
  if (!error) fs::rename(beside, file, error);
  std::error_code ignored;
  if (error) fs::remove(beside, ignored);
  return error;
}

std::string utf8(const fs::path& file) {
  const std::u8string name = file.u8string();
  return {name.begin(), name.end()};
}

bool holds(const fs::path& file, const std::string& text) {
  std::error_code error;
  if (fs::file_size(file, error) != text.size() || error) return false;
  std::ifstream in(file, std::ios::binary);
  std::string content(text.size(), '\0');
  in.read(content.data(), static_cast<std::streamsize>(content.size()));
  return in && content == text;
}

}  // namespace

int write_new_file(const std::string& name, const std::string& text, bool force, int kept) {
  const fs::path file(std::u8string(name.begin(), name.end()));
  std::error_code error;
  if (!force && fs::exists(file, error)) {
    (kept == kExitOk ? std::cout : std::cerr)
        << name << ": is there already, and was left as it is\n";
    return kept;
  }
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) {
    complain(name + " cannot be written: its folder does not exist; make it, or correct the name");
    return kExitFailure;
  }
  if (!error) error = write_whole(file, text);
  if (error) {
    complain(name + " cannot be written: " + error.message());
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
    complain(name + " cannot be removed: " + error.message());
    return kExitFailure;
  }
  std::cout << name << ": removed\n";
  return kExitOk;
}

fs::path backup_of(fs::path file) { return with_suffix(std::move(file), ".bak"); }

std::optional<std::string> change_file(const fs::path& file, const std::string& text,
                                       bool keep_backup) {
  // What takes the link's place would not be seen where it leads to.
  if (is_link(file)) return utf8(file) + " is a link: name the file that it leads to";
  const fs::path beside = with_suffix(file, ".new");
  const fs::path before = keep_backup ? backup_of(file) : with_suffix(file, ".old");
  std::error_code ignored;
  std::optional<std::string> problem;
  if (const std::error_code error = write_text(beside, text)) {
    problem = utf8(beside) + " cannot be written: " + error.message();
  } else if (const auto failure = take_place(beside, file, before)) {
    problem = utf8(file) + " cannot be replaced: " + *failure;
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
  if (failure) return utf8(file) + " cannot be replaced by " + utf8(before) + ": " + *failure;
  return std::nullopt;
}

}  // namespace winperf
