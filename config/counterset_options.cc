#include "config/counterset_options.h"

#include "config/option_limits.h"
#include "config/option_setters.h"

namespace winperf {
namespace {

constexpr Choice kMetricTypes[] = {{"counter", CustomType::kCounter},
                                   {"gauge", CustomType::kGauge}};
constexpr Choice kMetricValues[] = {{"raw", CustomValue::kRaw}, {"cooked", CustomValue::kCooked}};

constexpr Option kOptions[] = {
    {.path = "countersets",
     .kind = OptionKind::kCountersets,
     .description =
         "The countersets to sample: a list of names, and of objects with the keys below. If the "
         "key is missing: Processor Information (or Processor if the machine lacks it), Memory, "
         "LogicalDisk, PhysicalDisk, Network Interface, System, Process and TCPv4. [] samples "
         "none, "
         "if facts are read."},
    {.path = "countersets[].name",
     .kind = OptionKind::kNames,
     .description =
         "The counterset's name, its title index, or the GUID of a V2 counterset; or a list of "
         "alternatives, of which the first one that the machine has is used. Or a path as perfmon "
         "writes it, which also selects instances and a counter. A name or a path with * stands "
         "for every counterset that it matches, now or later, but for those that are expensive to "
         "collect. Required.",
     .assign = set_in_counterset<&CountersetConfig::names>},
    {.path = "countersets[].except",
     .kind = OptionKind::kNames,
     .description =
         "Of a pattern: the countersets that it leaves out, by name, title index, GUID or "
         "pattern. Default: none.",
     .assign = set_in_counterset<&CountersetConfig::except>},
    {.path = "countersets[].costly",
     .kind = OptionKind::kBoolean,
     .default_value = "false",
     .description = "Whether a pattern also stands for objects that are expensive to collect "
                    "(\"Costly\"). Each look for what it stands for then asks all providers for "
                    "them, which may take minutes where Windows has no metadata.",
     .assign = set_in_counterset<&CountersetConfig::costly>},
    {.path = "countersets[].interval",
     .kind = OptionKind::kDuration,
     .description = "Sampling interval of this counterset. Default: the interval above.",
     .minimum = kSecond,
     .maximum = kHour,
     .limit_reason = kIntervalFloor,
     .assign = set_in_counterset<&CountersetConfig::interval>},
    {.path = "countersets[].stale_after",
     .kind = OptionKind::kDuration,
     .description = "How old values of this counterset may get before they are no longer shown; "
                    "longer than its interval. Default: stale_after above.",
     .minimum = 2 * kSecond,
     .maximum = 24 * kHour,
     .assign = set_in_counterset<&CountersetConfig::stale_after>},
    {.path = "countersets[].path",
     .kind = OptionKind::kChoice,
     .description = "Which API this counterset is read through. Default: the path above.",
     .choices = kPaths,
     .assign = set_in_counterset<&CountersetConfig::path>},
    {.path = "countersets[].instances",
     .kind = OptionKind::kSection,
     .description = "Which instances to sample, and how they are labelled."},
    {.path = "countersets[].instances.include",
     .kind = OptionKind::kPatterns,
     .default_value = "[]",
     .description = "Regular expressions. An instance is sampled if at least one of them matches "
                    "its whole name; an empty list matches all instances.",
     .assign = set_in_counterset<&CountersetConfig::instances, &Filter::include>},
    {.path = "countersets[].instances.exclude",
     .kind = OptionKind::kPatterns,
     .default_value = "[]",
     .description = "Regular expressions. An instance is left out if any of them matches its whole "
                    "name, even if include matches, too.",
     .assign = set_in_counterset<&CountersetConfig::instances, &Filter::exclude>},
    {.path = "countersets[].instances.id",
     .kind = OptionKind::kInteger,
     .description = "Only the instance with this number: the instance id in a V2 counterset, or "
                    "the unique id in an object that has such ids. Default: all instances.",
     .minimum = 0,
     .maximum = 4'294'967'294,
     .assign = set_in_counterset<&CountersetConfig::instance_id>},
    {.path = "countersets[].instances.max",
     .kind = OptionKind::kInteger,
     .description = "How many instances are sampled at most, beside _Total: those with the most of "
                    "the counter in by, or the first ones. Default: all instances.",
     .minimum = 1,
     .maximum = 1'000'000,
     .assign = set_in_counterset<&CountersetConfig::max_instances>},
    {.path = "countersets[].instances.by",
     .kind = OptionKind::kCounter,
     .description = "The counter by whose values max chooses, by name. It is sampled even if "
                    "counters would leave it out. Default: the first instances are chosen.",
     .maximum = 1024,
     .assign = set_in_counterset<&CountersetConfig::ranked_by>},
    {.path = "countersets[].instances.labels",
     .kind = OptionKind::kLabels,
     .description =
         "A regular expression with named groups. If it matches an instance's whole name, the text "
         "of each group becomes a label with the group's name. A group with the name of the label "
         "that names instances replaces its value. Default: no further labels.",
     .assign = set_in_counterset<&CountersetConfig::label_pattern>},
    {.path = "countersets[].counters",
     .kind = OptionKind::kSection,
     .description = "Which counters to sample, by name."},
    {.path = "countersets[].counters.include",
     .kind = OptionKind::kPatterns,
     .default_value = "[]",
     .description = "The same as for instances.",
     .assign = set_in_counterset<&CountersetConfig::counters, &Filter::include>},
    {.path = "countersets[].counters.exclude",
     .kind = OptionKind::kPatterns,
     .default_value = "[]",
     .description = "The same as for instances.",
     .assign = set_in_counterset<&CountersetConfig::counters, &Filter::exclude>},
    {.path = "countersets[].instance_label",
     .kind = OptionKind::kLabelName,
     .default_value = "\"instance\"",
     .description = "The label that names the instance in the metrics below.",
     .maximum = 200,
     .assign = set_in_counterset<&CountersetConfig::instance_label>},
    {.path = "countersets[].metrics",
     .kind = OptionKind::kMetrics,
     .description =
         "Metrics with names of your own, beside those of metrics.profiles: a list of objects with "
         "the keys below. Instances that add up others, such as _Total, are left out unless "
         "instances.include selects them. Default: none.",
     .maximum = 1000},
    {.path = "countersets[].metrics[].counter",
     .kind = OptionKind::kCounter,
     .description = "The counter, by name. It is sampled only if counters doesn't leave it out. "
                    "Required.",
     .maximum = 1024,
     .assign = set_in_metric<&CustomMetric::counter>},
    {.path = "countersets[].metrics[].name",
     .kind = OptionKind::kMetricName,
     .description = "The metric's name, which is used as it is. Several metrics may share one if "
                    "their labels differ. Required.",
     .maximum = 200,
     .assign = set_in_metric<&CustomMetric::name>},
    {.path = "countersets[].metrics[].labels",
     .kind = OptionKind::kFixedLabels,
     .description = "Labels of each series, with their values. Default: none.",
     .maximum = 32,
     .assign = set_in_metric<&CustomMetric::labels>},
    {.path = "countersets[].metrics[].type",
     .kind = OptionKind::kChoice,
     .description = "The metric's type. Default: a counter if the number only grows, else a gauge.",
     .choices = kMetricTypes,
     .assign = set_in_metric<&CustomMetric::type>},
    {.path = "countersets[].metrics[].value",
     .kind = OptionKind::kChoice,
     .default_value = "\"raw\"",
     .description = "raw: the counter's number as Windows keeps it, timers of 100 ns in seconds. "
                    "cooked: the number that perfmon computes between two samples, as a gauge.",
     .choices = kMetricValues,
     .assign = set_in_metric<&CustomMetric::value>},
};

}  // namespace

std::span<const Option> counterset_options() { return kOptions; }

}  // namespace winperf
