#include "exporter/text/own_families.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/exporter/support/own_series.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;

constexpr OwnFamily kOne{.name = "one", .help = "The first.", .label_names = {"a", "b"}};
constexpr OwnFamily kTwo{
    .name = "two_total", .help = "The second.", .type = prometheus::MetricType::Counter};

OwnMetrics both() {
  return OwnMetrics([](SeriesSink& sink) {
    sink.add(kOne, {"x", "y"}, 1);
    sink.add(kOne, {"x", {}}, 2);
    sink.add(kOne, {"", "z"}, 3);
    sink.add(kTwo, {}, 4);
  });
}

std::vector<std::string> texts(const std::vector<prometheus::MetricFamily>& families) {
  std::vector<std::string> all;
  for (const auto& family : families) {
    all.push_back(family.name + ": " + family.help);
    for (const auto& metric : family.metric) {
      std::string text;
      for (const auto& label : metric.label) text += label.name + '=' + label.value + ' ';
      const bool counts = family.type == prometheus::MetricType::Counter;
      text += std::to_string(static_cast<int>(counts ? metric.counter.value : metric.gauge.value));
      all.push_back(std::move(text));
    }
  }
  return all;
}

TEST(OwnMetrics, AreCollectedByFamily) {
  EXPECT_THAT(texts(testing::collected(both())),
              ElementsAre("one: The first.", "a=x b=y 1", "a=x 2", "a= b=z 3",
                          "two_total: The second.", "4"));
}

TEST(OwnMetrics, OfASelection_LackTheOtherNames) {
  EXPECT_THAT(texts(testing::collected(both(), {{.names = {"two_total", "three"}}, nullptr})),
              ElementsAre("two_total: The second.", "4"));
  EXPECT_THAT(texts(testing::collected(both(), {{.names = {"three"}}, nullptr})), ElementsAre());
}

struct Item {
  const char* name;
  std::optional<double> number;
};

TEST(OwnNumbers, AreThoseOfEachItemThatHasThem) {
  static constexpr OwnNumber<Item> kNumbers[] = {
      {kOne, [](const Item& item) { return item.number; }},
      {kTwo, [](const Item&) { return std::optional(9.0); }}};
  const std::vector<Item> items{{"x", 5}, {"y", {}}, {"z", 0}};
  const OwnMetrics metrics([&](SeriesSink& sink) {
    add_numbers(sink, kNumbers, items, [](const Item& item) {
      return std::array<std::string_view, 2>{item.name, std::string_view()};
    });
  });
  EXPECT_THAT(
      texts(testing::collected(metrics)),
      ElementsAre("one: The first.", "a=x 5", "a=z 0", "two_total: The second.", "9", "9", "9"));
}

}  // namespace
}  // namespace winperf
