// A provider's Collect writes what it likes into its room, moves the pointer anywhere, and reports
// any size and number. Whatever it does within its room: what is believed of it lies in the room
// and can be walked, and what an honest one delivers arrives. (A write outside ends the process.)
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "collectors/provider/provider_source.h"
#include "collectors/wire/block_view.h"
#include "tests/collectors/provider/fake_machine.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

constexpr std::uint32_t kMoreData = 234;
constexpr std::size_t kObjectBytes = 64;  // an object's header
constexpr std::size_t kMostRoom = 1U << 16;

// What Collect does; behind it is what it writes. Sizes are told as the difference to the truth, so
// that a change of the bytes alone leaves the rest of the reply as it has to be.
struct Script {
  std::uint32_t code = 0;
  std::uint32_t more_bytes = 0;  // than were written are reported
  std::int32_t moved_on = 0;     // further than by what is reported
  std::uint32_t count = 0;
  std::uint32_t room = 0;
};

struct Case {
  Script script;
  Input written;
};

Case case_of(const Input& input) {
  Case one;
  const std::size_t head = std::min(input.size(), sizeof one.script);
  if (head != 0) std::memcpy(&one.script, input.data(), head);
  one.written.assign(input.begin() + static_cast<std::ptrdiff_t>(head), input.end());
  one.script.room %= kMostRoom;
  return one;
}

// The room as Collect found it, and what it reported.
struct Seen {
  std::span<const std::byte> room;
  std::uint64_t moved = 0;
  std::uint32_t bytes = 0;
};

class Provider final : public ProviderLibrary {
 public:
  Provider(const Case& one, Seen& seen) : one_(one), seen_(seen) {}

  std::uint32_t open(const char16_t*) override { return 0; }
  std::uint32_t collect(const char16_t*, void*& data, std::uint32_t& bytes,
                        std::uint32_t& objects) override {
    const std::span room(static_cast<std::byte*>(data), bytes);
    require(std::ranges::all_of(room, [](std::byte byte) { return byte == std::byte{}; }),
            "the room is empty before each call");
    const std::size_t written = std::min(one_.written.size(), room.size());
    std::ranges::copy(std::span(one_.written).first(written), room.begin());
    bytes = static_cast<std::uint32_t>(written) + one_.script.more_bytes;
    objects = one_.script.count;
    // Not as a pointer, which may not point just anywhere.
    const auto moved =
        std::uint64_t{bytes} + static_cast<std::uint64_t>(std::int64_t{one_.script.moved_on});
    data = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(data) +
                                   static_cast<std::uintptr_t>(moved));
    seen_ = {.room = room, .moved = moved, .bytes = bytes};
    return one_.script.code;
  }
  std::uint32_t close() override { return 0; }

 private:
  const Case& one_;
  Seen& seen_;
};

class Machine final : public ProviderMachine {
 public:
  Machine(const Case& one, Seen& seen) : one_(one), seen_(seen) {}

  std::vector<ProviderRegistration> registrations() override { return {{.service = "Fuzz"}}; }
  std::expected<std::unique_ptr<ProviderLibrary>, Error> load(
      const ProviderRegistration&) override {
    return std::make_unique<Provider>(one_, seen_);
  }
  LibraryHead library_head(const ProviderRegistration&) override { return {}; }
  LibraryOrigin library_origin(const LibraryHead&) override { return {}; }
  std::optional<PerfHost> perf_host() override { return std::nullopt; }
  BlockMoment now() override { return {}; }
  std::u16string computer_name() override { return u"PC"; }

 private:
  const Case& one_;
  Seen& seen_;
};

// How many objects fill the bytes exactly, found in another way than the product does it.
std::optional<std::uint32_t> objects_in(std::span<const std::byte> bytes) {
  std::uint32_t count = 0;
  for (std::size_t at = 0; at < bytes.size(); ++count) {
    std::uint32_t length = 0;
    if (bytes.size() - at < sizeof length) return std::nullopt;
    std::memcpy(&length, bytes.data() + at, sizeof length);
    if (length < kObjectBytes || length > bytes.size() - at) return std::nullopt;
    at += length;
  }
  return count;
}

bool is_honest(const Case& one, const Seen& seen) {
  if (one.script.code != 0) return false;
  if (seen.bytes == 0 && one.script.count == 0) return true;
  return seen.bytes <= seen.room.size() && seen.bytes % 4 == 0 && seen.moved == seen.bytes &&
         objects_in(seen.room.first(seen.bytes)) == one.script.count;
}

void check_error(const Case& one, const Error& error) {
  const ErrorCode code = error.code;
  require(std::string_view(error.where).starts_with("provider.collect"), "an error has its place");
  if (one.script.code == 0) {
    require(code == ErrorCode::kBadLength || code == ErrorCode::kBadCount,
            "a reply that is refused is wrong");
  } else if (one.script.code == kMoreData) {
    require(code == ErrorCode::kBufferLimit, "what doesn't fit is no fault");
  } else {
    require(code == ErrorCode::kOsError && error.os_code == one.script.code,
            "a failure has its code");
  }
}

void check_collect(const Case& one) {
  Seen seen;
  Machine machine(one, seen);
  HostedProvider provider(machine, {.service = "Fuzz"});
  for (int call = 0; call < 2; ++call) {
    const auto reply = provider.collect("2", one.script.room);
    require(seen.room.size() <= one.script.room, "the room is no larger than it may be");
    require(reply.has_value() == is_honest(one, seen), "what is honest arrives, and nothing else");
    if (!reply) {
      check_error(one, reply.error());
      continue;
    }
    require(reply->bytes.size() == seen.bytes && reply->count == one.script.count,
            "a reply is as large as it says");
    require(reply->bytes.empty() || reply->bytes.data() == seen.room.data(),
            "a reply lies in the room");
  }
}

// The same as a block that a worker gives to its parent.
void check_block(const Case& one) {
  Seen seen;
  ProviderSource source(std::make_unique<Machine>(one, seen), "Fuzz", {}, system_clocks());
  Input shared(one.script.room);
  const auto size = source.query_in(std::span(shared), "2", {});
  if (!size) return;
  require(is_honest(one, seen), "a block is of an honest reply");
  const auto block = BlockView::parse(std::span(shared).first(*size));
  require(block && block->object_count() == one.script.count, "a block can be read");
  ObjectWalk walk = block->objects();
  while (const auto object = walk.next()) {
    if (!*object) break;  // what an object contains is its own affair
  }
}

// An object of nothing but its length.
Input object_of(std::uint32_t length) {
  Input object(length);
  std::memcpy(object.data(), &length, sizeof length);
  return object;
}

Input input_of(const Script& script, std::span<const std::byte> written) {
  Input input(sizeof script + written.size());
  std::memcpy(input.data(), &script, sizeof script);
  std::ranges::copy(written, input.begin() + sizeof script);
  return input;
}

}  // namespace

std::vector<Input> seeds() {
  const Input one = testing::one_object(2000);
  Input two = one;
  two.insert(two.end(), one.begin(), one.end());
  const std::uint32_t room = 4096;
  const auto exact = static_cast<std::uint32_t>(one.size());
  return {
      input_of({.room = room}, {}),
      input_of({.count = 1, .room = room}, one),
      input_of({.count = 1, .room = exact}, one),
      input_of({.count = 2, .room = room}, two),
      input_of({.count = 1, .room = exact - 8}, one),
      input_of({.more_bytes = 8, .count = 1, .room = room}, one),
      input_of({.moved_on = 8, .count = 1, .room = room}, one),
      input_of({.moved_on = -8, .count = 1, .room = room}, one),
      input_of({.count = 1, .room = room}, object_of(kObjectBytes)),
      input_of({.count = 1, .room = room}, object_of(kObjectBytes - 4)),
      input_of({.count = 1, .room = room}, object_of(kObjectBytes + 2)),
      input_of({.code = kMoreData, .room = room}, {}),
      input_of({.code = 1450, .room = room}, two),
  };
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  const fuzz::Case one = fuzz::case_of(fuzz::copy_of(data, size));
  fuzz::check_collect(one);
  fuzz::check_block(one);
  return 0;
}
