// The section of the exporter's own counters, which any program may have created while the service
// doesn't run, and a consumer's query: whatever they are, the extension DLL stays within the room,
// keeps the contract of Collect, and what it delivers can be walked. (A write outside the room, or
// a read outside the section, ends the process.)
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "collectors/provider/provider_source.h"
#include "exporter/counters/extension.h"
#include "tests/exporter/counters/section_builder.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/block_digest.h"

namespace winperf::fuzz {
namespace {

using own::testing::SectionBuilder;
using own::testing::SectionMemory;

constexpr std::uint32_t kMoreData = 234;
constexpr std::size_t kMostRoom = 1U << 16;
constexpr std::size_t kMostQuery = 256;  // units
constexpr std::int64_t kNow = 133'716'612'800'215'149;

// The first bytes of an input; the query and the section follow.
struct Head {
  std::uint32_t room = 0;
  std::uint32_t first_counter = 0;
  std::int64_t now = 0;
  std::uint32_t query_units = 0;
  std::uint32_t has_query = 0;  // otherwise, it is a null pointer
};

struct Case {
  Head head;
  std::u16string query;
  Input section;
};

Case case_of(const Input& input) {
  Case one;
  std::span rest(input);
  const auto take = [&](void* to, std::size_t size) {
    size = std::min(size, rest.size());
    if (size != 0) std::memcpy(to, rest.data(), size);
    rest = rest.subspan(size);
  };
  take(&one.head, sizeof one.head);
  one.head.room %= kMostRoom;
  one.query.resize(one.head.query_units % kMostQuery);
  take(one.query.data(), one.query.size() * sizeof(char16_t));
  one.section.assign(rest.begin(), rest.end());
  return one;
}

class Process {
 public:
  explicit Process(const Case& one)
      : one_(one), section_(one.section.size() / sizeof(std::uint64_t)) {
    for (std::size_t i = 0; i < section_.words().size(); ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, one.section.data() + i * sizeof word, sizeof word);
      section_.words()[i].store(word, std::memory_order_release);
    }
  }

  own::Surroundings surroundings() {
    return {
        .read_indices = [](void* context, own::TitleIndices& indices) -> std::uint32_t {
          const std::uint32_t first = of(context).one_.head.first_counter;
          indices = {.first_counter = first, .first_help = first + 1};
          return 0;
        },
        .with_section = [](void* context, void (*use)(void*, std::span<const own::Word>),
                           void* of_use) -> std::uint32_t {
          use(of_use, of(context).section_.words());
          return 0;
        },
        .now = [](void* context) { return of(context).one_.head.now; },
        .tick = [](void*) { return std::uint64_t{0}; },
        .report = [](void* context, own::Trouble, std::uint32_t) { ++of(context).reports_; },
        .context = this,
    };
  }
  int reports() const { return reports_; }

 private:
  static Process& of(void* context) { return *static_cast<Process*>(context); }

  const Case& one_;
  SectionMemory section_;
  int reports_ = 0;
};

void check_objects(std::span<const std::byte> objects, std::uint32_t count) {
  constexpr std::u16string_view kComputer = u"PC";
  const std::size_t head = block_head_bytes(kComputer);
  Input block(head + objects.size());
  std::ranges::copy(objects, block.begin() + static_cast<std::ptrdiff_t>(head));
  write_block_head(block, {.perf_time = 1, .perf_frequency = 2, .time_100ns = 3}, kComputer, count);
  const testing::BlockDigest digest = testing::digest_by_views(block);
  require(digest == testing::digest_by_reference(block), "views and reference parser agree");
  require(digest.valid && digest.problems == 0, "what is delivered can be walked");
  require(digest.objects.size() == count, "there are as many objects as it says");
  for (const auto& object : digest.objects)
    require(object.problems == 0 && !object.counters.empty(), "an object is sound");
}

void check(const Case& one) {
  Process process(one);
  own::Extension extension(process.surroundings());
  require(extension.open() == 0, "Open succeeds");
  const auto room = std::make_unique<std::byte[]>(one.head.room);
  std::fill_n(room.get(), one.head.room, std::byte{0xA5});
  for (int call = 0; call < 2; ++call) {
    void* data = room.get();
    std::uint32_t bytes = one.head.room;
    std::uint32_t objects = 9;
    const std::uint32_t code = extension.collect(
        one.head.has_query != 0 ? one.query.c_str() : nullptr, &data, &bytes, &objects);
    require(code == 0 || code == kMoreData, "Collect returns what it may");
    require(bytes <= one.head.room && bytes % 8 == 0, "a reply fits");
    require(static_cast<std::byte*>(data) - room.get() == static_cast<std::ptrdiff_t>(bytes),
            "the pointer moves by the size");
    require((bytes == 0) == (objects == 0) && objects <= 2, "no data is no objects");
    if (code == kMoreData) {
      require(bytes == 0, "what doesn't fit is no data");
      require(std::all_of(room.get(), room.get() + one.head.room,
                          [](std::byte byte) { return byte == std::byte{0xA5}; }),
              "what doesn't fit leaves the room alone");
    }
    if (bytes != 0) check_objects(std::span(room.get(), bytes), objects);
  }
  require(process.reports() <= 1, "a cause is reported once");
  require(extension.close() == 0 && extension.close() == 0, "Close succeeds");
}

Input input_of(Head head, std::u16string_view query, std::span<const std::uint64_t> section) {
  head.first_counter = 4000;
  head.now = kNow;
  head.query_units = static_cast<std::uint32_t>(query.size());
  head.has_query = 1;
  const std::size_t query_bytes = query.size() * sizeof(char16_t);
  Input input(sizeof head + query_bytes + section.size_bytes());
  std::memcpy(input.data(), &head, sizeof head);
  if (query_bytes != 0) std::memcpy(input.data() + sizeof head, query.data(), query_bytes);
  std::memcpy(input.data() + sizeof head + query_bytes, section.data(), section.size_bytes());
  return input;
}

}  // namespace

std::vector<Input> seeds() {
  SectionBuilder builder(own::kExporterValues, own::kCountersetValues, 3);
  builder.put_state(6, kNow, 1);
  builder.put_state(7, kNow, 3);
  SectionBuilder older(9, 5, 1);
  older.put_state(4, kNow, 1);
  const std::uint32_t room = 8192;
  return {
      input_of({.room = room}, u"Global", builder.words()),
      input_of({.room = 1000}, u"Global", builder.words()),
      input_of({.room = room}, u"4000 4068", builder.words()),
      input_of({.room = room}, u"OLD_MetadataGlobal", builder.words()),
      input_of({.room = room}, u"Foreign PC 4000", builder.words()),
      input_of({.room = room}, u"Global", older.words()),
      input_of({.room = room}, u"99999999999 4000", older.words()),
  };
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  winperf::fuzz::check(winperf::fuzz::case_of(winperf::fuzz::copy_of(data, size)));
  return 0;
}
