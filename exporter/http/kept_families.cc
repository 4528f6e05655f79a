#include "exporter/http/kept_families.h"

#include <utility>

#include "exporter/api/documents.h"
#include "exporter/http/router.h"
#include "exporter/text/gzip.h"

namespace winperf {

KeptFamilies::Answer KeptFamilies::answer(Source source, const Instant& now, std::string_view known,
                                          bool takes_gzip) {
  const std::lock_guard lock(mutex_);
  if (made_ == 0 || !(source == source_) || now.steady - made_at_ >= kLongest) {
    text_ = SharedText(api::family_document(source.page->text().str()));
    gzipped_.reset();
    source_ = std::move(source);
    made_at_ = now.steady;
    // A weak one: the numbers of the exporter itself move while it stays the same.
    tag_ = "W/\"" + std::to_string(now.wall.ticks) + '-' + std::to_string(++made_) + '"';
  }
  if (has_entity_tag(known, tag_)) return {.tag = tag_, .text = {}};
  if (!takes_gzip) return {.tag = tag_, .text = text_};
  if (!gzipped_) {
    GzipFile file;
    file.add(deflate_part(text_.str()));
    gzipped_ = std::move(file).finish();
  }
  return {.tag = tag_, .text = *gzipped_};
}

void KeptFamilies::forget_unless(const Sample* sample) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || source_.page == nullptr || source_.sample.get() == sample) return;
  source_ = {};
  text_ = {};
  gzipped_.reset();
}

}  // namespace winperf
