#include "service/console/hidden_line.h"

#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace winperf {
namespace {

constexpr std::array kInterruptions{SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// Signal handlers get no context.
volatile std::sig_atomic_t g_interruption = 0;

void note(int signal) { g_interruption = signal; }

class WithoutEcho {
 public:
  WithoutEcho() {
    g_interruption = 0;
    struct sigaction handler{};
    handler.sa_handler = note;  // without SA_RESTART: it ends read()
    for (std::size_t i = 0; i < kInterruptions.size(); ++i)
      sigaction(kInterruptions[i], &handler, &handlers_[i]);
    has_terminal_ = tcgetattr(STDIN_FILENO, &before_) == 0;
    if (!has_terminal_) return;
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
  }
  WithoutEcho(const WithoutEcho&) = delete;
  WithoutEcho& operator=(const WithoutEcho&) = delete;
  ~WithoutEcho() {
    if (has_terminal_) tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
    for (std::size_t i = 0; i < kInterruptions.size(); ++i)
      sigaction(kInterruptions[i], &handlers_[i], nullptr);
    if (g_interruption != 0) raise(g_interruption);
  }

 private:
  std::array<struct sigaction, kInterruptions.size()> handlers_{};
  termios before_{};
  bool has_terminal_ = false;
};

}  // namespace

bool is_typed() { return isatty(STDIN_FILENO) == 1; }

std::optional<std::string> typed_line() {
  const WithoutEcho silent;
  std::string line;
  while (line.size() <= kMostHiddenBytes) {
    char c = 0;
    const ssize_t count = read(STDIN_FILENO, &c, 1);
    if (count < 0 && errno == EINTR && g_interruption == 0) continue;
    if (count <= 0) return std::nullopt;
    if (c == '\n') break;
    line += c;
  }
  return line;
}

}  // namespace winperf
