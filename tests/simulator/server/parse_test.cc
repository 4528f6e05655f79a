// What the files *.counters may say, and how their mistakes are reported.
#include "tests/simulator/server/parse.h"

#include <gtest/gtest.h>

#include <array>

namespace winperf::simulator {
namespace {

std::expected<ServerData, std::string> parsed(std::string_view text) {
  const std::array texts{ServerText{"first.counters", "# nothing but a comment\n"},
                         ServerText{"shop.counters", text}};
  return parse_server(texts);
}

std::string mistake_in(std::string_view text) {
  const auto data = parsed(text);
  return data ? "none" : data.error();
}

ServerData data_of(std::string_view text) {
  auto data = parsed(text);
  if (data) return *std::move(data);
  ADD_FAILURE() << data.error();
  return {};
}

// A shop with two counters; what a test adds follows in line 8.
std::string shop_file(std::string_view more) {
  return std::string(
             "table shops | size | pid\n"
             "row North | 10 | 4\n"
             "row South | 1/4 |\n"
             "service Shops\n"
             "object 700 Shop\n"
             "instances shops\n"
             "counter 702 Sales/sec | PERF_COUNTER_BULK_COUNT | rate 3*size\n") +
         std::string(more);
}

TEST(ServerFiles, ObjectsOfAService) {
  const ServerData data =
      data_of(shop_file("counter Basket | PERF_AVERAGE_BULK | as 0.5 * Sales/sec | base rate 2\n"
                        "total _Total | mean times\n"));
  ASSERT_EQ(data.providers.size(), 1u);
  EXPECT_EQ(data.providers[0].name, "Shops");
  EXPECT_FALSE(data.providers[0].is_v2);
  const ServerObject& object = data.providers[0].objects.at(0);
  EXPECT_EQ(object.name, "Shop");
  EXPECT_EQ(object.number, 700u);
  ASSERT_EQ(object.counters.size(), 3u);
  EXPECT_EQ(object.counters[0].number, 702u);
  EXPECT_EQ(object.counters[0].bytes, 8);
  ASSERT_EQ(object.counters[0].movement.amounts.size(), 1u);
  EXPECT_EQ(object.counters[0].movement.amounts[0].factor, 3);
  EXPECT_EQ(object.counters[1].base, 2u);
  EXPECT_EQ(object.counters[1].movement.terms.at(0).factor, 0.5);
  EXPECT_EQ(to_string(object.counters[2].type), "PERF_AVERAGE_BASE");
  EXPECT_EQ(object.counters[2].bytes, 4);
  EXPECT_EQ(object.totals.at(0).means, ServerObject::Total::Means::kTimes);
  EXPECT_EQ(data.tables.at(0).rows.at(1).numbers[0], 0.25);
  EXPECT_EQ(data.tables[0].pid, 1u);
}

TEST(ServerFiles, CountersetsOfAProvider) {
  const ServerData data = data_of(
      "provider Contoso | {22222222-0000-0000-0000-0000000000ff}\n"
      "object Till\n"
      "counter 0 Open | PERF_ELAPSED_TIME | started\n"
      "counter % Busy | PERF_PRECISION_100NS_TIMER | share 0.4\n"
      "counter Share | PERF_RAW_FRACTION | constant 1 | base 9 constant 4\n"
      "counter Rest | PERF_RAW_FRACTION | constant 3 | base of Share\n");
  const ServerProvider& provider = data.providers.at(0);
  EXPECT_TRUE(provider.is_v2);
  EXPECT_EQ(to_string(provider.guid), "{22222222-0000-0000-0000-0000000000ff}");
  const ServerObject& object = provider.objects.at(0);
  EXPECT_NE(object.guid, Guid{}) << "made of the name";
  EXPECT_EQ(object.guid, data_of("provider X\nobject Till\n").providers[0].objects[0].guid);
  std::vector<std::string> counters;
  for (const ServerCounter& counter : object.counters)
    counters.push_back(std::to_string(counter.number) + ' ' + counter.name);
  EXPECT_EQ(counters,
            (std::vector<std::string>{"0 Open", "1 % Busy", "2 % Busy Base", "3 Share",
                                      "9 Share Base", "10 Rest", "11 Time", "12 Frequency"}));
  EXPECT_EQ(object.counters[5].base, 4u);
}

TEST(ServerFiles, LinesAreRepeatedWithOtherWords) {
  const ServerData data = data_of(
      "each sql service\n"
      "with SQLServer | MSSQLSERVER\n"
      "with MSSQL$PAYROLL | MSSQL$PAYROLL\n"
      "service {service}\n"
      "object {sql}:Locks\n"
      "counter Waits of {sql}, {sql} | PERF_COUNTER_RAWCOUNT | rate 1\n"
      "end\n");
  ASSERT_EQ(data.providers.size(), 2u);
  EXPECT_EQ(data.providers[0].name, "MSSQLSERVER");
  EXPECT_EQ(data.providers[1].objects.at(0).name, "MSSQL$PAYROLL:Locks");
  EXPECT_EQ(data.providers[1].objects[0].counters.at(0).name,
            "Waits of MSSQL$PAYROLL, MSSQL$PAYROLL");
}

TEST(ServerFiles, MistakesAreNamedWithFileAndLine) {
  EXPECT_EQ(mistake_in(shop_file("")), "none");
  EXPECT_EQ(mistake_in("tabel shops\n"), "shop.counters:1: there is no statement \"tabel\"");
  EXPECT_EQ(mistake_in("# why\n\nobject Shop\n"),
            "shop.counters:3: an object belongs to a service or provider");
  EXPECT_EQ(mistake_in("counter Sales | PERF_COUNTER_RAWCOUNT | rate 1\n"),
            "shop.counters:1: this belongs to an object");
  EXPECT_EQ(mistake_in("row North | 1\n"), "shop.counters:1: \"row\" without a table");
  EXPECT_EQ(mistake_in("table shops | size\nrow North\n"),
            "shop.counters:2: a row of \"shops\" has 2 columns, not 1");
  EXPECT_EQ(mistake_in("each a b\nwith 1\nservice {a}\nend\n"),
            "shop.counters:4: a \"with\" has another number of words than its \"each\"");
  EXPECT_EQ(mistake_in("each a\nwith 1\n"), "shop.counters:3: \"each\" without \"end\"");
  EXPECT_EQ(mistake_in("provider Contoso | {x}\n"), "shop.counters:1: \"{x}\" is not a GUID");
  EXPECT_EQ(mistake_in(shop_file("instances tills\n")),
            "shop.counters:8: there is no table \"tills\"");
  EXPECT_EQ(mistake_in(shop_file("total _Total | median\n")),
            "shop.counters:8: a total has the \"mean times\" or the \"mean all\"");
}

TEST(ServerFiles, MistakesInCountersAreNamedToo) {
  const auto mistake = [](const std::string& counter) {
    return mistake_in(shop_file("counter " + counter + "\n"));
  };
  EXPECT_EQ(mistake("Sales | PERF_COUNTER_RAWCOUNT"),
            "shop.counters:8: \"counter\" needs a name, a type, a movement, and perhaps a base");
  EXPECT_EQ(mistake("Sales | PERF_COUNTER_COUNT | rate 1"),
            "shop.counters:8: counters have no type \"PERF_COUNTER_COUNT\"");
  EXPECT_EQ(mistake("Sales | PERF_COUNTER_RAWCOUNT | rises 1"),
            "shop.counters:8: nothing moves like \"rises\"");
  EXPECT_EQ(mistake("Sales | PERF_COUNTER_RAWCOUNT | level 1"),
            "shop.counters:8: \"level\" needs 2 amounts, not 1");
  EXPECT_EQ(mistake("Sales | PERF_COUNTER_RAWCOUNT | rate 2*width"),
            "shop.counters:8: the instances have no column \"width\"");
  EXPECT_EQ(mistake("Sales | PERF_COUNTER_RAWCOUNT | as Sales/sec (-) Returns"),
            "shop.counters:8: the object has no counter \"Returns\"");
  EXPECT_EQ(mistake("Sales | PERF_COUNTER_RAWCOUNT | as Sales/sec (+) Sales"),
            "shop.counters:8: the counter \"Sales\" is made of itself");
  EXPECT_EQ(mistake("Basket | PERF_AVERAGE_BULK | rate 1"),
            "shop.counters:8: PERF_AVERAGE_BULK needs a base");
  EXPECT_EQ(mistake("Sales | PERF_COUNTER_RAWCOUNT | rate 1 | base rate 1"),
            "shop.counters:8: PERF_COUNTER_RAWCOUNT has no base here");
  EXPECT_EQ(mistake("Open | PERF_ELAPSED_TIME | uptime"),
            "shop.counters:8: \"started\" and PERF_ELAPSED_TIME go together");
}

}  // namespace
}  // namespace winperf::simulator
