// Until a list differs from the one before, nothing is kept of it: an instance costs the comparison
// of its bytes.
#include "collectors/sampling/known_instances.h"

#include <algorithm>
#include <utility>

namespace winperf {
namespace {

// How many instances may have vanished before the next one that is found by its place.
constexpr std::size_t kFarthest = 8;

}  // namespace

void KnownInstances::List::clear() {
  bytes.clear();
  ends.clear();
  identities.clear();
}

void KnownInstances::List::add(std::span<const std::byte> definition, const RawIdentity* identity) {
  bytes.insert(bytes.end(), definition.begin(), definition.end());
  ends.push_back(bytes.size());
  if (identity != nullptr) identities.push_back(*identity);
}

void KnownInstances::begin(bool has_identity) {
  if (has_identity != has_identity_) forget();
  has_identity_ = has_identity;
  at_ = 0;
  count_ = 0;
  is_same_ = true;
}

std::uint32_t KnownInstances::find(std::span<const std::byte> definition,
                                   const RawIdentity* identity) const {
  const std::size_t end = std::min(known_.size(), at_ + kFarthest);
  for (std::size_t place = at_; place < end; ++place)
    if (is_at(place, definition, identity)) return static_cast<std::uint32_t>(place);
  return kNewInstance;
}

// From here on the list is another one.
void KnownInstances::diverge() {
  is_same_ = false;
  next_.clear();
  for (std::size_t place = 0; place < count_; ++place)
    next_.add(known_.definition(place), has_identity_ ? &known_.identities[place] : nullptr);
}

std::uint32_t KnownInstances::add_other(std::span<const std::byte> definition,
                                        const RawIdentity* identity) {
  if (is_same_) diverge();
  const std::uint32_t place = find(definition, identity);
  if (place != kNewInstance) at_ = std::size_t{place} + 1;
  next_.add(definition, identity);
  ++count_;
  return place;
}

bool KnownInstances::end() {
  const bool was_forgotten = std::exchange(is_forgotten_, false);
  if (is_same_ && !was_forgotten && count_ == known_.size()) {
    next_ = {};  // most lists stay the same for long
    return true;
  }
  if (is_same_) diverge();
  std::swap(known_, next_);
  return false;
}

void KnownInstances::forget() {
  known_.clear();
  is_forgotten_ = true;
}

}  // namespace winperf
