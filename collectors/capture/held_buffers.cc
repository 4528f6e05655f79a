#include "collectors/capture/held_buffers.h"

#include <optional>
#include <utility>

namespace winperf::capture {
namespace {

[[nodiscard]] std::expected<NamePlaces, Error> places_in(BufferKind kind,
                                                         std::span<std::byte> bytes) {
  return kind == BufferKind::kBlock ? places_in_block(bytes) : places_in_v2_data(bytes);
}

}  // namespace

void HeldBuffers::add(std::string file, BufferKind kind, Bytes bytes) {
  bytes_ += bytes.size();
  all_.push_back({std::move(file), kind, std::move(bytes)});
}

std::expected<void, std::string> HeldBuffers::store(Scrubber& scrubber, Store& store,
                                                    const std::function<void(std::string)>& note) {
  std::vector<Held> all = std::exchange(all_, {});
  bytes_ = 0;
  std::vector<std::optional<NamePlaces>> places;
  for (Held& held : all) {
    auto found = places_in(held.kind, held.bytes);
    if (!found) {
      note(held.file +
           ": left out, because its names can't be removed: " + describe(found.error()));
      places.emplace_back();
      continue;
    }
    for (const Error& damage : found->damage)
      note(held.file + ": a part that can't be parsed was cleared: " + describe(damage));
    scrubber.learn(*found);
    places.emplace_back(*std::move(found));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!places[i]) continue;
    scrubber.scrub(all[i].bytes, *places[i]);
    if (auto stored = store.put(all[i].file, all[i].bytes); !stored) return stored;
    all[i].bytes = {};
  }
  return {};
}

}  // namespace winperf::capture
