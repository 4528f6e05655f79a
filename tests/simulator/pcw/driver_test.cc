// Drivers are loaded and unloaded as Windows does it, and what they use of the kernel beside Pcw.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/simulator/pcw/kernel.h"

namespace winperf::simulator::pcw {
namespace {

int entries = 0;
bool had_registry_path = false;

NTSTATUS NTAPI plain_entry(PDRIVER_OBJECT driver, PUNICODE_STRING registry_path) {
  ++entries;
  had_registry_path = registry_path != nullptr && registry_path->Length > 0;
  driver->DriverUnload = [](PDRIVER_OBJECT) { --entries; };
  return STATUS_SUCCESS;
}

NTSTATUS NTAPI failing_entry(PDRIVER_OBJECT driver, PUNICODE_STRING) {
  driver->DriverUnload = [](PDRIVER_OBJECT) { ++entries; };
  return STATUS_UNSUCCESSFUL;
}

TEST(Kernel, LoadsADriverOnce) {
  entries = 0;
  EXPECT_EQ(Kernel::instance().load(plain_entry), STATUS_SUCCESS);
  EXPECT_TRUE(had_registry_path);
  EXPECT_EQ(Kernel::instance().load(plain_entry), STATUS_IMAGE_ALREADY_LOADED);
  EXPECT_EQ(entries, 1);
  Kernel::instance().unload(plain_entry);
  EXPECT_EQ(entries, 0);
  Kernel::instance().unload(plain_entry);
  EXPECT_EQ(entries, 0) << "it was not loaded any more";
}

TEST(Kernel, ADriverThatDoesNotStartIsNotUnloaded) {
  entries = 0;
  EXPECT_EQ(Kernel::instance().load(failing_entry), STATUS_UNSUCCESSFUL);
  Kernel::instance().unload(failing_entry);
  EXPECT_EQ(entries, 0);
}

TEST(Rtl, StringsHaveTheirLengthInBytes) {
  UNICODE_STRING text{};
  RtlInitUnicodeString(&text, u"wave");
  EXPECT_EQ(text.Length, 8);
  EXPECT_EQ(text.MaximumLength, 10);
  RtlInitUnicodeString(&text, nullptr);
  EXPECT_EQ(text.Length, 0);
  EXPECT_EQ(text.Buffer, nullptr);
  const UNICODE_STRING constant = RTL_CONSTANT_STRING(u"wave");
  EXPECT_EQ(constant.Length, 8);
  EXPECT_EQ(constant.MaximumLength, 10);
}

TEST(Rtl, CountsAcrossThreads) {
  LONG count = 0;
  EXPECT_EQ(InterlockedIncrement(&count), 1);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&count] {
        for (int n = 0; n < 100; ++n) InterlockedIncrement(&count);
      });
  }
  EXPECT_EQ(InterlockedDecrement(&count), 400);
}

}  // namespace
}  // namespace winperf::simulator::pcw
