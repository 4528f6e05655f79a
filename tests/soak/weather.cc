#include "tests/soak/weather.h"

#include <algorithm>
#include <string_view>

#include "tests/providers/faulty/harm.h"

namespace winperf::soak {
namespace {

// With a sanitizer, what the processor finds wrong ends a process with a report instead of a
// signal; so it is left to scripts/faults.
constexpr std::string_view kHarm[] = {"exit",          "terminate", "abort",
                                      "close_handles", "handles",   "threads"};

std::uint32_t index_of(std::string_view word) {
  const auto words = faulty::words();
  return static_cast<std::uint32_t>(std::ranges::find(words, word) - words.begin());
}

}  // namespace

Weather::Weather(Board& board, Timeline& timeline, std::uint64_t seed)
    : board_(board), timeline_(timeline), random_(seed) {}

Timeline::Time Weather::in(Hours hours) const {
  return timeline_.now() + std::chrono::duration_cast<Timeline::Time::duration>(hours);
}

bool Weather::comes(const std::string& kind, Hours apart) {
  const auto wait = [&] {
    return in(Hours(std::exponential_distribution<>(1 / apart.count())(random_)));
  };
  const auto [due, is_new] = due_.try_emplace(kind, Timeline::Time{});
  if (is_new) due->second = wait();
  if (timeline_.now() < due->second) return false;
  due->second = wait();
  return true;
}

void Weather::trouble_provider() {
  constexpr std::size_t kOthers = 3;
  const std::size_t choice = random_() % (std::size(kHarm) + kOthers);
  provider_until_ = in(Hours(0.25) * part());
  if (choice < std::size(kHarm)) {
    board_.harm = index_of(kHarm[choice]);
    board_.provider = Trouble::kHarm;
    ++counts_["provider: " + std::string(kHarm[choice])];
    return;
  }
  constexpr Trouble kTroubles[kOthers] = {Trouble::kHang, Trouble::kSlow, Trouble::kGarbage};
  constexpr const char* kNames[kOthers] = {"hang", "slow", "garbage"};
  board_.provider = kTroubles[choice - std::size(kHarm)];
  ++counts_[std::string("provider: ") + kNames[choice - std::size(kHarm)]];
}

void Weather::trouble_perflib() {
  constexpr Trouble kTroubles[] = {Trouble::kHang, Trouble::kRefuse, Trouble::kHarm};
  constexpr const char* kNames[] = {"hang", "error", "terminate"};
  const std::size_t choice = random_() % std::size(kTroubles);
  // One kind of harm at a time.
  if (kTroubles[choice] == Trouble::kHarm && board_.provider == Trouble::kHarm) return;
  perflib_until_ = in(Hours(0.2) * part());
  if (kTroubles[choice] == Trouble::kHarm) board_.harm = index_of("terminate");
  board_.perflib = kTroubles[choice];
  ++counts_[std::string("PerfLib: ") + kNames[choice]];
}

void Weather::set_wall() {
  // Put right the next time.
  const std::chrono::seconds right = -wall_is_off_;
  const auto any = static_cast<std::int64_t>((part() - 0.5) * 4 * 86'400);
  const std::chrono::seconds by = wall_is_off_.count() != 0 ? right : std::chrono::seconds(any);
  wall_is_off_ += by;
  timeline_.set_wall(by);
  ++counts_[by.count() < 0 ? "clock set back" : "clock set forward"];
}

void Weather::clear() {
  board_.provider = Trouble::kNone;
  board_.perflib = Trouble::kNone;
}

Errands Weather::pass() {
  const auto now = timeline_.now();
  if (now >= provider_until_) board_.provider = Trouble::kNone;
  if (now >= perflib_until_) board_.perflib = Trouble::kNone;
  const bool is_quiet = board_.perflib != Trouble::kHarm;
  if (comes("provider", Hours(1)) && is_quiet && board_.provider == Trouble::kNone)
    trouble_provider();
  if (comes("perflib", Hours(3)) && board_.perflib == Trouble::kNone) trouble_perflib();
  if (comes("wall", Hours(12))) set_wall();
  if (comes("guest", Hours(2))) {
    ++board_.installations;
    ++counts_["name table changed"];
  }
  Errands errands;
  const auto note = [&](bool& errand, const std::string& kind, Hours apart) {
    errand = comes(kind, apart);
    if (errand) ++counts_[kind];
  };
  note(errands.restart, "service restarted", Hours(6));
  note(errands.sleep, "slept for 8 hours", Hours(120));
  note(errands.reload, "reload", Hours(2));
  note(errands.reload_sources, "reload with new sources", Hours(48));
  note(errands.reload_invalid, "reload, invalid", Hours(4));
  note(errands.reload_flood, "50 invalid reloads at once", Hours(24));
  if (errands.restart) board_.restarted_at_100ns = board_.elapsed_100ns.load();
  return errands;
}

}  // namespace winperf::soak
