#include "collectors/worker/parent_link.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cfenv>
#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "collectors/worker/frame.h"
#include "collectors/worker/posix/crash_trace.h"
#include "collectors/worker/posix/shared_mapping.h"

namespace winperf::worker {
namespace {

// Also if a provider keeps the other thread busy, or has closed the connection.
void end_with_parent() {
  pollfd parent{.fd = kInheritedSocket, .events = POLLRDHUP, .revents = 0};
  while (poll(&parent, 1, -1) < 0 && errno == EINTR) continue;
  end_now(EXIT_SUCCESS);
}

class SocketLink final : public ParentLink {
 public:
  explicit SocketLink(SharedMapping memory) : memory_(std::move(memory)) {
    std::thread(end_with_parent).detach();
  }

  std::span<std::byte> shared() override { return memory_.bytes(); }
  bool wait() override {
    char byte = 0;
    ssize_t got = 0;
    do got = recv(kInheritedSocket, &byte, 1, 0);
    while (got < 0 && errno == EINTR);
    return got == 1;
  }
  bool answer() override {
    const char byte = 0;
    return send(kInheritedSocket, &byte, 1, MSG_NOSIGNAL) == 1;
  }

 private:
  SharedMapping memory_;
};

}  // namespace

std::expected<std::unique_ptr<ParentLink>, std::string> adopt_link(
    const std::vector<std::string>& words) {
  constexpr const char* kAlone = "the program starts this command itself, not a person";
  struct stat memory{};
  struct stat socket{};
  if (!words.empty() || fstat(kInheritedMemory, &memory) != 0 || !S_ISREG(memory.st_mode) ||
      fstat(kInheritedSocket, &socket) != 0 || !S_ISSOCK(socket.st_mode))
    return std::unexpected(kAlone);
  auto mapping = SharedMapping::open(kInheritedMemory, static_cast<std::size_t>(memory.st_size));
  if (!mapping) return std::unexpected(kAlone);
  // A dump of a crash would delay the replacement, and hold other people's data.
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (chdir("/") != 0) return std::unexpected("the root folder can't be entered");
  write_traces_to(mapping->bytes());
  return std::make_unique<SocketLink>(*std::move(mapping));
}

// The library checks them itself.
bool are_heaps_sound() { return true; }

void end_now(int exit_code) { _exit(exit_code); }

struct ThreadState::Saved {
  std::fenv_t floating{};
  int unmasked = 0;  // floating-point exceptions
  int rounding = 0;
  std::string locale;
  std::filesystem::path folder;
};

ThreadState::ThreadState() : saved_(std::make_unique<Saved>()) {
  std::fegetenv(&saved_->floating);
  saved_->unmasked = fegetexcept();
  saved_->rounding = std::fegetround();
  saved_->locale = std::setlocale(LC_ALL, nullptr);
  std::error_code ignored;
  saved_->folder = std::filesystem::current_path(ignored);
}

ThreadState::~ThreadState() = default;

std::uint32_t ThreadState::changes() const {
  const bool is_same = fegetexcept() == saved_->unmasked && std::fegetround() == saved_->rounding;
  return is_same ? 0 : static_cast<std::uint32_t>(LeftBehind::kFloatingPoint);
}

void ThreadState::restore() const {
  std::fesetenv(&saved_->floating);
  std::setlocale(LC_ALL, saved_->locale.c_str());
  std::error_code ignored;
  std::filesystem::current_path(saved_->folder, ignored);
}

}  // namespace winperf::worker
