#include "collectors/catalog/table_shelf.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace winperf {
namespace {

bool is_same(const NameTable& a, const NameTable& b) {
  return std::ranges::equal(a.entries(), b.entries(), [](const auto& x, const auto& y) {
    return x.index == y.index && x.text == y.text;
  });
}

// Equal for equal tables.
std::size_t number_of(const NameTable& table) {
  constexpr std::size_t kFactor = 31;
  std::size_t number = 0;
  for (const NameTable::Entry& entry : table.entries())
    number = number * kFactor + std::hash<std::string>{}(entry.text) + entry.index;
  return number;
}

}  // namespace

std::shared_ptr<const NameTable> TableShelf::share(NameTable table) {
  const std::size_t number = number_of(table);
  const std::lock_guard lock(mutex_);
  // Few have the same number, and those that nobody has any more go.
  for (auto [place, end] = tables_.equal_range(number); place != end;) {
    auto known = place->second.lock();
    if (known != nullptr && is_same(*known, table)) return known;
    place = known == nullptr ? tables_.erase(place) : std::next(place);
  }
  std::erase_if(tables_, [](const auto& entry) { return entry.second.expired(); });
  auto shared = std::make_shared<const NameTable>(std::move(table));
  tables_.emplace(number, shared);
  return shared;
}

std::size_t TableShelf::size() const {
  const std::lock_guard lock(mutex_);
  return tables_.size();
}

TableShelf& table_shelf() {
  static TableShelf shelf;
  return shelf;
}

}  // namespace winperf
