#include "tests/simulator/v1_provider.h"

#include <algorithm>
#include <cstring>

#include "collectors/base/ascii.h"
#include "tests/simulator/codes.h"

namespace winperf::simulator {
namespace {

bool names_index(std::u16string_view query, std::uint32_t index) {
  const std::string digits = std::to_string(index);
  const std::u16string wanted(digits.begin(), digits.end());
  return std::ranges::any_of(words_of(query),
                             [&](std::u16string_view word) { return word == wanted; });
}

}  // namespace

std::vector<std::u16string_view> words_of(std::u16string_view text) {
  std::vector<std::u16string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(u' '), text.size());
    if (end != 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool equal_ignoring_case(std::u16string_view a, std::u16string_view b) { return equal_names(a, b); }

testing::ByteVector object_bytes(const testing::ObjectBuilder& object) {
  const testing::BuiltBlock block = testing::BlockBuilder().add(object).build();
  return {block.bytes.begin() + static_cast<std::ptrdiff_t>(block.objects[0].offset),
          block.bytes.end()};
}

std::uint32_t ObjectProvider::open(const char16_t* device_names) {
  ++opened;
  devices.reset();
  if (device_names == nullptr) return kSuccess;
  std::size_t units = 0;
  while (device_names[units] != 0 || device_names[units + 1] != 0) ++units;
  devices.emplace(device_names, units + 2);
  return kSuccess;
}

std::uint32_t ObjectProvider::close() {
  ++closed;
  return kSuccess;
}

std::uint32_t ObjectProvider::collect(std::u16string_view query, std::byte*& data,
                                      std::uint32_t& bytes, std::uint32_t& object_types) {
  if (queries.size() == kMostQueries) queries.erase(queries.begin());
  queries.emplace_back(query);
  const bool metadata = equal_ignoring_case(query, u"MetadataGlobal") ||
                        equal_ignoring_case(query, u"MetadataCostly");
  const bool global =
      equal_ignoring_case(query, u"Global") || equal_ignoring_case(query, u"MetadataGlobal");
  const bool costly =
      equal_ignoring_case(query, u"Costly") || equal_ignoring_case(query, u"MetadataCostly");
  testing::ByteVector reply;
  std::uint32_t count = 0;
  for (const Object& object : objects_) {
    const bool wanted = (global && !object.costly) || (costly && object.costly) ||
                        (!global && !costly && names_index(query, object.index));
    if (!wanted || (object.is_there && !object.is_there())) continue;
    const testing::ByteVector one = object_bytes(object.build(metadata));
    reply.insert(reply.end(), one.begin(), one.end());
    ++count;
  }
  const std::uint32_t room = bytes;
  bytes = 0;
  object_types = 0;
  if (reply.size() > room) return kMoreData;
  if (!reply.empty()) std::memcpy(data, reply.data(), reply.size());
  data += reply.size();
  bytes = static_cast<std::uint32_t>(reply.size());
  object_types = count;
  return kSuccess;
}

}  // namespace winperf::simulator
