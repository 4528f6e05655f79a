#include "exporter/text/textfile_part.h"

#include <algorithm>
#include <string_view>

#include "exporter/text/exposition.h"

namespace winperf {
namespace {

constexpr std::string_view kError = "winperf_textfile_error";

}  // namespace

const FactState* fresh_textfiles(const FactSnapshot& facts, SteadyTime now) {
  const auto state = std::ranges::find(facts.topics, FactTopic::kTextfile, &FactState::topic);
  const bool is_known =
      state != facts.topics.end() && is_fresh(*state, now) && state->table->textfiles != nullptr;
  return is_known ? &*state : nullptr;
}

void append_textfile_error(std::string& out, PageFormat format, const FactTable& table,
                           const PageSelection& selection) {
  if (!selection.has_name(kError)) return;
  append_header(out, format, kError, "1 if a folder or a file couldn't be read or was refused.",
                "gauge");
  out += kError;
  out += table.problems.empty() ? " 0\n" : " 1\n";
}

TextfilePage::Part TextfilePart::metrics(const std::shared_ptr<const TextfileResult>& files,
                                         PageFormat format, const PageSelection& selection,
                                         const PageNames& names) {
  const auto all = page(files, format, names);
  if (selection.has_all_names()) return all->whole();
  return all->cut([&](std::string_view name) { return selection.has_name(name); });
}

std::size_t TextfilePart::writings() const {
  const std::lock_guard lock(mutex_);
  return writings_;
}

std::shared_ptr<const TextfilePage> TextfilePart::page(
    const std::shared_ptr<const TextfileResult>& files, PageFormat format, const PageNames& names) {
  const auto is_taken = [&](std::string_view name) { return name == kError || names.has(name); };
  const std::lock_guard lock(mutex_);
  auto& known = pages_.at(static_cast<std::size_t>(format));
  if (known != nullptr && known->is_of(files.get(), is_taken)) return known;
  // Nobody will want those of other files any more.
  for (auto& page : pages_)
    if (page != nullptr && !page->is_of(files.get(), is_taken)) page.reset();
  known = std::make_shared<const TextfilePage>(files, format, is_taken);
  ++writings_;
  return known;
}

}  // namespace winperf
