#include "config/migration/progress.h"

#include <algorithm>
#include <utility>

namespace winperf::migration {

const Setting* Progress::use(std::string_view key) {
  const auto found = std::ranges::find(settings_, key, &Setting::key);
  if (found == settings_.end()) return nullptr;
  used_.emplace(key);
  return &*found;
}

const Setting* Progress::use_any(const std::vector<std::string>& keys) {
  for (const std::string& key : keys)
    if (const Setting* const setting = use(key)) return setting;
  return nullptr;
}

std::vector<const Setting*> Progress::unused() const {
  std::vector<const Setting*> all;
  for (const Setting& setting : settings_)
    if (!used_.contains(setting.key)) all.push_back(&setting);
  return all;
}

void Progress::note(std::string text) { add(std::move(text), false); }

void Progress::lose(std::string text) { add(std::move(text), true); }

std::size_t Progress::lost() const {
  return static_cast<std::size_t>(std::ranges::count(messages_, true, &Message::is_loss));
}

void Progress::add(std::string text, bool is_loss) {
  // A configuration can't have them, not even in a comment.
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  std::ranges::replace_if(text, is_control, ' ');
  Message message{.text = std::move(text), .is_loss = is_loss};
  if (std::ranges::find(messages_, message) == messages_.end())
    messages_.push_back(std::move(message));
}

}  // namespace winperf::migration
