// Captures come from strangers, and are scrubbed for them. Whatever the bytes: an archive is opened
// or refused and none of its files is larger than it may be; of a buffer, the places of names lie
// within it and in its order, and scrubbing it leaves as many instances as there were.
#include <string>

#include "collectors/capture/archive.h"
#include "collectors/capture/scrubber.h"
#include "collectors/wire/block_view.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/simulator/v2_replies.h"
#include "tests/support/block_builder.h"

namespace winperf::fuzz {
namespace {

constexpr std::uint64_t kMaxFile = 1U << 20;
constexpr std::size_t kHeaderBytes = 30;  // of a file in an archive

Input sample_block() {
  testing::ObjectBuilder wide(230);
  wide.counter({.index = 6});
  for (const char16_t* name : {u"alpha", u"bravo", u"_Total"})
    wide.instance({.name = name, .values = {1}});
  testing::ObjectBuilder narrow(232);
  narrow.counter({.index = 8}).instance({.name = u"alpha", .values = {2}}).code_page(1252);
  return testing::BlockBuilder().add(wide).add(narrow).bytes();
}

Input sample_archive() {
  capture::ArchiveWriter writer;
  const Input block = sample_block();
  writer.add("sample-0000.perf", block);
  writer.add("empty", {});
  return writer.finish();
}

// Two files, the second of which is said to be where the first one is.
Input overlapping_archive() {
  capture::ArchiveWriter writer;
  writer.add("a", sample_block());
  writer.add("b", sample_block());
  Input bytes = writer.finish();
  constexpr std::size_t kSecondEntry = 47 + 42;  // in the directory; its local header's offset
  const std::size_t end = bytes.size() - 22;
  for (std::size_t i = 0; i < 4; ++i) bytes.at(end - 2 * 47 + kSecondEntry + i) = std::byte{};
  return bytes;
}

void read_archive(const Input& bytes) {
  const auto folder =
      capture::open_archive(bytes, "fuzz.zip", {.file_bytes = kMaxFile, .all_bytes = 4 * kMaxFile});
  if (!folder) return;
  const auto names = (*folder)->names();
  if (!names) return;
  std::size_t headers = 0;
  for (const std::string& name : *names) {
    const auto file = (*folder)->read(name, "fuzz");
    require(!file || file->size() <= kMaxFile, "no file is larger than it may be");
    headers += file ? kHeaderBytes : 0;
  }
  require(headers <= bytes.size(), "files share no bytes");
}

std::size_t instances_in(const Input& block) {
  std::size_t count = 0;
  const auto view = BlockView::parse(block);
  ObjectWalk objects = view->objects();
  while (const auto object = objects.next()) {
    if (!*object) continue;
    InstanceWalk instances = (*object)->instances();
    while (const auto instance = instances.next()) count += instance->has_value() ? 1 : 0;
  }
  return count;
}

void scrub(Input& buffer, const capture::NamePlaces& places) {
  const std::byte* at = buffer.data();
  for (const auto& place : places.names) {
    require(place.bytes.data() >= at, "names are in the order of the buffer");
    at = place.bytes.data() + place.bytes.size();
    require(at <= buffer.data() + buffer.size(), "names lie within the buffer");
  }
  capture::Scrubber scrubber;
  scrubber.learn(places);
  scrubber.scrub(buffer, places);
}

}  // namespace

std::vector<Input> seeds() {
  std::vector<Input> inputs{sample_archive(), overlapping_archive(), sample_block()};
  for (const auto& reply : simulator::v2_data_replies()) inputs.push_back(reply.bytes);
  return inputs;
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  fuzz::Input bytes = fuzz::copy_of(data, size);
  fuzz::read_archive(bytes);
  fuzz::Input block = bytes;
  if (const auto places = capture::places_in_block(block)) {
    const std::size_t before = fuzz::instances_in(block);
    fuzz::scrub(block, *places);
    fuzz::require(fuzz::instances_in(block) == before, "scrubbing leaves the instances");
  }
  if (const auto places = capture::places_in_v2_data(bytes)) fuzz::scrub(bytes, *places);
  return 0;
}
