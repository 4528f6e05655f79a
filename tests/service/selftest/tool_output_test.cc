// What checks understand of the output of Windows' tools and of the program's own messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/selftest/command_answer.h"
#include "service/selftest/counter_lines.h"
#include "service/selftest/page_client.h"
#include "service/selftest/rendered_events.h"
#include "service/selftest/service_trial.h"

namespace winperf::selftest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(RenderedEvents, HaveNumberSourceAndText) {
  const auto events = rendered_events(
      "<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System>"
      "<Provider Name='winperf_exporter_selftest_1'/><EventID Qualifiers='16384'>1</EventID>"
      "</System><EventData><Data>x</Data></EventData><RenderingInfo Culture='en-US'>"
      "<Message>The service is running: &lt;a&gt; &amp;lt; &quot;b&quot; &apos;c&apos;.</Message>"
      "</RenderingInfo></Event>\r\n"
      "<Event xmlns=\"x\"><System><Provider EventSourceName='z' Name=\"other\"/>"
      "<EventID>7036</EventID></System><RenderingInfo Culture='en-US'><Message></Message>"
      "</RenderingInfo></Event>"
      "<Event xmlns='x'><System><EventID>2</EventID></System></Event>");
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].id, 1U);
  EXPECT_EQ(events[0].provider, "winperf_exporter_selftest_1");
  EXPECT_EQ(events[0].message, "The service is running: <a> &lt; \"b\" 'c'.");
  EXPECT_EQ(events[1].provider, "other");
  EXPECT_EQ(events[1].message, std::nullopt) << "an empty text is none";
  EXPECT_EQ(events[2].provider, "");
  EXPECT_EQ(events[2].message, std::nullopt);
}

TEST(PageClient, WritesPasswordsAsHttpHasThem) {  // RFC 7617
  EXPECT_EQ(authorization_of({"Aladdin", "open sesame"}), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
}

TEST(ToolOutput, IsComparedWhereItIsAscii) {
  const std::string path = "C:\\Users\\J\xC3\xBCrgen\\w.exe";                  // in UTF-8
  EXPECT_TRUE(shows_text("Program:  C:\\Users\\J\x81rgen\\w.exe\r\n", path));  // in code page 850
  EXPECT_TRUE(shows_text(path, path));
  EXPECT_FALSE(shows_text("Program:  C:\\Users\\J\x81rgen\\v.exe", path));
  EXPECT_FALSE(shows_text("rgen\\w.exe C:\\Users\\J", path)) << "in another order";
  EXPECT_FALSE(shows_text("", "a"));
  EXPECT_TRUE(shows_text("x", "\xC3\xBC")) << "there is nothing to compare";
}

TEST(RenderedEvents, OfOtherOutputAreNone) {
  const std::string whole =
      "<Event xmlns='x'><System><Provider Name='a'/><EventID>1</EventID></System>"
      "<RenderingInfo><Message>text</Message></RenderingInfo></Event>";
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
    EXPECT_THAT(rendered_events(whole.substr(0, bytes)), IsEmpty()) << bytes;
  EXPECT_EQ(rendered_events(whole).size(), 1U);
  EXPECT_THAT(rendered_events("<Event x><EventID>one</EventID></Event>"), IsEmpty());
  EXPECT_THAT(rendered_events("<Event x><EventIDs>1</EventIDs></Event>"), IsEmpty());
  EXPECT_THAT(rendered_events("<Event x><EventID>99999999999</EventID></Event>"), IsEmpty());
  std::string many;
  for (int i = 0; i < 10'010; ++i) many += "<Event x><EventID>1</EventID></Event>";
  EXPECT_EQ(rendered_events(many).size(), 10'000U);
}

TEST(CounterLines, CountWhatTypeperfShows) {
  const CounterLines lines = counter_lines(
      "\r\n\"(PDH-CSV 4.0)\",\"\\\\PC\\winperf_exporter\\State Number\",\"\\\\PC\\w\\b\"\r\n"
      "\"11/28/2026 20:00:00.000\",\"12.000000\",\" \"\r\n"
      "\"11/28/2026 20:00:01.000\",\"13.000000\",\"-1\"\r\n"
      "Exiting, please wait...\r\nThe command completed successfully.\r\n");
  EXPECT_EQ(lines.counters, 2U);
  EXPECT_EQ(lines.readings, 2U);
  EXPECT_EQ(lines.values, 1U) << "-1 is typeperf's word for no value";
}

TEST(CounterLines, OfMessagesAreNone) {
  for (const char* const text : {"", "Error: No valid counters.\r\n", "\"a\"\n", "\"a\",b\n",
                                 "\"a\",\"b\n", "\"12\",\"13\"\n"}) {
    EXPECT_EQ(counter_lines(text).counters, 0U) << text;
    EXPECT_EQ(counter_lines(text).values, 0U) << text;
  }
}

TEST(ServiceTrial, ReadsTheLogOfTheService) {
  const auto events = logged_events(
      "{\"event\":\"started\",\"message\":\"listens on http://127.0.0.1:4711\"}\r\n"
      "[]\nnonsense\n{\"message\":\"x\"}\n{\"event\":7}\n{\"event\":\"stopped\"}");
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].name, "started");
  EXPECT_THAT(events[0].message, HasSubstr("4711"));
  EXPECT_EQ(events[1].name, "stopped");
}

TEST(ServiceTrial, ReadsWhichSettingsWereSkipped) {
  EXPECT_THAT(skipped_settings("a: skipped the setting \"delayed start\", which this Windows does "
                               "not support\nb\na: skipped the setting \"service SID\", which\n"),
              ElementsAre("delayed start", "service SID"));
  EXPECT_THAT(skipped_settings("skipped nothing"), IsEmpty());
}

TEST(ServiceTrial, DoesNotUseTheNamesOfWhatIsInstalled) {
  const std::string program = "the program folder C:\\Program Files\\winperf_exporter";
  EXPECT_EQ(why_not_alone({}, true), std::nullopt);
  EXPECT_EQ(why_not_alone({"the key of the service winperf_exporter_selftest_1",
                           "the program folder C:\\Program Files\\winperf_exporter-selftest",
                           "the member S-1-5-80-1 of the group Performance Monitor Users"},
                          true),
            std::nullopt);
  EXPECT_EQ(why_not_alone({program}, false), std::nullopt);
  EXPECT_THAT(why_not_alone({program}, true).value_or(""), HasSubstr("winperf_exporter"));
  for (const char* const trace :
       {"the key of the service winperf_exporter",
        "the data folder C:\\ProgramData\\winperf_exporter",
        "the event source winperf_exporter_perf", "the V2 provider {x}"}) {
    EXPECT_THAT(why_not_alone({trace}, false).value_or(""), HasSubstr(trace));
  }
}

TEST(Traces, AreWhatIsNew) {
  EXPECT_THAT(new_traces({"a", "c"}, {"a", "b", "c", "d"}), ElementsAre("b", "d"));
  EXPECT_THAT(new_traces({"a"}, {}), IsEmpty());
}

}  // namespace
}  // namespace winperf::selftest
