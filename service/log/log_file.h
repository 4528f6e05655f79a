// Lines to a file that is rotated: full, "w.log" becomes "w.1.log", that "w.2.log", and so on, and
// the oldest goes.
//
// A file that is there is gone on with; folders that are missing are made. Where a full file can't
// be renamed, because another program holds it, it is begun anew, so that no more than the limits
// say is ever on the disk. spdlog's own sink takes names in the system's code page on Windows.
// Errors are spdlog's exceptions: the constructor's names the file. Thread rule: any thread.
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>

namespace winperf {

class LogFile final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  // `kept`: how many full files stay beside the one that is written to.
  LogFile(std::filesystem::path file, std::uintmax_t max_bytes, std::size_t kept);

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override;

 private:
  void open(std::ios::openmode mode);
  // By errno.
  [[noreturn]] void fail(const char* what) const;
  void rotate();
  // "w.3.log"; of 0, the file itself.
  std::filesystem::path name_of(std::size_t number) const;

  const std::filesystem::path file_;
  const std::uintmax_t max_bytes_;
  const std::size_t kept_;
  std::ofstream out_;
  std::uintmax_t bytes_ = 0;
};

}  // namespace winperf
