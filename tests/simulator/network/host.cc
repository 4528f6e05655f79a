#include "tests/simulator/network/host.h"

#include <chrono>
#include <thread>
#include <utility>

#include "tests/providers/faulty/harm.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/network/german.h"
#include "tests/simulator/network/lies.h"
#include "tests/simulator/server/movement.h"
#include "tests/simulator/server/server_machine.h"

namespace winperf::simulator {
namespace {

constexpr std::int64_t kTicksPerSecond = 10'000'000;
// How often machines are started anew.
constexpr std::int64_t kOften = 60 * kTicksPerSecond;
constexpr std::int64_t kSeldom = 400 * 86'400 * kTicksPerSecond;
constexpr std::chrono::milliseconds kSlowness{400};

// Title indices above all others, V2's after V1's.
constexpr std::uint32_t kOtherV1Titles = 20'000, kOtherV2Titles = 60'000;
constexpr std::uint32_t kOtherTitles = 1'000;  // by so many they differ among themselves

void renumber(ServerData& data, std::uint32_t offset) {
  for (ServerProvider& provider : data.providers) {
    if (provider.is_v2) continue;
    for (ServerObject& object : provider.objects) {
      object.number += offset;
      for (ServerCounter& counter : object.counters) counter.number += offset;
    }
  }
}

}  // namespace

Host::Host(std::string name, const std::shared_ptr<const ServerData>& usual, TimeOfDay time)
    : behaviour_(behaviour_of(name)),
      seed_(seed_of(name)),
      time_(std::move(time)),
      machine_([this] { return now(); }) {
  auto data = usual;
  if (behaviour_ == Behaviour::kGone || behaviour_ == Behaviour::kDenied) return;
  if (behaviour_ == Behaviour::kLies) machine_.spoiler = lies(seed_ % 1'000);
  if (behaviour_ == Behaviour::kGerman) {
    auto german = std::make_shared<ServerData>(*usual);
    translate_to_german(*german);
    data = std::move(german);
  }
  if (behaviour_ == Behaviour::kRenumbered) {
    const auto offset = 2 * static_cast<std::uint32_t>(seed_ % kOtherTitles);
    auto renumbered = std::make_shared<ServerData>(*usual);
    renumber(*renumbered, kOtherV1Titles + offset);
    machine_.number_titles_from(kOtherV2Titles + offset);
    data = std::move(renumbered);
  }
  if (behaviour_ == Behaviour::kOld) {
    auto old = std::make_shared<ServerData>(*usual);
    std::erase_if(old->providers, [](const ServerProvider& provider) { return provider.is_v2; });
    machine_.supports_metadata = false;
    data = std::move(old);
  }
  furnish_server(machine_, std::move(data));
}

Now Host::now() const {
  const std::int64_t time = time_();
  const std::int64_t period = behaviour_ == Behaviour::kReboots ? kOften : kSeldom;
  const auto phase = static_cast<std::int64_t>(seed_ % static_cast<std::uint64_t>(period));
  return {
      .perf_time = (time + phase) % period, .perf_frequency = kTicksPerSecond, .time_100ns = time};
}

std::uint32_t Host::meet(bool is_query) {
  const int query = is_query ? ++queries_ : 0;
  switch (behaviour_) {
    case Behaviour::kGone:
      return kBadNetworkPath;
    case Behaviour::kDenied:
      return kAccessDenied;
    case Behaviour::kSlow:
      std::this_thread::sleep_for(kSlowness);
      break;
    case Behaviour::kHangs:
      faulty::perform("hang");
      break;
    case Behaviour::kHangsLater:
      if (query > kAnswersBeforeHanging) faulty::perform("hang");
      break;
    case Behaviour::kCrashes:
      faulty::perform("av");
      break;
    default:
      break;
  }
  return kSuccess;
}

}  // namespace winperf::simulator
