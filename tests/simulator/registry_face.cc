#include "tests/simulator/registry_face.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "collectors/wire/v1_format.h"
#include "tests/simulator/codes.h"
#include "tests/support/byte_writer.h"

namespace winperf::simulator {
namespace {

constexpr std::uint64_t kStale = 0xDEAD;
// Kept for tests: an executable may run for days.
constexpr std::size_t kMostQueries = 10'000;

bool starts_ignoring_case(std::u16string_view text, std::u16string_view prefix) {
  return equal_ignoring_case(text.substr(0, prefix.size()), prefix);
}

std::vector<std::byte> text_table(const std::vector<Machine::Title>& titles) {
  testing::ByteWriter out;
  for (const Machine::Title& title : titles) {
    const std::string digits = std::to_string(title.index);
    out.utf16(std::u16string(digits.begin(), digits.end())).put(std::uint16_t{0});
    out.utf16(title.text).put(std::uint16_t{0});
  }
  out.put(std::uint16_t{0});
  return std::move(out).take();
}

// The header of a block, with the objects after it.
std::vector<std::byte> block_of(const Now& now, const std::vector<std::byte>& objects,
                                std::uint32_t count) {
  std::vector<std::byte> block = testing::BlockBuilder()
                                     .perf_time({now.perf_time}, {now.perf_frequency})
                                     .time_100ns({now.time_100ns})
                                     .bytes();
  block.insert(block.end(), objects.begin(), objects.end());
  const auto total = static_cast<std::uint32_t>(block.size());
  block = testing::with_field(std::move(block), v1::block::kTotalByteLength, total);
  return testing::with_field(std::move(block), v1::block::kNumObjectTypes, count);
}

std::optional<bool> is_metadata_query(std::u16string_view query) {
  if (equal_ignoring_case(query, u"MetadataGlobal")) return true;
  if (equal_ignoring_case(query, u"MetadataCostly")) return true;
  return std::nullopt;
}

bool is_index_list(std::u16string_view query) {
  const auto words = words_of(query);
  return !words.empty() && std::ranges::all_of(words, [](std::u16string_view word) {
    return std::ranges::all_of(word, [](char16_t unit) { return unit >= u'0' && unit <= u'9'; });
  });
}

}  // namespace

std::uint32_t RegistryFace::query_value(std::u16string_view value_name, std::span<std::byte> buffer,
                                        std::size_t& size) {
  const std::lock_guard lock(mutex_);
  if (queries_.size() == kMostQueries) queries_.erase(queries_.begin());
  queries_.emplace_back(value_name);
  size = kStale;
  if (const auto code = machine_.faults.code_for(Point::kRegistryQuery)) return *code;

  std::vector<std::byte> reply;
  const bool old = starts_ignoring_case(value_name, u"OLD_");
  std::u16string_view query = old ? value_name.substr(4) : value_name;
  const bool known = query.empty() || equal_ignoring_case(query, u"Global") ||
                     equal_ignoring_case(query, u"Costly") || is_metadata_query(query) ||
                     is_index_list(query) || starts_ignoring_case(query, u"Foreign");
  if (starts_ignoring_case(value_name, u"Counter")) {
    reply = text_table(machine_.counter_table(equal_ignoring_case(value_name, u"Counter")));
    if (machine_.spoiler) machine_.spoiler->name_table(reply);
  } else if (starts_ignoring_case(value_name, u"Help")) {
    reply = text_table(machine_.help_table());
  } else if (!known || (is_metadata_query(query) && !machine_.supports_metadata)) {
    return kFileNotFound;
  } else {
    if (query.empty()) query = u"Global";
    const std::uint32_t status = objects(query, !old, buffer.size(), reply);
    if (status != kSuccess) return status;
    if (machine_.spoiler) machine_.spoiler->registry_block(reply);
  }
  const std::optional<Damage> damage = machine_.faults.damage(Point::kRegistryQuery, reply);
  if (damage == Damage::kGrowing || reply.size() > buffer.size()) return kMoreData;
  if (!reply.empty()) std::memcpy(buffer.data(), reply.data(), reply.size());
  size = damage == Damage::kOverrun ? buffer.size() + 8 : reply.size();
  return kSuccess;
}

std::uint32_t RegistryFace::objects(std::u16string_view query, bool with_v2, std::size_t room,
                                    std::vector<std::byte>& reply) {
  const Moment moment(machine_);
  const std::size_t header = block_of(machine_.now(), {}, 0).size();
  if (room < header) return kMoreData;
  V1Host::Collected collected = host_.collect(std::u16string(query), room - header);
  if (collected.status != kSuccess) return collected.status;
  if (with_v2) append_v2(query, collected.objects, collected.count);
  reply = block_of(machine_.now(), collected.objects, collected.count);
  return kSuccess;
}

void RegistryFace::append_v2(std::u16string_view query, std::vector<std::byte>& objects,
                             std::uint32_t& count) {
  const bool metadata = is_metadata_query(query).value_or(false);
  const bool all =
      equal_ignoring_case(query, u"Global") || equal_ignoring_case(query, u"MetadataGlobal");
  for (const auto& provider : machine_.v2()) {
    for (const CountersetDefinition& counterset : provider->countersets()) {
      const std::string digits = std::to_string(machine_.title_of(counterset.guid));
      const std::u16string title(digits.begin(), digits.end());
      const auto words = words_of(query);
      const bool wanted =
          all || std::ranges::find(words, std::u16string_view(title)) != words.end();
      if (!wanted) continue;
      const auto object = translation_.object({provider.get(), counterset}, metadata);
      if (!object) continue;
      const testing::ByteVector bytes = object_bytes(*object);
      objects.insert(objects.end(), bytes.begin(), bytes.end());
      ++count;
    }
  }
}

void RegistryFace::close() {
  const std::lock_guard lock(mutex_);
  ++closed_;
  host_.close();
}

std::vector<Event> RegistryFace::events() const {
  const std::lock_guard lock(mutex_);
  return host_.events();
}

std::vector<std::u16string> RegistryFace::queries() const {
  const std::lock_guard lock(mutex_);
  return queries_;
}

int RegistryFace::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

}  // namespace winperf::simulator
