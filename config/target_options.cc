#include "config/target_options.h"

#include "config/option_limits.h"
#include "config/option_setters.h"

namespace winperf {
namespace {

constexpr std::int64_t kMaxModuleBytes = 64;
constexpr std::int64_t kMaxTargetLabels = 32;
constexpr std::int64_t kMaxRemoteWorkers = 64;

constexpr Choice kLanguages[] = {{"english", NameLanguage::kEnglish},
                                 {"machine", NameLanguage::kMachine}};

constexpr Option kOptions[] = {
    {.path = "remote",
     .kind = OptionKind::kSection,
     .description = "How the targets below are read."},
    {.path = "remote.workers",
     .kind = OptionKind::kInteger,
     .default_value = "8",
     .description = "How many processes share the targets. Up to 8 more read those that hang.",
     .minimum = 1,
     .maximum = kMaxRemoteWorkers,
     .assign = set_in_config<&Config::remote, &RemoteConfig::workers>},
    {.path = "targets",
     .kind = OptionKind::kTargets,
     .default_value = "[]",
     .description = "Other Windows machines whose counters are read, too: a list of objects with "
                    "the keys below. docs/remote.md says what they need.",
     .maximum = kMaxTargetEntries},
    {.path = "targets[].host",
     .kind = OptionKind::kTargetHosts,
     .description = "The machine's name or address, or a list of them. One with * or ? is a "
                    "pattern, in which neither stands for a dot: whoever matches it is read from "
                    "its first probe until 10 minutes "
                    "after its last one. Required.",
     .maximum = kMaxHosts,
     .example = "srv-1",
     .assign = set_in_target<&TargetConfig::hosts>},
    {.path = "targets[].module",
     .kind = OptionKind::kWord,
     .default_value = "\"default\"",
     .description = "Tells several entries for the same machine apart: /probe?target=HOST&module="
                    "NAME.",
     .minimum = 1,
     .maximum = kMaxModuleBytes,
     .assign = set_in_target<&TargetConfig::module>},
    {.path = "targets[].interval",
     .kind = OptionKind::kDuration,
     .default_value = "\"15s\"",
     .description = "How often its countersets are sampled that don't set their own interval.",
     .minimum = kSecond,
     .maximum = kHour,
     .limit_reason = kIntervalFloor,
     .assign = set_in_config<&Config::interval>},
    {.path = "targets[].stale_after",
     .kind = OptionKind::kDuration,
     .description = "The age at which its values are too old to be shown; longer than the "
                    "interval. Default: two and a half intervals.",
     .minimum = 2 * kSecond,
     .maximum = 24 * kHour,
     .assign = set_in_config<&Config::stale_after>},
    {.path = "targets[].path",
     .kind = OptionKind::kChoice,
     .default_value = "\"registry\"",
     .description = "How its counters are read. registry needs the SMB port there; auto and "
                    "perflib need RPC's ports, too, and read V2 countersets directly.",
     .choices = kPaths,
     .assign = set_in_config<&Config::path>},
    {.path = "targets[].language",
     .kind = OptionKind::kChoice,
     .default_value = "\"english\"",
     .description = "In which language, besides English, its countersets and counters may be named "
                    "here: machine means that machine's own.",
     .choices = kLanguages,
     .assign = set_in_config<&Config::language>},
    {.path = "targets[].labels",
     .kind = OptionKind::kFixedLabels,
     .default_value = "{}",
     .description = "Labels that Prometheus' service discovery (/api/v1/targets) gives all series "
                    "of it, such as site: berlin.",
     .maximum = kMaxTargetLabels,
     .assign = set_in_target<&TargetConfig::labels>},
    {.path = "targets[].collect",
     .kind = OptionKind::kNames,
     .description = "As collect at the top. Default: none.",
     .assign = set_in_config<&Config::collect>},
    {.path = "targets[].countersets",
     .kind = OptionKind::kCountersets,
     .description =
         "As countersets at the top, with the same keys. Default: if collect is missing, "
         "too, those of this machine."},
};

}  // namespace

std::span<const Option> target_options() { return kOptions; }

}  // namespace winperf
