#include "collectors/facts/refusals.h"

#include <gtest/gtest.h>

#include "collectors/base/system_text.h"

namespace winperf {
namespace {

TEST(RefusalsTest, ManyRefusals_AreOneSentence) {
  Refusals refusals("logon sessions");
  FactTable table;
  refusals.report(table);
  EXPECT_TRUE(table.problems.empty());
  refusals.add(5);
  refusals.add(87);
  refusals.report(table);
  ASSERT_EQ(table.problems.size(), 1u);
  EXPECT_EQ(table.problems[0], "2 logon sessions cannot be read, the first because of: " +
                                   system_text({5, std::system_category()}));
}

TEST(RefusalsTest, OneRefusal_NamesWhatRefuses) {
  EXPECT_EQ(refusal_text("the service Spooler", 5),
            "the service Spooler: " + system_text({5, std::system_category()}));
}

TEST(RefusalsTest, APartThatCanNotBeRead_IsNamed) {
  EXPECT_EQ(problem_text("The size of C:", 5),
            "The size of C: cannot be read: " + system_text({5, std::system_category()}));
}

TEST(RefusalsTest, ATopicThatFails_HasTheKindOfItsReason) {
  struct Row {
    std::uint32_t os_code;
    ErrorCode code;
  };
  for (const auto& [os_code, code] :
       {Row{5, ErrorCode::kAccessDenied}, Row{1314, ErrorCode::kAccessDenied},
        Row{50, ErrorCode::kUnsupported}, Row{120, ErrorCode::kUnsupported},
        Row{127, ErrorCode::kUnsupported}, Row{1058, ErrorCode::kNotRunning},
        Row{1062, ErrorCode::kNotRunning}, Row{1722, ErrorCode::kNotRunning},
        Row{87, ErrorCode::kOsError}}) {
    const Error error = os_failure(os_code, "volumes").error();
    EXPECT_EQ(error.code, code) << os_code;
    EXPECT_EQ(error.os_code, os_code);
    EXPECT_STREQ(error.where, "volumes");
  }
}

}  // namespace
}  // namespace winperf
