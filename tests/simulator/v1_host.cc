#include "tests/simulator/v1_host.h"

#include <algorithm>
#include <cstring>

#include "tests/simulator/codes.h"

namespace winperf::simulator {
namespace {

// Event numbers of Windows' Perflib.
constexpr std::uint32_t kWrotePastBuffer = 1001;
constexpr std::uint32_t kNoOpenFunction = 1005;
constexpr std::uint32_t kNoCollectFunction = 1006;
constexpr std::uint32_t kNoCloseFunction = 1007;
constexpr std::uint32_t kOpenFailed = 1008;
constexpr std::uint32_t kLengthsDisagree = 1013;
constexpr std::uint32_t kBadReturnCode = 1014;
constexpr std::uint32_t kTimedOut = 1015;
constexpr std::uint32_t kMisaligned = 1016;
constexpr std::uint32_t kDisabled = 1017;
constexpr std::uint32_t kCollectNotRegistered = 3003;

constexpr std::size_t kUnit = 4;        // of a reply's length
constexpr std::size_t kModernUnit = 8;  // in newer documents
constexpr std::size_t kGuardBytes = 64;
constexpr std::byte kGuard{0xA5};

bool is_list(std::u16string_view query) {
  return !query.empty() && query.front() >= u'0' && query.front() <= u'9';
}

bool is_metadata(std::u16string_view query) {
  return equal_ignoring_case(query.substr(0, 8), u"Metadata");
}

// Number of objects if the lengths of the objects lead exactly to the end.
std::size_t count_objects(std::span<const std::byte> bytes) {
  std::size_t count = 0;
  while (bytes.size() >= 64) {
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    if (length < 64 || length > bytes.size()) return 0;
    bytes = bytes.subspan(length);
    ++count;
  }
  return bytes.empty() ? count : 0;
}

// The strings of a REG_MULTI_SZ as the registry has them.
std::u16string multi_sz(const std::vector<std::u16string>& strings) {
  std::u16string text;
  for (const std::u16string& string : strings) text += string + u'\0';
  text += u'\0';
  return strings.empty() ? text + u'\0' : text;
}

}  // namespace

bool V1Host::finds_functions(V1Provider& provider) {
  const PerformanceKey& key = provider.key;
  const std::pair<const std::string&, std::uint32_t> functions[] = {
      {key.open, kNoOpenFunction},
      {key.collect, kNoCollectFunction},
      {key.close, kNoCloseFunction}};
  for (const auto& [name, event] : functions) {
    if (name.empty() || provider.exports.contains(name)) continue;
    disable(provider, event);
    return false;
  }
  if (key.collect.empty()) report(provider, kCollectNotRegistered);
  return !key.collect.empty();
}

bool V1Host::opens(V1Provider& provider) {
  if (provider.key.open.empty()) return true;
  const auto& devices = provider.key.devices;
  const std::u16string names = devices ? multi_sz(*devices) : u"";
  if (provider.open(devices ? names.c_str() : nullptr) == kSuccess) return true;
  report(provider, kOpenFailed);
  return false;
}

bool V1Host::open(V1Provider& provider) {
  const auto [entry, is_new] = states_.try_emplace(&provider, State::kFailed);
  if (is_new && finds_functions(provider) && opens(provider)) entry->second = State::kOpen;
  return entry->second == State::kOpen;
}

void V1Host::close() {
  for (const auto& [provider, state] : states_)
    if (state == State::kOpen && !provider->key.close.empty()) provider->close();
  states_.clear();
}

// A provider with an object list is called for its objects alone, one without for every query.
bool V1Host::is_concerned(const V1Provider& provider, std::u16string_view query) const {
  const PerformanceKey& key = provider.key;
  if (machine_.v1_disabled || key.disabled || key.library_is_missing) return false;
  if (!provider.is_registered()) return false;
  if (provider.key.object_list.empty() || !is_list(query)) return true;
  return std::ranges::any_of(words_of(query), [&](std::u16string_view word) {
    return std::ranges::any_of(provider.key.object_list, [&](std::uint32_t index) {
      const std::string digits = std::to_string(index);
      return word == std::u16string(digits.begin(), digits.end());
    });
  });
}

V1Host::Collected V1Host::collect(const std::u16string& query, std::size_t room) {
  Collected collected;
  for (const auto& provider : machine_.v1()) {
    if (!is_concerned(*provider, query) || !open(*provider)) continue;
    const bool full = is_metadata(query) && !provider->key.supports_metadata;
    const std::uint32_t status = collect_one(*provider, full ? query.substr(8) : query,
                                             room - collected.objects.size(), collected);
    if (status == kMoreData) {
      collected.status = kMoreData;
      return collected;
    }
  }
  return collected;
}

std::uint32_t V1Host::collect_one(V1Provider& provider, const std::u16string& query,
                                  std::size_t room, Collected& collected) {
  testing::ByteVector buffer(room + kGuardBytes, kGuard);
  std::byte* data = buffer.data();
  auto bytes = static_cast<std::uint32_t>(room);
  std::uint32_t objects = 0;
  const std::uint32_t status = provider.collect(query, data, bytes, objects);

  const auto moved = static_cast<std::size_t>(data - buffer.data());
  const auto guard = std::span(buffer).subspan(room);
  const bool wrote_past =
      moved > room || std::ranges::any_of(guard, [](std::byte byte) { return byte != kGuard; });
  if (wrote_past) {
    disable(provider, kWrotePastBuffer);
    return kSuccess;
  }
  if (status == kMoreData) return kMoreData;
  if (status != kSuccess) {
    report(provider, status == kWaitTimeout ? kTimedOut : kBadReturnCode);
    return kSuccess;
  }
  if (bytes == 0 && objects == 0) return kSuccess;
  const auto written = std::span(buffer).first(std::min<std::size_t>(bytes, room));
  if (bytes % kUnit != 0 || bytes != moved || count_objects(written) != objects) {
    report(provider, kLengthsDisagree);
    return kSuccess;
  }
  if (bytes % kModernUnit != 0) report(provider, kMisaligned);
  collected.objects.insert(collected.objects.end(), written.begin(), written.end());
  collected.count += objects;
  return kSuccess;
}

void V1Host::report(const V1Provider& provider, std::uint32_t event) {
  events_.push_back({provider.key.service, event});
}

void V1Host::disable(V1Provider& provider, std::uint32_t event) {
  report(provider, event);
  report(provider, kDisabled);
  provider.key.disabled = true;
}

}  // namespace winperf::simulator
