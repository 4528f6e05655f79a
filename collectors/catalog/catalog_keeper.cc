#include "collectors/catalog/catalog_keeper.h"

#include <utility>

namespace winperf {
namespace {
constexpr std::chrono::minutes kUnknownReloadInterval{1};
constexpr std::chrono::seconds kUnreadableReloadInterval{5};
}  // namespace

CatalogKeeper::CatalogKeeper(CounterSource& source, Language language, Time now)
    : source_(source), language_(language), provider_generation_(source.provider_generation()) {
  reload(now);
}

void CatalogKeeper::refresh(Time now) {
  const std::uint64_t providers = source_.provider_generation();
  if (providers != provider_generation_) {
    provider_generation_ = providers;
    source_.release();
    reload(now);
    return;
  }
  const auto interval = english_->unreadable() ? kUnreadableReloadInterval : kUnknownReloadInterval;
  if (unknown_reported_ && now - loaded_at_ >= interval) reload(now);
}

std::vector<ObjectIndex> CatalogKeeper::objects_named(std::string_view name) const {
  auto found = english_->objects_named(name);
  if (found.empty() && local_) found = local_->objects_named(name);
  return found;
}

void CatalogKeeper::reload(Time now) {
  Catalog english = Catalog::load(source_, Language::kEnglish);
  loaded_at_ = now;
  // Somebody may be writing the table; until it can be read again, its old names are right.
  unknown_reported_ = english_ && english_->has_names() && !english.has_names();
  if (unknown_reported_) return;
  english_ = std::move(english);
  if (language_ != Language::kEnglish) {
    local_ = std::make_shared<const Catalog>(Catalog::load(source_, language_));
    english_->add_local(local_);
  }
  ++generation_;
}

}  // namespace winperf
