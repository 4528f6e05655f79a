#include "service/selftest/shown_names.h"

#include <gtest/gtest.h>

namespace winperf::selftest {
namespace {

TEST(ShownNames, StayUnlessTheyAreScrubbed) {
  ShownNames names(false);
  EXPECT_EQ(names.shown("anna.exe"), "anna.exe");
  EXPECT_TRUE(names.replaced().empty());
}

TEST(ShownNames, AreTheSameEverywhere) {
  ShownNames names(true);
  EXPECT_EQ(names.shown("anna"), "instance-1");
  EXPECT_EQ(names.shown("bob"), "instance-2");
  EXPECT_EQ(names.shown("anna"), "instance-1");
  for (const char* const harmless : {"", "_Total", "0,1", "C:", "Idle"})
    EXPECT_EQ(names.shown(harmless), harmless);
  EXPECT_EQ(names.replaced(), (std::vector<std::string>{"anna", "bob"}));
}

constexpr char kRecords[] =
    R"({"format":"winperf_exporter pdh record","version":1}
{"counterset":"Process","query":{"object":{"name":"Process","index":230,"instances":true},"counters":[["% Processor Time",6]]},"widths":[[8,0]],"items":{"object":"Process","counters":["% Processor Time"],"instances":["anna","_Total"]},"definitions":[{"name":"% Processor Time"}],"moments":[[{"name":"% Processor Time","raw":[["anna",0,1,2,0,3],["_Total",0,1,2,0,3]],"numbers":[["anna",0,1.5]]}],[]]}
)";

TEST(PdhNames, AreReplacedWhereInstancesAre) {
  ShownNames names(true);
  const auto text = without_instances(kRecords, names);
  ASSERT_TRUE(text);
  std::string expected = kRecords;
  for (std::size_t at = 0; (at = expected.find("\"anna\"")) != std::string::npos;)
    expected.replace(at, 6, "\"instance-1\"");
  EXPECT_EQ(*text, expected);
}

TEST(PdhNames, OfAnotherFormatHaveNoResult) {
  ShownNames names(true);
  for (const std::string& broken : {std::string("{\"a\": "), std::string("[]\n"),
                                    std::string("{}\nno\n"), "{\"a\":" + std::string(50'000, '[')})
    EXPECT_FALSE(without_instances(broken, names));
  EXPECT_EQ(without_instances("", names), "");
}

}  // namespace
}  // namespace winperf::selftest
