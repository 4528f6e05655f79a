#include "collectors/capture/scrubber.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "collectors/wire/block_view.h"
#include "collectors/wire/v2/blocks.h"
#include "collectors/wire/v2/data_view.h"

namespace winperf::capture {
namespace {

// Shorter leftovers are as likely to be anything else.
constexpr std::size_t kShortestLeftover = 4;
constexpr std::size_t kShortestAnsiLeftover = 6;
constexpr std::size_t kInstanceHeaderBytes = 24;

char16_t lower(char16_t c) {
  return c >= u'A' && c <= u'Z' ? static_cast<char16_t>(c - u'A' + u'a') : c;
}

std::u16string lower(std::u16string text) {
  std::ranges::transform(text, text.begin(), [](char16_t c) { return lower(c); });
  return text;
}

// Up to the NUL.
std::u16string utf16_of(std::span<const std::byte> bytes) {
  std::u16string text(bytes.size() / 2, u'\0');
  std::memcpy(text.data(), bytes.data(), text.size() * 2);
  return text.substr(0, text.find(u'\0'));
}

bool is_letter(char16_t c) { return (c >= u'a' && c <= u'z') || c > 0x7F; }

// The view points into the buffer that is being scrubbed.
std::span<std::byte> writable(std::span<std::byte> buffer, std::span<const std::byte> part) {
  return buffer.subspan(static_cast<std::size_t>(part.data() - buffer.data()), part.size());
}

// The name of an instance, whose place the view has proved.
std::span<std::byte> name_in(std::span<std::byte> definition) {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  std::memcpy(&offset, definition.data() + 16, sizeof offset);
  std::memcpy(&length, definition.data() + 20, sizeof length);
  if (length == 0) return {};
  return definition.subspan(offset, length);
}

// What a provider had in its buffer before says names, too.
void clear_behind_name(std::span<std::byte> definition) {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  std::memcpy(&offset, definition.data() + 16, sizeof offset);
  std::memcpy(&length, definition.data() + 20, sizeof length);
  const std::size_t end = length == 0 ? kInstanceHeaderBytes : std::size_t{offset} + length;
  if (end >= kInstanceHeaderBytes && end <= definition.size())
    std::ranges::fill(definition.subspan(end), std::byte{});
}

// The character's bytes in a buffer, in lower case, as often as `step` says.
std::u16string text_at(std::span<const std::byte> buffer, std::size_t step) {
  std::u16string text(buffer.size() / step, u'\0');
  for (std::size_t i = 0; i < text.size(); ++i) std::memcpy(&text[i], &buffer[i * step], step);
  return lower(std::move(text));
}

}  // namespace

bool is_harmless(std::u16string_view name) {
  constexpr std::u16string_view kTotal = u"_total";
  std::u16string text = lower(std::u16string(name));
  if (text == u"idle") return true;
  if (text.ends_with(kTotal)) text.resize(text.size() - kTotal.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool drive =
        i + 1 < text.size() && text[i + 1] == u':' && (i == 0 || !is_letter(text[i - 1]));
    if (is_letter(text[i]) && !drive) return false;
  }
  return true;
}

// "xxxxxa", "xxxxxb", ...: a number in letters, as long as the name.
const std::u16string& Scrubber::replacement_of(const std::u16string& name) {
  const auto [found, fresh] = replacements_.try_emplace(lower(name));
  if (!fresh) return found->second;
  std::size_t number = used_[name.size()]++;
  std::u16string text(name.size(), u'x');
  for (std::size_t i = text.size(); i-- > 0 && number > 0; number /= 25)
    text[i] = static_cast<char16_t>(u'a' + number % 25 + (number % 25 >= 23 ? 1 : 0));
  found->second = std::move(text);
  return found->second;
}

void Scrubber::scrub_utf16(std::span<std::byte> name) {
  const std::u16string text = utf16_of(name);
  names_.push_back(name);
  std::ranges::fill(name.subspan(text.size() * 2), std::byte{});
  if (is_harmless(text)) return;
  std::memcpy(name.data(), replacement_of(text).data(), text.size() * 2);
}

void Scrubber::scrub_ansi(std::span<std::byte> name) {
  std::u16string text;
  for (const std::byte b : name) {
    if (b == std::byte{}) break;
    text += static_cast<char16_t>(b);
  }
  names_.push_back(name);
  std::ranges::fill(name.subspan(text.size()), std::byte{});
  if (is_harmless(text)) return;
  const std::u16string& replacement = replacement_of(text);
  for (std::size_t i = 0; i < text.size(); ++i) name[i] = static_cast<std::byte>(replacement[i]);
}

std::expected<void, Error> Scrubber::scrub_block(std::span<std::byte> block) {
  names_.clear();
  const auto view = BlockView::parse(block);
  if (!view) return std::unexpected(view.error());
  ObjectWalk objects = view->objects();
  while (auto object = objects.next()) {
    if (!*object) return std::unexpected(object->error());
    InstanceWalk instances = (*object)->instances();
    if (!(*object)->multi_instance()) continue;
    while (auto instance = instances.next()) {
      if (!*instance) return std::unexpected(instance->error());
      const auto definition = writable(block, (*instance)->definition_bytes());
      clear_behind_name(definition);
      const auto name = name_in(definition);
      (*object)->code_page() == 0 ? scrub_utf16(name) : scrub_ansi(name);
    }
  }
  std::uint32_t length = 0;
  std::uint32_t offset = 0;
  std::memcpy(&length, block.data() + 80, sizeof length);
  std::memcpy(&offset, block.data() + 84, sizeof offset);
  if (offset <= block.size() && length <= block.size() - offset)
    scrub_utf16(block.subspan(offset, length));
  scrub_leftovers(block);
  return {};
}

std::expected<void, Error> Scrubber::scrub_v2_data(std::span<std::byte> data) {
  names_.clear();
  const auto view = v2::DataView::parse(data);
  if (!view) return std::unexpected(view.error());
  v2::ResultWalk results = view->results();
  while (const auto result = results.next()) {
    if (!*result) return std::unexpected(result->error());
    if (!(*result)->has_instances()) continue;
    v2::RowWalk rows = (*result)->rows();
    v2::RowWalk::Row row;
    while (true) {
      const auto more = rows.next(row);
      if (!more) return std::unexpected(more.error());
      if (!*more) break;
      if (row.instance)
        scrub_utf16(writable(data, row.instance->bytes.bytes()).subspan(v2::kInstanceHeaderBytes));
    }
  }
  scrub_leftovers(data);
  return {};
}

// A part of a name that has its replacement, or is kept, is nothing left behind.
bool Scrubber::is_in_name(std::span<const std::byte> part) const {
  const auto behind = std::ranges::upper_bound(
      names_, part.data(), {}, [](std::span<const std::byte> name) { return name.data(); });
  const bool next_begins_within =
      behind != names_.end() && behind->data() < part.data() + part.size();
  if (next_begins_within || behind == names_.begin()) return next_begins_within;
  const auto& before = *std::prev(behind);
  return before.data() + before.size() > part.data();
}

void Scrubber::scrub_leftovers(std::span<std::byte> buffer) {
  std::ranges::sort(names_, {}, [](std::span<const std::byte> name) { return name.data(); });
  scrub_leftovers(buffer, 2, kShortestLeftover);
  if (!buffer.empty()) scrub_leftovers(buffer.subspan(1), 2, kShortestLeftover);
  scrub_leftovers(buffer, 1, kShortestAnsiLeftover);
}

void Scrubber::scrub_leftovers(std::span<std::byte> buffer, std::size_t step,
                               std::size_t shortest) const {
  const std::u16string text = text_at(buffer, step);
  for (const auto& [name, replacement] : replacements_) {
    if (name.size() < shortest) continue;
    for (std::size_t at = text.find(name); at != std::u16string::npos;
         at = text.find(name, at + name.size())) {
      const auto part = buffer.subspan(at * step, name.size() * step);
      if (is_in_name(part)) continue;
      for (std::size_t i = 0; i < name.size(); ++i)
        std::memcpy(&part[i * step], &replacement[i], step);
    }
  }
}

}  // namespace winperf::capture
