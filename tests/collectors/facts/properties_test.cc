#include "collectors/facts/wmi_rows.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

class Properties : public ::testing::Test {
 protected:
  Properties() { row_.text("DeviceId", "CPU0").number("Family", 107); }
  FactRow row_;
};

TEST_F(Properties, AreFoundInEitherCase) {
  ASSERT_NE(property(row_, "DeviceID"), nullptr);
  EXPECT_EQ(*property(row_, "DeviceID"), FactValue("CPU0"));
  EXPECT_EQ(property(row_, "Device"), nullptr);
}

TEST_F(Properties, KeepTheirKindWhenCopied) {
  FactRow to;
  copy_property(row_, "DEVICEID", to, "device_id");
  copy_property(row_, "FAMILY", to, "family");
  copy_property(row_, "Nothing", to, "nothing");
  EXPECT_EQ(to, FactRow().text("device_id", "CPU0").number("family", 107));
}

TEST_F(Properties, CanBeCopiedAsText) {
  FactRow to;
  copy_as_text(row_, "DeviceID", to, "device_id");
  copy_as_text(row_, "family", to, "family");
  copy_as_text(row_, "Nothing", to, "nothing");
  EXPECT_EQ(to, FactRow().text("device_id", "CPU0").text("family", "107"));
}

}  // namespace
}  // namespace winperf
