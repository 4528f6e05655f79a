// The table of events, the message file that Windows shows and the page that explains it agree.
#include "service/log/log_event.h"

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace winperf {
namespace {

std::string contents(const std::string& name) {
  std::ifstream file(std::string(WINPERF_SOURCE_DIR) + "/" + name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string severity(LogLevel level) {
  if (level == LogLevel::kError) return "Error";
  return level == LogLevel::kWarn ? "Warning" : "Informational";
}

TEST(LogEventTest, Table_HasEachIdAndNameOnce) {
  std::set<std::uint16_t> ids;
  std::set<std::string_view> names;
  for (const EventKind& kind : kEventKinds) {
    EXPECT_TRUE(ids.insert(kind.id).second) << kind.id;
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_EQ(&kind_of(kind.event), &kind);
  }
}

TEST(LogEventTest, MessageFile_HasTheSameIdsAndSeverities) {
  const std::string file = contents("service/log/win/messages.mc");
  const std::regex entry(R"(MessageId=(\d+)\s+Severity=(\w+)\s+Facility=None\s+)");
  std::map<int, std::string> found;
  for (std::sregex_iterator it(file.begin(), file.end(), entry), end; it != end; ++it)
    found[std::stoi((*it)[1])] = (*it)[2];
  std::map<int, std::string> expected;
  for (const EventKind& kind : kEventKinds) expected[kind.id] = severity(kind.level);
  EXPECT_EQ(found, expected);
}

TEST(LogEventTest, Page_ExplainsEachId) {
  const std::string page = contents("docs/service.md");
  for (const EventKind& kind : kEventKinds) {
    const std::string row =
        "| " + std::to_string(kind.id) + " | `" + std::string(kind.name) + "` | ";
    EXPECT_THAT(page, ::testing::HasSubstr("\n" + row));
  }
}

}  // namespace
}  // namespace winperf
