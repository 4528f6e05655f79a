#include "service/new_file.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

#include "service/commands/common.h"
#include "service/exit_code.h"

namespace winperf {
namespace {

namespace fs = std::filesystem;

std::error_code write_whole(const fs::path& file, const std::string& text) {
  fs::path beside = file;
  beside += ".new";
  std::error_code error;
  {
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    if (!out) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) fs::rename(beside, file, error);
  std::error_code ignored;
  if (error) fs::remove(beside, ignored);
  return error;
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

}  // namespace winperf
