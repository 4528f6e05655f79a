// Writes lines to a file that is rotated: when "w.log" is full, it becomes "w.1.log", which becomes
// "w.2.log", and so on; the oldest file is deleted.
//
// Appends to an existing file, and creates missing folders. The file is opened by the first line,
// or by open(); if that fails, each line tries it again. If a full file can't be renamed because
// another program has it open, it is emptied, so that the limits on disk usage always hold. This is
// not spdlog's own sink, because that takes names in the system's code page on Windows.
//
// A line is in the file whole or not at all. If there is no room for it, what was written of it is
// taken back, and no file is renamed, emptied or deleted for it: the first line of a new file is
// written under another name ("w.0.log") before the full ones give way. The next line is tried
// again.
// Errors are spdlog's exceptions; their text names the file. Thread rule: any thread.
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace winperf {

class LogFile final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  // `kept`: how many full files are kept besides the current one.
  LogFile(std::filesystem::path file, std::uintmax_t max_bytes, std::size_t kept);

  // Why the file can't be opened; nothing if it can.
  [[nodiscard]] std::optional<std::string> open();

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override {}  // each line is written when it is logged

 private:
  void open_as(std::ios::openmode mode);
  void open_to_append();
  void append(std::string_view line);
  void rotate(std::string_view line);
  // Writes the first line of the next file. False if the folder takes no file of this name.
  bool begin(const std::filesystem::path& next, std::string_view line) const;
  // `cause`: errno.
  [[noreturn]] void fail(const char* what, int cause) const;

  const std::filesystem::path file_;
  const std::uintmax_t max_bytes_;
  const std::size_t kept_;
  std::ofstream out_;
  std::uintmax_t bytes_ = 0;
  bool was_open_ = false;
};

}  // namespace winperf
