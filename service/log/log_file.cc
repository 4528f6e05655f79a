#include "service/log/log_file.h"

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "config/log_files.h"

namespace winperf {

namespace fs = std::filesystem;

LogFile::LogFile(fs::path file, std::uintmax_t max_bytes, std::size_t kept)
    : file_(std::move(file)), max_bytes_(max_bytes), kept_(kept) {
  std::error_code error;
  // If they can't be created, the file can't be opened.
  if (file_.has_parent_path()) fs::create_directories(file_.parent_path(), error);
  open(std::ios::app);
  bytes_ = fs::file_size(file_, error);
  if (error) bytes_ = 0;
}

void LogFile::sink_it_(const spdlog::details::log_msg& message) {
  spdlog::memory_buf_t line;
  formatter_->format(message, line);
  if (bytes_ > 0 && bytes_ + line.size() > max_bytes_) rotate();
  // An earlier failure, such as a full disk, may be over.
  out_.clear();
  if (!out_.is_open()) open(std::ios::app);
  out_.write(line.data(), static_cast<std::streamsize>(line.size()));
  bytes_ += line.size();
}

void LogFile::flush_() {
  if (!out_.flush()) fail("cannot be written to");
}

void LogFile::open(std::ios::openmode mode) {
  errno = 0;
  out_.open(file_, std::ios::out | std::ios::binary | mode);
  if (!out_) fail("cannot be opened");
}

void LogFile::fail(const char* what) const {
  const std::error_code cause(errno, std::generic_category());
  throw spdlog::spdlog_ex(path_text(file_) + ' ' + what + ": " + system_text(cause));
}

void LogFile::rotate() {
  out_.close();
  std::error_code ignored;
  for (std::size_t number = kept_; number > 0; --number)
    fs::rename(number == 1 ? file_ : full_log_file(file_, number - 1), full_log_file(file_, number),
               ignored);
  open(std::ios::trunc);
  bytes_ = 0;
}

}  // namespace winperf
