#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

#include "config/example.h"
#include "service/commands/commands.h"
#include "service/commands/common.h"
#include "service/exit_code.h"

namespace winperf {
namespace {

namespace fs = std::filesystem;

// Whoever reads the file meanwhile finds the whole of it or nothing.
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

std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

int init_config(const ConfigInitOptions& options) {
  const auto text = example_config_with(unless_empty(options.address), unless_empty(options.port));
  if (!text) {
    complain(text.error());
    return kExitUsage;
  }
  if (options.out.empty()) {
    std::cout << *text;
    return kExitOk;
  }
  const fs::path file(std::u8string(options.out.begin(), options.out.end()));
  std::error_code error;
  if (!options.force && fs::exists(file, error)) {
    std::cout << options.out << ": is there already, and was left as it is\n";
    return kExitOk;
  }
  if (!error) error = write_whole(file, *text);
  if (error) {
    complain(options.out + " cannot be written: " + error.message());
    return kExitFailure;
  }
  std::cout << options.out << ": written\n";
  return kExitOk;
}

}  // namespace winperf
