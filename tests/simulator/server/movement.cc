#include "tests/simulator/server/movement.h"

#include <cmath>
#include <numbers>

namespace winperf::simulator {
namespace {

struct Wave {
  double period_seconds;
  double height;
};

// The heights add up to 1, so that the sum of all stays between -1 and 1. No period is a multiple
// of another one or of a usual sampling interval.
constexpr std::array kWave{Wave{86'400, 0.35}, Wave{2'917, 0.30}, Wave{311, 0.25}, Wave{41, 0.10}};
constexpr double kPeakOfDay = 14.0 * 3600;  // 14:00 UTC

constexpr double kTurn = 2 * std::numbers::pi;

double frequency(const Wave& wave) { return kTurn / wave.period_seconds; }

// 0 to a whole turn; the steps of splitmix64.
double phase_of(std::uint64_t seed) {
  seed += 0x9E37'79B9'7F4A'7C15;
  seed = (seed ^ (seed >> 30)) * 0xBF58'476D'1CE4'E5B9;
  seed = (seed ^ (seed >> 27)) * 0x94D0'49BB'1331'11EB;
  seed ^= seed >> 31;
  return static_cast<double>(seed >> 11) * 0x1p-53 * kTurn;
}

}  // namespace

// FNV-1a.
std::uint64_t seed_of(std::string_view name) {
  std::uint64_t seed = 0xCBF2'9CE4'8422'2325;
  for (const char letter : name)
    seed = (seed ^ static_cast<unsigned char>(letter)) * 0x0000'0100'0000'01B3;
  return seed;
}

Waves::Waves(const WaveSeeds& seeds, double time_of_day)
    : phases_{kTurn * ((time_of_day - kPeakOfDay) / kWave[0].period_seconds + 0.25),
              phase_of(seeds.instance), phase_of(seeds.instance ^ (seeds.object << 1)),
              phase_of(seeds.counter ^ (seeds.instance << 1) ^ (seeds.object << 2))} {}

double Waves::level(double low, double high, double seconds) const {
  double height = 0;
  for (std::size_t i = 0; i < kWaves; ++i)
    height += kWave[i].height * std::sin(frequency(kWave[i]) * seconds + phases_[i]);
  return low + (high - low) * (1 + height) / 2;
}

double Waves::integral(double seconds) const {
  double sum = 0;
  for (std::size_t i = 0; i < kWaves; ++i)
    sum -= kWave[i].height / frequency(kWave[i]) *
           std::cos(frequency(kWave[i]) * seconds + phases_[i]);
  return sum;
}

double Waves::total(double rate, double swing, double from, double to) const {
  return rate * (to - from + swing * (integral(to) - integral(from)));
}

}  // namespace winperf::simulator
