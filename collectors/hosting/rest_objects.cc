#include "collectors/hosting/rest_objects.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "collectors/wire/block_view.h"
#include "collectors/wire/name_table.h"

namespace winperf {
namespace {

// Its titles include those of its counters, even if a list has its objects.
bool has_registered(const ProviderRegistration& provider, ObjectIndex index) {
  return supplies(provider, index) || (provider.titles && provider.titles->has(index));
}

// In as few value names as possible.
std::vector<std::string> lists_of(const std::set<ObjectIndex>& objects) {
  std::vector<std::string> lists;
  for (const ObjectIndex object : objects) {
    const std::string index = std::to_string(value_of(object));
    if (lists.empty() || lists.back().size() + 1 + index.size() > RestObjects::kMaxListChars)
      lists.push_back(index);
    else
      lists.back() += ' ' + index;
  }
  return lists;
}

}  // namespace

RestObjects::RestObjects(std::vector<ProviderRegistration> elsewhere,
                         std::vector<ProviderRegistration> hostless, bool v1_only)
    : elsewhere_(std::move(elsewhere)),
      hostless_(std::move(hostless)),
      v1_only_(v1_only),
      needs_names_(!v1_only || std::ranges::any_of(hostless_, [](const auto& provider) {
        return provider.objects.empty();
      })) {
  for (const ProviderRegistration& provider : hostless_)
    known_.insert(provider.objects.begin(), provider.objects.end());
}

bool RestObjects::is_possible(ObjectIndex index) const {
  const auto has = [index](const ProviderRegistration& provider) {
    return has_registered(provider, index);
  };
  const bool is_name = value_of(index) % 2 == 0;  // odd ones are help texts
  return is_name && std::ranges::none_of(elsewhere_, has) &&
         (!v1_only_ || std::ranges::any_of(hostless_, has));
}

std::expected<void, Error> RestObjects::take_names(
    std::span<const std::expected<Bytes, Error>> tables) {
  for (const auto& table : tables) {
    if (!table) continue;
    needs_names_ = false;
    const NameTable names = NameTable::parse(*table);
    for (const NameTable::Entry& entry : names.entries())
      if (is_possible(ObjectIndex{entry.index})) possible_.insert(ObjectIndex{entry.index});
  }
  if (needs_names_ && !tables.empty()) return std::unexpected(tables.front().error());
  std::set<ObjectIndex> unknown;
  std::ranges::set_difference(possible_, known_, std::inserter(unknown, unknown.end()));
  untried_ = lists_of(unknown);
  return {};
}

RestObjects::Lists RestObjects::lists() const {
  return {.untried = untried_, .known = lists_of(known_)};
}

void RestObjects::learn(std::string_view value_name, const Reply& reply) {
  for (const auto& object : reply.blocks.objects())
    if (possible_.contains(object.index)) known_.insert(object.index);
  // A reply with unreadable parts is requested again.
  if (reply.blocks.is_sound()) std::erase(untried_, value_name);
}

}  // namespace winperf
