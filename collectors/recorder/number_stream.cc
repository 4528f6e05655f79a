// A hot loop: collect() passes each value of each sample, most of which haven't changed.
#include "collectors/recorder/number_stream.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace winperf::recorder {
namespace {

constexpr unsigned kPredictionBits = 2;
constexpr unsigned kLowBits = 6;

// Calls `use` with a function from a cell to what is predicted of it. `at`: from a cell to its
// number.
template <class Use>
void with_prediction(Prediction prediction, const CellOrder& order, const std::uint64_t* numbers,
                     const Use& use) {
  const std::size_t known = order.known;
  const std::uint32_t* const before = order.before.data();
  const auto trend = [=](std::uint32_t cell) -> std::uint64_t {
    if (cell < known) return 0;
    const std::uint32_t earlier = before[cell - known];
    return earlier == kNoCell ? 0 : numbers[cell] - numbers[earlier];
  };
  switch (prediction) {
    case Prediction::kZero:
      return use([](std::size_t) { return std::uint64_t{0}; });
    case Prediction::kBefore:
      return use([=](std::size_t cell) {
        const std::uint32_t earlier = before[cell - known];
        return earlier == kNoCell ? 0 : numbers[earlier];
      });
    case Prediction::kTrend:
      return use([=](std::size_t cell) {
        const std::uint32_t earlier = before[cell - known];
        return earlier == kNoCell ? 0 : numbers[earlier] + trend(earlier);
      });
    case Prediction::kNeighbour:
      return use([=](std::size_t cell) { return cell == known ? 0 : numbers[cell - 1]; });
  }
}

std::uint64_t magnitude(std::uint64_t difference) {
  return difference >> 63U != 0 ? 0 - difference : difference;
}

// Exact, so the sign can be handled apart.
std::uint64_t divided(std::uint64_t difference, std::uint64_t divisor) {
  return difference >> 63U != 0 ? 0 - (magnitude(difference) / divisor) : difference / divisor;
}

std::uint64_t bits_of(unsigned width, unsigned low) {
  const unsigned counted = width > low ? width - low : 0;
  return counted + 1 + rest_of(counted, low);
}

unsigned width_of(std::uint64_t value) { return static_cast<unsigned>(std::bit_width(value)); }

}  // namespace

void NumberWriter::collect(std::span<const std::uint64_t> numbers, const CellOrder& order,
                           Plan& plan) {
  plan.differences.clear();
  std::size_t next = order.known;
  with_prediction(plan.prediction, order, numbers.data(), [&](const auto& predicted) {
    for (std::size_t cell = order.known; cell < numbers.size(); ++cell) {
      const std::uint64_t difference = numbers[cell] - predicted(cell);
      if (difference == 0) continue;
      plan.differences.push_back({.run = cell - next, .value = difference});
      next = cell + 1;
    }
  });
  plan.rest = numbers.size() - next;
}

void NumberWriter::divide(Plan& plan) {
  std::uint64_t divisor = 0;
  for (const Difference& difference : plan.differences) {
    const std::uint64_t value = magnitude(difference.value);
    if (divisor == 0 || value % divisor != 0) divisor = std::gcd(divisor, value);
    if (divisor == 1) break;
  }
  plan.divisor = divisor;
  for (Difference& difference : plan.differences)
    difference.value = zigzag(divisor == 1 ? difference.value : divided(difference.value, divisor));
}

// Widths lie close together, so the best number of low bits is near their mean.
void NumberWriter::choose_low(Plan& plan) {
  constexpr unsigned kBelow = 4;
  constexpr unsigned kAbove = 1;
  std::array<std::uint32_t, kWordBits + 1> of_width{};
  std::uint64_t sum = 0;
  std::uint64_t runs = 0;
  unsigned narrowest = kWordBits;
  unsigned widest = 0;
  for (const Difference& difference : plan.differences) {
    const unsigned width = width_of(difference.value);
    ++of_width[width];
    sum += width;
    narrowest = std::min(narrowest, width);
    widest = std::max(widest, width);
    runs += bits_of(width_of(difference.run), 0);
  }
  const auto mean = static_cast<unsigned>(sum / plan.differences.size());
  plan.bits = ~std::uint64_t{0};
  for (unsigned low = mean - std::min(mean, kBelow); low <= std::min(mean + kAbove, kWordBits - 1);
       ++low) {
    std::uint64_t bits = runs;
    for (unsigned width = narrowest; width <= widest; ++width)
      bits += of_width[width] * bits_of(width, low);
    if (bits >= plan.bits) continue;
    plan.bits = bits;
    plan.low = low;
  }
}

void NumberWriter::emit(const Plan& plan, BitWriter& out) {
  const bool stays = plan.differences.empty() && plan.prediction == Prediction::kBefore;
  out.flag(!stays);
  if (stays) return;
  out.bits(static_cast<std::uint64_t>(plan.prediction), kPredictionBits);
  out.bits(plan.low, kLowBits);
  out.number(plan.divisor, 0);
  for (const Difference& difference : plan.differences) {
    out.number(difference.run, 0);
    out.number(difference.value, plan.low);
  }
  if (plan.rest != 0) out.number(plan.rest, 0);
}

void NumberWriter::write(std::span<const std::uint64_t> numbers, const CellOrder& order,
                         std::span<const Prediction> predictions, BitWriter& out) {
  bool is_first = true;
  for (const Prediction prediction : predictions) {
    Plan& plan = is_first ? best_ : other_;
    plan.prediction = prediction;
    collect(numbers, order, plan);
    plan.bits = 0;
    plan.low = 0;
    plan.divisor = 1;
    if (plan.differences.empty()) return emit(plan, out);
    divide(plan);
    choose_low(plan);
    if (!is_first && other_.bits < best_.bits) std::swap(best_, other_);
    is_first = false;
  }
  emit(best_, out);
}

bool read_numbers(BitReader& in, const CellOrder& order, std::span<std::uint64_t> numbers) {
  const bool any = in.flag();
  const auto prediction =
      any ? static_cast<Prediction>(in.bits(kPredictionBits)) : Prediction::kBefore;
  const unsigned low = any ? static_cast<unsigned>(in.bits(kLowBits)) : 0;
  const std::uint64_t divisor = any ? in.number(0) : 0;
  with_prediction(prediction, order, numbers.data(), [&](const auto& predicted) {
    for (std::size_t cell = order.known; cell < numbers.size() && !in.failed(); ++cell) {
      const std::uint64_t left = numbers.size() - cell;
      const std::uint64_t run = any ? in.number(0) : left;
      if (run > left) return in.fail();
      for (const std::size_t end = cell + static_cast<std::size_t>(run); cell < end; ++cell)
        numbers[cell] = predicted(cell);
      if (cell == numbers.size()) return;
      numbers[cell] = predicted(cell) + from_zigzag(in.number(low)) * divisor;
    }
  });
  return !in.failed();
}

}  // namespace winperf::recorder
