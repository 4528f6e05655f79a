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
  EXPECT_EQ(table.problems[0], "2 logon sessions can't be read, the first because of: " +
                                   system_text({5, std::system_category()}));
}

TEST(RefusalsTest, OneRefusal_NamesWhatRefuses) {
  EXPECT_EQ(refusal_text("the service Spooler", 5),
            "the service Spooler: " + system_text({5, std::system_category()}));
}

}  // namespace
}  // namespace winperf
