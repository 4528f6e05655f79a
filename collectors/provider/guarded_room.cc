#include "collectors/provider/guarded_room.h"

#include <utility>

namespace winperf {

GuardedRoom::GuardedRoom(std::size_t bytes) {
  const std::size_t page = page_bytes();
  const std::size_t inner = (bytes + page - 1) / page * page;
  pages_ = allocate_guarded(inner);
  room_ = pages_.subspan(page + inner - bytes, bytes);
}

GuardedRoom::GuardedRoom(GuardedRoom&& other) noexcept
    : pages_(std::exchange(other.pages_, {})), room_(std::exchange(other.room_, {})) {}

GuardedRoom& GuardedRoom::operator=(GuardedRoom&& other) noexcept {
  std::swap(pages_, other.pages_);
  std::swap(room_, other.room_);
  return *this;
}

GuardedRoom::~GuardedRoom() {
  if (!pages_.empty()) free_guarded(pages_);
}

}  // namespace winperf
