#include "collectors/catalog/v2_catalog.h"

#include <algorithm>

#include "collectors/base/ascii.h"
#include "collectors/base/os_code.h"
#include "collectors/wire/name_table.h"

namespace winperf {
namespace {

constexpr std::uint32_t kDefaultLanguage = 0;
constexpr std::uint32_t kEnglishUnitedStates = 0x409;

// A text that a provider registers. English names have separate codes; systems that don't know
// these codes are asked by language.
struct RegisteredText {
  RegistrationInfo info;
  std::optional<RegistrationInfo> english{};
};
constexpr RegisteredText kName{RegistrationInfo::kCountersetName,
                               RegistrationInfo::kCountersetEnglishName};
constexpr RegisteredText kHelp{RegistrationInfo::kCountersetHelp};
constexpr RegisteredText kCounterNames{RegistrationInfo::kCounterNames,
                                       RegistrationInfo::kCounterEnglishNames};
constexpr RegisteredText kCounterHelps{RegistrationInfo::kCounterHelps};
constexpr RegisteredText kProviderName{RegistrationInfo::kProviderName};

// Whether the code means that the text doesn't exist, or can't be requested in this way.
bool means_no_text(std::uint32_t os_code) {
  const auto is_within = [os_code](OsCode first, OsCode last) {
    return os_code >= value_of(first) && os_code <= value_of(last);
  };
  switch (OsCode{os_code}) {
    case OsCode::kFileNotFound:
    case OsCode::kInvalidData:
    case OsCode::kInvalidParameter:
    case OsCode::kModuleNotFound:
    case OsCode::kBadExeFormat:
    case OsCode::kMessageNotFound:
    case OsCode::kNotFound:
      return true;
    default:
      return is_within(OsCode::kResourceDataNotFound, OsCode::kResourceLanguageNotFound) ||
             is_within(OsCode::kEventMessageNotFound, OsCode::kEventMessageLocaleNotFound) ||
             is_within(OsCode::kMuiFileNotFound, OsCode::kMuiInvalidLocaleName);
  }
}

// Whether the next attempt may succeed.
bool may_pass(const Error& error) {
  if (error.code == ErrorCode::kBusy || is_lost(error.code) || is_of_start(error.code)) return true;
  return error.code == ErrorCode::kOsError && !means_no_text(error.os_code);
}

// The first answer: in English (US) or, if the text doesn't exist in it, in the system's default
// language. If the system fails to answer, the text may exist nevertheless, and that of another
// language must not replace it.
template <class Ask>
std::expected<Bytes, Error> first_answer(const Ask& ask, const RegisteredText& wanted,
                                         Language language) {
  std::expected<Bytes, Error> answer = std::unexpected(Error{});
  const auto is_answered = [&](RegistrationInfo info, std::uint32_t argument) {
    answer = ask(info, argument);
    return answer || may_pass(answer.error());
  };
  if (language == Language::kEnglish) {
    if (wanted.english && is_answered(*wanted.english, 0)) return answer;
    if (is_answered(wanted.info, kEnglishUnitedStates)) return answer;
  }
  is_answered(wanted.info, kDefaultLanguage);
  return answer;
}

template <class Ask>
std::expected<std::string, Error> text(const Ask& ask, const RegisteredText& wanted,
                                       Language language) {
  const auto bytes = first_answer(ask, wanted, language);
  if (!bytes) return std::unexpected(bytes.error());
  return v2::parse_string(*bytes);
}

template <class Ask>
std::expected<v2::StringTable, Error> table(const Ask& ask, const RegisteredText& wanted,
                                            Language language) {
  const auto bytes = first_answer(ask, wanted, language);
  if (!bytes) return std::unexpected(bytes.error());
  return v2::parse_string_table(*bytes);
}

}  // namespace

bool same_registration(const V2Counterset& a, const V2Counterset& b) {
  return a.registration.guid == b.registration.guid &&
         a.registration.instance_type == b.registration.instance_type &&
         a.registration.counters == b.registration.counters && a.name == b.name &&
         a.help == b.help && a.counter_names == b.counter_names &&
         a.local_counter_names == b.local_counter_names && a.counter_helps == b.counter_helps;
}

std::expected<Bytes, Error> V2Catalog::ask(const Guid& guid, RegistrationInfo info,
                                           std::uint32_t argument) {
  auto reply = source_.registration(guid, info, argument);
  if (reply && listener_) listener_(guid, info, argument, *reply);
  return reply;
}

std::expected<void, Error> V2Catalog::refresh() {
  auto guids = source_.countersets();
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
  const auto asked = [&](RegistrationInfo info, std::uint32_t argument) {
    return ask(entry.guid, info, argument);
  };
  const auto read = [&](std::string& name, Language language) {
    auto answer = text(asked, kName, language);
    if (answer) {
      name = *std::move(answer);
      return;
    }
    entry.error = answer.error();
    problems_.push_back(answer.error());
  };
  read(entry.name, Language::kEnglish);
  if (names_ != Language::kEnglish) read(entry.local_name, Language::kMachine);
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
  auto counterset = read_counterset(guid);
  if (!counterset) return std::unexpected(counterset.error());
  return countersets_.emplace(guid, std::make_shared<V2Counterset>(*std::move(counterset)))
      .first->second;
}

std::expected<V2Counterset, Error> V2Catalog::read_counterset(const Guid& guid) {
  const auto asked = [&](RegistrationInfo info, std::uint32_t argument) {
    return ask(guid, info, argument);
  };
  const auto bytes = asked(RegistrationInfo::kCounterset, 0);
  if (!bytes) return std::unexpected(bytes.error());
  auto registration = v2::parse_counterset(*bytes);
  if (!registration) return std::unexpected(registration.error());
  auto name = text(asked, kName, texts_);
  auto counter_names = table(asked, kCounterNames, texts_);
  // Without its name the counterset would be exported under another one for a moment.
  if (!name && is_worth_another_try(guid, name.error())) return std::unexpected(name.error());
  if (!counter_names && is_worth_another_try(guid, counter_names.error()))
    return std::unexpected(counter_names.error());
  // A filter in the machine's language would accept nothing for a moment.
  std::expected<v2::StringTable, Error> local_names;
  if (names_ != texts_) local_names = table(asked, kCounterNames, Language::kMachine);
  if (!local_names && is_worth_another_try(guid, local_names.error()))
    return std::unexpected(local_names.error());

  std::vector<Error> problems = registration->problems;
  const auto value_or_none = [&problems](auto result) {
    if (!result) problems.push_back(result.error());
    return std::move(result).value_or(typename decltype(result)::value_type{});
  };
  const auto texts_or_none = [&](std::expected<v2::StringTable, Error> result) {
    v2::StringTable read = value_or_none(std::move(result));
    problems.insert(problems.end(), read.problems.begin(), read.problems.end());
    return std::move(read.texts);
  };
  V2Counterset counterset;
  counterset.registration = *std::move(registration);
  counterset.name = value_or_none(std::move(name));
  counterset.help = value_or_none(text(asked, kHelp, texts_));
  counterset.provider_name = value_or_none(text(asked, kProviderName, Language::kMachine));
  counterset.counter_names = texts_or_none(std::move(counter_names));
  counterset.local_counter_names = texts_or_none(std::move(local_names));
  counterset.counter_helps = texts_or_none(table(asked, kCounterHelps, texts_));
  const auto provider = asked(RegistrationInfo::kProviderGuid, 0);
  counterset.provider =
      value_or_none(provider ? v2::parse_guid_bytes(*provider) : std::unexpected(provider.error()));
  counterset.problems = std::move(problems);
  return counterset;
}

}  // namespace winperf
