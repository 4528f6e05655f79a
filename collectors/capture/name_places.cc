#include "collectors/capture/name_places.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "collectors/wire/block_view.h"
#include "collectors/wire/text.h"
#include "collectors/wire/v1_format.h"
#include "collectors/wire/v2/blocks.h"
#include "collectors/wire/v2/data_view.h"

namespace winperf::capture {
namespace {

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
  // `part` lies in the buffer.
  std::size_t offset_of(std::span<const std::byte> part) const {
    return static_cast<std::size_t>(part.data() - buffer_.data());
  }

 private:
  std::span<std::byte> buffer_;
  NamePlaces places_;
};

// Clears a damaged object after its header. Returns where the next object begins, or the end if the
// object's length doesn't lead there.
std::size_t skip_damaged_object(Finder& finder, std::size_t at) {
  const std::size_t size = finder.buffer().size();
  const ByteView whole(finder.buffer(), "capture.object");
  const std::size_t length =
      whole.read<std::uint32_t>(at + v1::object::kTotalByteLength).value_or(0);
  const bool known = at <= size && length >= v1::object::kBytes && length <= size - at;
  const std::size_t end = known ? at + length : size;
  finder.clear(at + v1::object::kBytes, end);
  return end;
}

void find_in_instance(Finder& finder, const InstanceView& instance, std::uint32_t code_page) {
  const auto definition = instance.definition_bytes();
  const std::size_t start = finder.offset_of(definition);
  const ByteView view(definition, "capture.instance");
  const std::size_t offset = view.get(v1::instance::kNameOffset);
  const std::size_t length = view.get(v1::instance::kNameLength);
  // A name within the header would overlap lengths and offsets.
  const bool named = length > 0 && offset >= v1::instance::kBytes;
  if (named) finder.name(start + offset, length, code_page == kUtf16 ? 2 : 1);
  finder.clear(start + (named ? offset + length : v1::instance::kBytes), start + definition.size());
}

void find_in_object(Finder& finder, const ObjectView& object) {
  if (!object.multi_instance()) return;
  const std::size_t start = object.offset();
  const std::size_t end = start + object.byte_length();
  std::size_t at = start + object.definition_length();
  InstanceWalk instances = object.instances();
  while (const auto instance = instances.next()) {
    if (!*instance) {
      finder.damaged(instance->error());
      at += v1::instance::kBytes;
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
  std::size_t at = result.offset();  // the end of the last sound row
  while (true) {
    const auto more = rows.next(row);
    if (!more) {
      finder.damaged(more.error());
      finder.clear(at + v2::instance_header::kBytes, end);
      return;
    }
    if (!*more) break;
    if (!row.instance) continue;
    const auto bytes = row.instance->bytes.bytes();
    const std::size_t start = finder.offset_of(bytes);
    finder.name(start + v2::instance_header::kBytes, bytes.size() - v2::instance_header::kBytes, 2);
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
  const ByteView whole(block, "capture.block");
  const std::size_t header = whole.get(v1::block::kHeaderLength);
  const std::size_t length = whole.get(v1::block::kSystemNameLength);
  const std::size_t offset = whole.get(v1::block::kSystemNameOffset);
  if (offset >= v1::block::kBytes && offset <= header && length <= header - offset)
    finder.name(offset, length, 2);
  std::size_t at = header;
  ObjectWalk objects = view->objects();
  while (const auto object = objects.next()) {
    if (*object) {
      find_in_object(finder, **object);
      at = static_cast<std::size_t>((*object)->offset()) + (*object)->byte_length();
    } else {
      finder.damaged(object->error());
      at = skip_damaged_object(finder, at);
    }
  }
  finder.clear(at, block.size());
  return finder.take();
}

std::expected<NamePlaces, Error> places_in_v2_data(std::span<std::byte> data) {
  const auto view = v2::DataView::parse(data);
  if (!view) return std::unexpected(view.error());
  Finder finder(data);
  std::size_t at = v2::data_header::kBytes;
  v2::ResultBytesWalk results = view->result_bytes();
  while (const auto bytes = results.next()) {
    if (!*bytes) {
      finder.damaged(bytes->error());
      finder.clear(at + v2::counter_header::kBytes, data.size());
      return finder.take();
    }
    const std::size_t start = finder.offset_of((*bytes)->bytes());
    finder.clear(at, start);  // padding that the sender omits from its sizes
    at = start + (*bytes)->size();
    if (const auto result = v2::ResultView::parse(**bytes, {})) {
      find_in_result(finder, *result, at);
    } else {
      finder.damaged(result.error());
      finder.clear(start + v2::counter_header::kBytes, at);
    }
  }
  finder.clear(at, data.size());
  return finder.take();
}

}  // namespace winperf::capture
