#include "config/fact_options.h"

#include <algorithm>
#include <array>

#include "config/option_limits.h"
#include "config/option_setters.h"

namespace winperf {
namespace {

constexpr auto kTopics = [] {
  std::array<Choice, kFactTopicCount> choices;
  std::ranges::transform(kFactTopics, choices.begin(), [](const FactTopicInfo& info) {
    return Choice{.word = info.name, .value = info.topic};
  });
  return choices;
}();

constexpr Option kOptions[] = {
    {.path = "facts",
     .kind = OptionKind::kFacts,
     .description =
         "What is read that is not a counter, such as the version of Windows, services and "
         "volumes: a list of topics, and of objects with the keys below. [] reads nothing. If "
         "the key is missing: every topic but dns_statistics, dhcp_scopes, processes and textfile. "
         "Topics whose metrics no profile has are not read."},
    {.path = "facts[].name",
     .kind = OptionKind::kChoice,
     .description = "The topic. docs/facts.md says what each one tells. Required.",
     .choices = kTopics,
     .assign = set_in_fact<&FactConfig::topic>},
    {.path = "facts[].interval",
     .kind = OptionKind::kDuration,
     .description = "How often this topic is read. Default: 15s, or 1m for what seldom changes.",
     .minimum = kSecond,
     .maximum = 24 * kHour,
     .assign = set_in_fact<&FactConfig::interval>},
    {.path = "facts[].include",
     .kind = OptionKind::kPatterns,
     .default_value = "[]",
     .description = "Regular expressions. Of a topic about several things, such as services, those "
                    "are shown whose whole name at least one of them matches; an empty list "
                    "matches all.",
     .assign = set_in_fact<&FactConfig::rows, &Filter::include>},
    {.path = "facts[].exclude",
     .kind = OptionKind::kPatterns,
     .default_value = "[]",
     .description = "Regular expressions. Those whose whole name any of them matches are not "
                    "shown, even if include matches, too.",
     .assign = set_in_fact<&FactConfig::rows, &Filter::exclude>},
    {.path = "facts[].folders",
     .kind = OptionKind::kTexts,
     .description =
         "Of textfile: the folders whose *.prom files are read; a relative path starts at "
         "the folder of this file. Required there.",
     .maximum = kMaxFactFolders,
     .assign = set_in_fact<&FactConfig::folders>},
};

}  // namespace

std::span<const Option> fact_options() { return kOptions; }

}  // namespace winperf
