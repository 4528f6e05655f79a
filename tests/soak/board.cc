#include "tests/soak/board.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "collectors/base/posix/descriptor.h"

namespace winperf::soak {
namespace {

[[noreturn]] void board_failed() {
  throw std::system_error(errno, std::generic_category(), "the board");
}

Board& map(const std::filesystem::path& file, int flags) {
  const Descriptor opened(open(file.c_str(), O_RDWR | O_CLOEXEC | flags, 0600));
  if (!opened || ftruncate(opened.get(), sizeof(Board)) != 0) board_failed();
  void* const place =
      mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED, opened.get(), 0);
  if (place == MAP_FAILED) board_failed();
  // Zeros are a board on which nothing has happened.
  return *static_cast<Board*>(place);
}

}  // namespace

Board& make_board(const std::filesystem::path& file) {
  Board& board = map(file, O_CREAT | O_EXCL);
  if (setenv(kBoardVariable, file.c_str(), 1) != 0) board_failed();
  return board;
}

Board& open_board() {
  const char* const file = std::getenv(kBoardVariable);
  return map(file == nullptr ? "" : file, 0);
}

simulator::Now now_of(const Board& board) {
  const std::int64_t elapsed = board.elapsed_100ns;
  simulator::Now now;
  now.perf_time += elapsed;
  now.time_100ns += elapsed + board.wall_offset_100ns;
  return now;
}

}  // namespace winperf::soak
