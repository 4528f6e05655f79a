#include "collectors/catalog/v2_catalog.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

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

// The first answer that is none of an error.
std::expected<Bytes, Error> first_answer(PerflibClient& client, const Guid& guid,
                                         std::span<const Question> questions) {
  std::expected<Bytes, Error> answer = std::unexpected(Error{});
  for (const Question& question : questions) {
    answer = client.registration(guid, question.info, question.argument);
    if (answer) break;
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

std::map<std::uint32_t, std::string> texts(PerflibClient& client, const Guid& guid,
                                           std::span<const Question> questions,
                                           std::vector<Error>& problems) {
  const auto bytes = first_answer(client, guid, questions);
  if (!bytes) {
    problems.push_back(bytes.error());
    return {};
  }
  v2::StringTable table = v2::parse_string_table(*bytes);
  problems.insert(problems.end(), table.problems.begin(), table.problems.end());
  return std::move(table.texts);
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
  if (same) return {};
  entries_.clear();
  for (const Guid& guid : *guids) entries_.push_back(read_entry(guid));
  ++generation_;
  return {};
}

V2Catalog::Entry V2Catalog::read_entry(const Guid& guid) {
  Entry entry{.guid = guid, .name = {}, .local_name = {}};
  entry.name = text(client_, guid, kEnglishSetName).value_or("");
  if (names_ == Language::kEnglish) return entry;
  entry.local_name = text(client_, guid, kLocalName).value_or("");
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
  counterset->name = text_or_empty(text(client_, guid, texts_asked.name), problems);
  counterset->help = text_or_empty(text(client_, guid, texts_asked.help), problems);
  constexpr std::array kProviderName{Question{RegistrationInfo::kProviderName, 0}};
  counterset->provider_name = text_or_empty(text(client_, guid, kProviderName), problems);
  counterset->counter_names = texts(client_, guid, texts_asked.counter_names, problems);
  counterset->counter_helps = texts(client_, guid, texts_asked.counter_helps, problems);
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
