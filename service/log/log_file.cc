#include "service/log/log_file.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/whole_file.h"
#include "config/log_files.h"

namespace winperf {

namespace fs = std::filesystem;

namespace {

// Writes the line as far as there is room. What went wrong is errno.
std::optional<int> write(std::ofstream& out, std::string_view line) {
  errno = 0;
  if (out.write(line.data(), static_cast<std::streamsize>(line.size())).flush())
    return std::nullopt;
  return errno;
}

// Whether a file can't be created for another reason than that there is no room for it.
bool is_refused(int cause) {
  return cause == EACCES || cause == EPERM || cause == EROFS || cause == EISDIR;
}

}  // namespace

LogFile::LogFile(fs::path file, std::uintmax_t max_bytes, std::size_t kept)
    : file_(std::move(file)), max_bytes_(max_bytes), kept_(kept) {}

std::optional<std::string> LogFile::open() try {
  const std::lock_guard lock(mutex_);
  open_to_append();
  return std::nullopt;
} catch (const spdlog::spdlog_ex& error) {
  return exception_text(error);
}

void LogFile::sink_it_(const spdlog::details::log_msg& message) {
  spdlog::memory_buf_t formatted;
  formatter_->format(message, formatted);
  const std::string_view line(formatted.data(), formatted.size());
  // An earlier failure, such as a full disk, may be over.
  out_.clear();
  open_to_append();
  if (bytes_ > 0 && bytes_ + line.size() > max_bytes_) {
    rotate(line);
  } else {
    append(line);
  }
}

void LogFile::open_as(std::ios::openmode mode) {
  // Who may write in the folder must not choose with a link what this account writes to.
  if (const auto why = leads_elsewhere(file_))
    throw spdlog::spdlog_ex(path_text(file_) + " cannot be opened: " + *why);
  std::error_code error;
  // If they can't be created, the file can't be opened.
  if (file_.has_parent_path()) fs::create_directories(file_.parent_path(), error);
  errno = 0;
  out_.open(file_, std::ios::out | std::ios::binary | mode);
  if (!out_) fail("cannot be opened", errno);
}

// What others add to the file later, such as what fills up a disk, makes it no fuller.
void LogFile::open_to_append() {
  if (out_.is_open()) return;
  open_as(std::ios::app);
  if (was_open_) return;
  was_open_ = true;
  std::error_code error;
  bytes_ = fs::file_size(file_, error);
  if (error) bytes_ = 0;
}

void LogFile::append(std::string_view line) {
  std::error_code ignored;  // of a device, which has no size
  // Windows may say less of an open file than what is in it; another program may have added to it.
  const std::uintmax_t before = std::max(bytes_, fs::file_size(file_, ignored));
  if (const auto cause = write(out_, line)) {
    out_.close();
    // The beginning of the line, but nothing that another program has written.
    const std::uintmax_t after = fs::file_size(file_, ignored);
    if (!ignored && after > before && after - before <= line.size())
      fs::resize_file(file_, before, ignored);
    fail("cannot be written to", *cause);
  }
  bytes_ += line.size();
}

void LogFile::rotate(std::string_view line) {
  const fs::path next = full_log_file(file_, 0);
  const bool begun = begin(next, line);
  out_.close();
  std::error_code error;
  for (std::size_t number = kept_; number > 0; --number)
    fs::rename(number == 1 ? file_ : full_log_file(file_, number - 1), full_log_file(file_, number),
               error);
  if (begun) {
    fs::rename(next, file_, error);
    bytes_ = line.size();
    if (!error) return open_as(std::ios::app);
    fs::remove(next, error);
  }
  open_as(std::ios::trunc);
  bytes_ = 0;
  append(line);
}

bool LogFile::begin(const fs::path& next, std::string_view line) const {
  errno = 0;
  std::ofstream out(next, std::ios::out | std::ios::binary | std::ios::trunc);
  int cause = errno;
  if (!out && is_refused(cause)) return false;
  if (out) {
    const auto failure = write(out, line);
    if (!failure) return true;
    cause = *failure;
    out.close();
    std::error_code ignored;
    fs::remove(next, ignored);
  }
  fail("cannot be written to", cause);
}

void LogFile::fail(const char* what, int cause) const {
  const std::error_code error(cause, std::generic_category());
  throw spdlog::spdlog_ex(path_text(file_) + ' ' + what + ": " + system_text(error));
}

}  // namespace winperf
