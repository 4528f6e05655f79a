#include "collectors/catalog/v2_catalog.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/wire/name_table.h"

namespace winperf {
namespace {

// Languages in the order in which they are tried: the system's default one and English (US).
constexpr std::uint32_t kDefaultLanguage = 0;
constexpr std::uint32_t kEnglishUnitedStates = 0x409;

struct Question {
  RegistrationInfo info;
  std::uint32_t argument;
};

// English names are asked for by codes of their own, and on systems that do not know these by the
// language.
constexpr std::array kEnglishSetName{
    Question{RegistrationInfo::kCountersetEnglishName, 0},
    Question{RegistrationInfo::kCountersetName, kEnglishUnitedStates},
    Question{RegistrationInfo::kCountersetName, kDefaultLanguage}};
constexpr std::array kEnglishCounterNames{
    Question{RegistrationInfo::kCounterEnglishNames, 0},
    Question{RegistrationInfo::kCounterNames, kEnglishUnitedStates},
    Question{RegistrationInfo::kCounterNames, kDefaultLanguage}};
constexpr std::array kEnglishSetHelp{
    Question{RegistrationInfo::kCountersetHelp, kEnglishUnitedStates},
    Question{RegistrationInfo::kCountersetHelp, kDefaultLanguage}};
constexpr std::array kEnglishCounterHelps{
    Question{RegistrationInfo::kCounterHelps, kEnglishUnitedStates},
    Question{RegistrationInfo::kCounterHelps, kDefaultLanguage}};
constexpr std::array kLocalName{Question{RegistrationInfo::kCountersetName, kDefaultLanguage}};
constexpr std::array kLocalCounterNames{
    Question{RegistrationInfo::kCounterNames, kDefaultLanguage}};
constexpr std::array kLocalHelp{Question{RegistrationInfo::kCountersetHelp, kDefaultLanguage}};
constexpr std::array kLocalCounterHelps{
    Question{RegistrationInfo::kCounterHelps, kDefaultLanguage}};

// What is asked for the texts of a counterset, in one language.
struct Questions {
  std::span<const Question> name;
  std::span<const Question> help;
  std::span<const Question> counter_names;
  std::span<const Question> counter_helps;
};
constexpr Questions kEnglishTexts{kEnglishSetName, kEnglishSetHelp, kEnglishCounterNames,
                                  kEnglishCounterHelps};
constexpr Questions kLocalTexts{kLocalName, kLocalHelp, kLocalCounterNames, kLocalCounterHelps};

// Win32 errors that say that there is no such text, or that it can't be asked for in this way.
constexpr std::uint32_t kFileNotFound = 2;
constexpr std::uint32_t kInvalidData = 13;
constexpr std::uint32_t kInvalidParameter = 87;
constexpr std::uint32_t kModuleNotFound = 126;
constexpr std::uint32_t kBadExeFormat = 193;
constexpr std::uint32_t kMessageNotFound = 317;
constexpr std::uint32_t kNotFound = 1168;
constexpr std::uint32_t kFirstResourceError = 1812;  // data, type, name, language not found
constexpr std::uint32_t kLastResourceError = 1815;
constexpr std::uint32_t kFirstMessageError = 15027;  // of a manifest's message table
constexpr std::uint32_t kLastMessageError = 15033;
constexpr std::uint32_t kFirstMuiError = 15100;
constexpr std::uint32_t kLastMuiError = 15108;

// Whether the system, asked again, may well answer what it failed to answer now.
bool may_pass(const Error& error) {
  if (error.code == ErrorCode::kBusy) return true;
  if (error.code != ErrorCode::kOsError) return false;
  const std::uint32_t code = error.os_code;
  const bool no_text = code == kFileNotFound || code == kInvalidData || code == kInvalidParameter ||
                       code == kModuleNotFound || code == kBadExeFormat ||
                       code == kMessageNotFound || code == kNotFound ||
                       (code >= kFirstResourceError && code <= kLastResourceError) ||
                       (code >= kFirstMessageError && code <= kLastMessageError) ||
                       (code >= kFirstMuiError && code <= kLastMuiError);
  return !no_text;
}

// The first answer. A question that the system fails to answer may have one: the next question, in
// another language, does not stand in for it.
std::expected<Bytes, Error> first_answer(PerflibClient& client, const Guid& guid,
                                         std::span<const Question> questions) {
  std::expected<Bytes, Error> answer = std::unexpected(Error{});
  for (const Question& question : questions) {
    answer = client.registration(guid, question.info, question.argument);
    if (answer || may_pass(answer.error())) break;
  }
  return answer;
}

std::expected<std::string, Error> text(PerflibClient& client, const Guid& guid,
                                       std::span<const Question> questions) {
  const auto bytes = first_answer(client, guid, questions);
  if (!bytes) return std::unexpected(bytes.error());
  return v2::parse_string(*bytes);
}

std::string text_or_empty(std::expected<std::string, Error> text, std::vector<Error>& problems) {
  if (text) return *std::move(text);
  problems.push_back(text.error());
  return {};
}

std::expected<v2::StringTable, Error> table(PerflibClient& client, const Guid& guid,
                                            std::span<const Question> questions) {
  const auto bytes = first_answer(client, guid, questions);
  if (!bytes) return std::unexpected(bytes.error());
  return v2::parse_string_table(*bytes);
}

std::map<std::uint32_t, std::string> texts_or_none(std::expected<v2::StringTable, Error> table,
                                                   std::vector<Error>& problems) {
  if (!table) {
    problems.push_back(table.error());
    return {};
  }
  problems.insert(problems.end(), table->problems.begin(), table->problems.end());
  return std::move(table->texts);
}

}  // namespace

bool same_registration(const V2Counterset& a, const V2Counterset& b) {
  return a.registration.guid == b.registration.guid &&
         a.registration.instance_type == b.registration.instance_type &&
         a.registration.counters == b.registration.counters && a.name == b.name &&
         a.help == b.help && a.counter_names == b.counter_names &&
         a.counter_helps == b.counter_helps;
}

std::expected<void, Error> V2Catalog::refresh() {
  auto guids = client_.countersets();
  if (!guids) return std::unexpected(guids.error());
  countersets_.clear();
  const bool same = generation_ != 0 && std::ranges::equal(*guids, entries_, {}, {}, &Entry::guid);
  if (same) {
    read_names_again([](const Error&) { return true; });
    return {};
  }
  std::vector<Entry> entries;
  for (const Guid& guid : *guids) {
    const auto known = std::ranges::find(entries_, guid, &Entry::guid);
    entries.push_back(read_entry(
        known == entries_.end() ? Entry{.guid = guid, .name = {}, .local_name = {}, .error = {}}
                                : *known));
  }
  entries_ = std::move(entries);
  retries_ = 0;
  ++generation_;
  return {};
}

std::optional<Error> V2Catalog::failed_name() const {
  if (retries_ == kMaxRetries) return std::nullopt;
  for (const Entry& entry : entries_)
    if (entry.error && may_pass(*entry.error)) return entry.error;
  return std::nullopt;
}

void V2Catalog::retry_names() {
  if (!failed_name()) return;
  ++retries_;
  read_names_again(may_pass);
}

template <class Wanted>
void V2Catalog::read_names_again(Wanted wanted) {
  bool any_read = false;
  for (Entry& entry : entries_) {
    if (!entry.error || !wanted(*entry.error)) continue;
    Entry again = read_entry(entry);
    any_read = any_read || again.name != entry.name || again.local_name != entry.local_name;
    entry = std::move(again);
  }
  if (!any_read) return;
  retries_ = 0;
  ++generation_;
}

V2Catalog::Entry V2Catalog::read_entry(Entry entry) {
  entry.error.reset();
  const auto read = [&](std::string& name, std::span<const Question> questions) {
    auto answer = text(client_, entry.guid, questions);
    if (answer) {
      name = *std::move(answer);
      return;
    }
    entry.error = answer.error();
    problems_.push_back(answer.error());
  };
  read(entry.name, kEnglishSetName);
  if (names_ != Language::kEnglish) read(entry.local_name, kLocalName);
  return entry;
}

std::vector<Guid> V2Catalog::named(std::string_view name) const {
  const auto wanted = parse_guid(name);
  std::vector<Guid> guids;
  for (const Entry& entry : entries_) {
    const bool found = wanted
                           ? entry.guid == *wanted
                           : equal_names(entry.name, name) ||
                                 (!entry.local_name.empty() && equal_names(entry.local_name, name));
    if (found) guids.push_back(entry.guid);
  }
  return guids;
}

bool V2Catalog::is_worth_another_try(const Guid& guid, const Error& error) {
  return may_pass(error) && failures_[guid]++ < kMaxRetries;
}

std::expected<std::shared_ptr<const V2Counterset>, Error> V2Catalog::counterset(const Guid& guid) {
  const auto known = countersets_.find(guid);
  if (known != countersets_.end()) return known->second;

  const auto bytes = client_.registration(guid, RegistrationInfo::kCounterset);
  if (!bytes) return std::unexpected(bytes.error());
  auto registration = v2::parse_counterset(*bytes);
  if (!registration) return std::unexpected(registration.error());

  auto counterset = std::make_shared<V2Counterset>();
  counterset->problems = registration->problems;
  counterset->registration = *std::move(registration);
  std::vector<Error>& problems = counterset->problems;
  const Questions& texts_asked = texts_ == Language::kEnglish ? kEnglishTexts : kLocalTexts;
  auto name = text(client_, guid, texts_asked.name);
  auto counter_names = table(client_, guid, texts_asked.counter_names);
  // What is nameless for a moment would be exported under another name for that moment.
  if (!name && is_worth_another_try(guid, name.error())) return std::unexpected(name.error());
  if (!counter_names && is_worth_another_try(guid, counter_names.error()))
    return std::unexpected(counter_names.error());
  counterset->name = text_or_empty(std::move(name), problems);
  counterset->help = text_or_empty(text(client_, guid, texts_asked.help), problems);
  constexpr std::array kProviderName{Question{RegistrationInfo::kProviderName, 0}};
  counterset->provider_name = text_or_empty(text(client_, guid, kProviderName), problems);
  counterset->counter_names = texts_or_none(std::move(counter_names), problems);
  counterset->counter_helps =
      texts_or_none(table(client_, guid, texts_asked.counter_helps), problems);
  const auto provider = client_.registration(guid, RegistrationInfo::kProviderGuid);
  const auto provider_guid =
      provider ? v2::parse_guid_bytes(*provider) : std::unexpected(provider.error());
  if (provider_guid) {
    counterset->provider = *provider_guid;
  } else {
    problems.push_back(provider_guid.error());
  }
  return countersets_.emplace(guid, std::move(counterset)).first->second;
}

}  // namespace winperf
