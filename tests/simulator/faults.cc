#include "tests/simulator/faults.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tests/simulator/codes.h"
#include "tests/simulator/v1_provider.h"

namespace winperf::simulator {
namespace {

constexpr std::array<std::uint32_t, 8> kCodes{
    kAccessDenied,     kInvalidParameter,    kBusy,       kNoData, kGuidNotFound,
    kInstanceNotFound, kInvalidRegistration, kWaitTimeout};

void spoil_field(std::vector<std::byte>& reply, std::mt19937_64& random) {
  if (reply.size() < 4) return;
  const std::size_t at = random() % (reply.size() / 4) * 4;
  std::uint32_t old = 0;
  std::memcpy(&old, reply.data() + at, sizeof old);
  const std::array<std::uint32_t, 8> values{0,          1,          old + 1,    old - 1,
                                            0x7FFFFFFF, 0x80000000, 0xFFFFFFF8, 0xFFFFFFFF};
  const std::uint32_t value = values[random() % values.size()];
  std::memcpy(reply.data() + at, &value, sizeof value);
}

void spoil_bytes(std::vector<std::byte>& reply, std::mt19937_64& random) {
  for (std::size_t i = 0; i < 1 + reply.size() / 50 && !reply.empty(); ++i)
    reply[random() % reply.size()] = static_cast<std::byte>(random() & 0xFF);
}

}  // namespace

void Faults::fail(Point point, std::uint32_t code, std::size_t times) {
  const std::lock_guard lock(mutex_);
  codes_[point].insert(codes_[point].end(), times, code);
}

void Faults::spoil(Point point, Damage damage, std::uint64_t seed, std::size_t times) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < times; ++i) spoilings_[point].push_back({damage, seed + i});
}

void Faults::at_random(std::uint64_t seed, std::uint32_t one_in) {
  const std::lock_guard lock(mutex_);
  random_.seed(seed);
  one_in_ = one_in;
}

void Faults::tell(const Lie& lie) {
  const std::lock_guard lock(mutex_);
  lies_.push_back(lie);
}

void Faults::clear() {
  const std::lock_guard lock(mutex_);
  codes_.clear();
  spoilings_.clear();
  lies_.clear();
  one_in_ = 0;
}

bool Faults::strikes() { return one_in_ != 0 && random_() % one_in_ == 0; }

std::optional<std::uint32_t> Faults::code_for(Point point) {
  const std::lock_guard lock(mutex_);
  auto& script = codes_[point];
  if (!script.empty()) {
    const std::uint32_t code = script.front();
    script.pop_front();
    return code == kSuccess ? std::nullopt : std::optional(code);
  }
  if (!strikes()) return std::nullopt;
  return kCodes[random_() % kCodes.size()];
}

std::optional<Damage> Faults::damage(Point point, std::vector<std::byte>& reply) {
  const std::lock_guard lock(mutex_);
  auto& script = spoilings_[point];
  std::optional<Spoiling> spoiling;
  if (!script.empty()) {
    spoiling = script.front();
    script.pop_front();
  } else if (strikes()) {
    spoiling = Spoiling{static_cast<Damage>(random_() % 5), random_()};
  }
  if (!spoiling) return std::nullopt;
  std::mt19937_64 random(spoiling->seed);
  if (spoiling->damage == Damage::kCut) reply.resize(random() % (reply.size() + 1));
  if (spoiling->damage == Damage::kField) spoil_field(reply, random);
  if (spoiling->damage == Damage::kNoise) spoil_bytes(reply, random);
  return spoiling->damage;
}

std::optional<std::uint64_t> Faults::told(Lie::Path path, const Guid& counterset,
                                          std::uint32_t counter, const std::u16string& instance,
                                          std::uint64_t value) const {
  const std::lock_guard lock(mutex_);
  for (const Lie& lie : lies_) {
    if (lie.path != path || lie.counterset != counterset) continue;
    if (!lie.instance.empty() && !equal_ignoring_case(lie.instance, instance)) continue;
    if (lie.hides_instance) return std::nullopt;
    if (lie.counter_id == counter) value += static_cast<std::uint64_t>(lie.added);
  }
  return value;
}

}  // namespace winperf::simulator
