#include "collectors/capture/name_list.h"

#include "collectors/wire/text.h"

namespace winperf::capture {

std::uint32_t NameList::add(std::uint32_t index, std::string_view text) {
  if (text.empty()) return index;
  const auto [entry, is_new] =
      index == 0 ? std::pair(texts_.end(), false) : texts_.try_emplace(index, text);
  if (is_new || (entry != texts_.end() && entry->second == text)) return index;
  auto& moved = moved_[{index, std::string(text)}];
  if (moved == 0) {
    moved = reserve();
    texts_[moved] = text;
  }
  return moved;
}

std::uint32_t NameList::reserve() {
  while (texts_.contains(next_)) next_ += 2;
  next_ += 2;
  return next_ - 2;
}

std::vector<std::byte> NameList::table(const std::vector<std::string_view>& beginning) const {
  std::vector<std::byte> bytes;
  for (const std::string_view text : beginning) append_utf16le(bytes, text);
  for (const auto& [index, text] : texts_) {
    append_utf16le(bytes, std::to_string(index));
    append_utf16le(bytes, text);
  }
  append_utf16le(bytes, {});
  return bytes;
}

}  // namespace winperf::capture
