#include "service/console/console.h"

#include <windows.h>
// After windows.h:
#include <shellapi.h>

#include <algorithm>
#include <iostream>
#include <mutex>
#include <ostream>
#include <streambuf>

#include "collectors/base/win/account.h"
#include "collectors/base/win/wide.h"

namespace winperf {
namespace {

// How many bytes at the end of `text` belong to a character that is not complete yet.
std::size_t unfinished_bytes(const std::string& text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(text.size(), 4); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0U) == 0x80U) continue;  // within a character
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

// Writes whole lines, and everything when it is flushed.
class ConsoleBuffer final : public std::streambuf {
 public:
  explicit ConsoleBuffer(HANDLE console) : console_(console) {}

 protected:
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    const std::lock_guard lock(mutex_);
    pending_.append(text, static_cast<std::size_t>(count));
    if (const std::size_t line_end = pending_.rfind('\n'); line_end != std::string::npos)
      write(line_end + 1);
    return count;
  }

  int_type overflow(int_type character) override {
    if (traits_type::eq_int_type(character, traits_type::eof()))
      return traits_type::not_eof(character);
    const char byte = traits_type::to_char_type(character);
    return xsputn(&byte, 1) == 1 ? character : traits_type::eof();
  }

  int sync() override {
    const std::lock_guard lock(mutex_);
    write(pending_.size() - unfinished_bytes(pending_));
    return 0;
  }

 private:
  // Failures are ignored: if the console is gone, there is nowhere to report them.
  void write(std::size_t bytes) {
    constexpr std::size_t kMaxAtOnce = 8192;
    const std::wstring wide = to_wide(std::string_view(pending_).substr(0, bytes));
    pending_.erase(0, bytes);
    for (std::size_t done = 0; done < wide.size();) {
      auto rest = static_cast<DWORD>(std::min(wide.size() - done, kMaxAtOnce));
      // The two halves of a surrogate pair stay together.
      if (rest == kMaxAtOnce && IS_HIGH_SURROGATE(wide[done + rest - 1])) --rest;
      DWORD written = 0;
      if (!WriteConsoleW(console_, wide.data() + done, rest, &written, nullptr) || written == 0)
        return;
      done += written;
    }
  }

  const HANDLE console_;
  std::mutex mutex_;
  std::string pending_;
};

// Makes a stream write to the console while this object lives, unless the stream is redirected.
class ConsoleStream {
 public:
  ConsoleStream(std::ostream& stream, DWORD number) : stream_(stream) {
    const HANDLE handle = GetStdHandle(number);
    DWORD mode = 0;
    if (!GetConsoleMode(handle, &mode)) return;
    stream_.flush();
    buffer_ = std::make_unique<ConsoleBuffer>(handle);
    original_ = stream_.rdbuf(buffer_.get());
  }
  ConsoleStream(const ConsoleStream&) = delete;
  ConsoleStream& operator=(const ConsoleStream&) = delete;
  ~ConsoleStream() {
    if (buffer_ == nullptr) return;
    stream_.flush();
    stream_.rdbuf(original_);
  }

 private:
  std::ostream& stream_;
  std::unique_ptr<ConsoleBuffer> buffer_;
  std::streambuf* original_ = nullptr;
};

}  // namespace

// argv is useless: the C library has converted it to the ANSI code page.
std::vector<std::string> command_line_words(int, char**) {
  int count = 0;
  const std::unique_ptr<LPWSTR, LocalFreed> wide(CommandLineToArgvW(GetCommandLineW(), &count));
  std::vector<std::string> words;
  for (int i = 1; wide != nullptr && i < count; ++i) words.push_back(to_utf8(wide.get()[i]));
  return words;
}

struct Utf8Console::Streams {
  ConsoleStream out{std::cout, STD_OUTPUT_HANDLE};
  ConsoleStream err{std::cerr, STD_ERROR_HANDLE};
};

Utf8Console::Utf8Console() : streams_(std::make_unique<Streams>()) {}
Utf8Console::~Utf8Console() = default;

}  // namespace winperf
