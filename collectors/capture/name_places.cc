#include "collectors/capture/name_places.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "collectors/wire/block_view.h"
#include "collectors/wire/v2/blocks.h"
#include "collectors/wire/v2/data_view.h"

namespace winperf::capture {
namespace {

constexpr std::size_t kBlockHeaderBytes = 88;
constexpr std::size_t kObjectHeaderBytes = 64;
constexpr std::size_t kInstanceHeaderBytes = 24;

std::uint32_t number_at(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint32_t number = 0;
  if (offset <= bytes.size() && sizeof number <= bytes.size() - offset)
    std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

// One buffer, from its beginning to its end.
class Finder {
 public:
  explicit Finder(std::span<std::byte> buffer) : buffer_(buffer) {}

  std::span<std::byte> buffer() const { return buffer_; }
  NamePlaces take() { return std::move(places_); }

  void name(std::size_t offset, std::size_t bytes, std::size_t character_bytes) {
    places_.names.push_back({buffer_.subspan(offset, bytes), character_bytes});
  }
  void clear(std::size_t from, std::size_t to) {
    to = std::min(to, buffer_.size());
    if (from < to) places_.to_clear.push_back(buffer_.subspan(from, to - from));
  }
  void damaged(const Error& error) { places_.damage.push_back(error); }
  // Of what is in the buffer.
  std::size_t offset_of(std::span<const std::byte> part) const {
    return static_cast<std::size_t>(part.data() - buffer_.data());
  }

 private:
  std::span<std::byte> buffer_;
  NamePlaces places_;
};

// Behind the header of something damaged: where the next one begins, if its length tells.
std::size_t after_damaged(Finder& finder, std::size_t at, std::size_t length,
                          std::size_t header_bytes) {
  const std::size_t size = finder.buffer().size();
  const bool known = at <= size && length >= header_bytes && length <= size - at;
  const std::size_t end = known ? at + length : size;
  finder.clear(at + header_bytes, end);
  return end;
}

void find_in_instance(Finder& finder, const InstanceView& instance, std::uint32_t code_page) {
  const auto definition = instance.definition_bytes();
  const std::size_t start = finder.offset_of(definition);
  const std::size_t offset = number_at(definition, 16);
  const std::size_t length = number_at(definition, 20);
  // A name within the header would be lengths and offsets as well.
  const bool named = length > 0 && offset >= kInstanceHeaderBytes;
  if (named) finder.name(start + offset, length, code_page == 0 ? 2 : 1);
  finder.clear(start + (named ? offset + length : kInstanceHeaderBytes), start + definition.size());
}

void find_in_object(Finder& finder, const ObjectView& object) {
  if (!object.multi_instance()) return;
  const std::size_t start = object.offset();
  const std::size_t end = start + object.byte_length();
  std::size_t at = start + number_at(finder.buffer(), start + 4);  // DefinitionLength
  InstanceWalk instances = object.instances();
  while (const auto instance = instances.next()) {
    if (!*instance) {
      finder.damaged(instance->error());
      at += kInstanceHeaderBytes;
      break;
    }
    find_in_instance(finder, **instance, object.code_page());
    at += static_cast<std::size_t>((*instance)->byte_length());
  }
  finder.clear(at, end);
}

void find_in_result(Finder& finder, const v2::ResultView& result, std::size_t end) {
  if (!result.has_instances()) return;
  v2::RowWalk rows = result.rows();
  v2::RowWalk::Row row;
  std::size_t at = result.offset();  // the end of the last row that holds
  while (true) {
    const auto more = rows.next(row);
    if (!more) {
      finder.damaged(more.error());
      finder.clear(at + v2::kInstanceHeaderBytes, end);
      return;
    }
    if (!*more) break;
    if (!row.instance) continue;
    const auto bytes = row.instance->bytes.bytes();
    const std::size_t start = finder.offset_of(bytes);
    finder.name(start + v2::kInstanceHeaderBytes, bytes.size() - v2::kInstanceHeaderBytes, 2);
    at = start + bytes.size();
    if (!row.values.empty()) {
      const ByteView& last = row.values.back().data;
      at = finder.offset_of(last.bytes()) + last.size();
    }
  }
  finder.clear(at, end);
}

}  // namespace

std::expected<NamePlaces, Error> places_in_block(std::span<std::byte> block) {
  const auto view = BlockView::parse(block);
  if (!view) return std::unexpected(view.error());
  Finder finder(block);
  const std::size_t header = number_at(block, 24);
  const std::size_t length = number_at(block, 80);
  const std::size_t offset = number_at(block, 84);
  if (offset >= kBlockHeaderBytes && offset <= header && length <= header - offset)
    finder.name(offset, length, 2);
  std::size_t at = header;
  ObjectWalk objects = view->objects();
  while (const auto object = objects.next()) {
    if (*object) {
      find_in_object(finder, **object);
      at = static_cast<std::size_t>((*object)->offset()) + (*object)->byte_length();
    } else {
      finder.damaged(object->error());
      at = after_damaged(finder, at, number_at(block, at), kObjectHeaderBytes);
    }
  }
  finder.clear(at, block.size());
  return finder.take();
}

std::expected<NamePlaces, Error> places_in_v2_data(std::span<std::byte> data) {
  const auto view = v2::DataView::parse(data);
  if (!view) return std::unexpected(view.error());
  Finder finder(data);
  std::size_t at = v2::kDataHeaderBytes;
  v2::ResultBytesWalk results = view->result_bytes();
  while (const auto bytes = results.next()) {
    if (!*bytes) {
      finder.damaged(bytes->error());
      finder.clear(at + v2::kCounterHeaderBytes, data.size());
      return finder.take();
    }
    const std::size_t start = finder.offset_of((*bytes)->bytes());
    finder.clear(at, start);  // padding, where a sender leaves it out of its sizes
    at = start + (*bytes)->size();
    if (const auto result = v2::ResultView::parse(**bytes, {})) {
      find_in_result(finder, *result, at);
    } else {
      finder.damaged(result.error());
      finder.clear(start + v2::kCounterHeaderBytes, at);
    }
  }
  finder.clear(at, data.size());
  return finder.take();
}

}  // namespace winperf::capture
