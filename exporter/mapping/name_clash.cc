#include "exporter/mapping/name_clash.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace winperf {
namespace {

// If hashes clash, hashing once more resolves it; the bound only keeps the loop finite.
constexpr int kMaxAttempts = 16;

// What a family is called in OpenMetrics, where a counter "x_total" and a gauge "x" can't both be.
std::string_view family_name(std::string_view name, MetricType type) {
  constexpr std::string_view kCounterEnd = "_total";
  if (type == MetricType::kCounter && name.ends_with(kCounterEnd))
    name.remove_suffix(kCounterEnd.size());
  return name;
}

std::string hashed_name(const FamilyMapping& family, int attempt) {
  const std::string text = family.key + std::string(static_cast<std::size_t>(attempt), '\\');
  return family.stem + '_' + short_hash(text) + family.suffix;
}

}  // namespace

std::string short_hash(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 16777619U;
  }
  constexpr std::array kDigits{'0', '1', '2', '3', '4', '5', '6', '7',
                               '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
  std::string digits;
  for (int shift = 28; shift >= 0; shift -= 4) digits += kDigits.at((hash >> shift) & 15U);
  return digits;
}

std::vector<std::string> resolve_name_clashes(std::span<const FamilyMapping* const> families) {
  std::vector<std::string> names(families.size());
  std::vector<std::size_t> order(families.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i < families.size(); ++i) {
    names[i] = families[i]->stem + families[i]->suffix;
  }
  const auto claimed = [&](std::size_t i) {
    if (families[i]->block != nullptr) return names[i];
    return std::string(family_name(names[i], families[i]->type));
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto order_of = [&](std::size_t i) {
      return std::tuple(claimed(i), !families[i]->well_known, std::string_view(families[i]->key));
    };
    return order_of(a) < order_of(b);
  });

  // Those that keep their names come first: a hashed name must not take one of these.
  std::unordered_map<std::string, std::string_view> owner;  // family name -> key
  for (const std::size_t i : order) owner.try_emplace(claimed(i), families[i]->key);
  // A counter's base is renamed with it, or it would pass for the other counter's base.
  std::set<std::pair<std::string_view, std::string_view>> renamed;  // key and stem
  for (const std::size_t i : order)
    if (owner.at(claimed(i)) != families[i]->key)
      renamed.emplace(families[i]->key, families[i]->stem);
  for (const std::size_t i : order) {
    const FamilyMapping& family = *families[i];
    if (!renamed.contains({family.key, family.stem})) continue;
    for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
      names[i] = hashed_name(family, attempt);
      if (owner.try_emplace(claimed(i), family.key).first->second == family.key) break;
    }
  }
  return names;
}

}  // namespace winperf
