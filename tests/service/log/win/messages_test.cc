// The event log's texts are in the executable, where Windows looks for them.
#include <gtest/gtest.h>
#include <windows.h>

#include <memory>
#include <string>

#include "collectors/base/win/wide.h"
#include "service/log/log_event.h"

namespace winperf {
namespace {

DWORD severity_bits(LogLevel level) {
  if (level == LogLevel::kError) return 3;
  return level == LogLevel::kWarn ? 2 : 1;
}

class MessagesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    module_ =
        LoadLibraryExW(to_wide(WINPERF_EXECUTABLE).c_str(), nullptr, LOAD_LIBRARY_AS_DATAFILE);
    ASSERT_NE(module_, nullptr) << GetLastError();
  }
  void TearDown() override { FreeLibrary(module_); }

  std::string message(const EventKind& kind) const {
    wchar_t text[1024];
    const wchar_t* const strings[] = {L"(what)", L"(about)"};
    const DWORD length = FormatMessageW(FORMAT_MESSAGE_FROM_HMODULE | FORMAT_MESSAGE_ARGUMENT_ARRAY,
                                        module_, (severity_bits(kind.level) << 30) | kind.id,
                                        MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US), text, 1024,
                                        reinterpret_cast<va_list*>(const_cast<wchar_t**>(strings)));
    return to_utf8(std::wstring_view(text, length));
  }

  HMODULE module_ = nullptr;
};

TEST_F(MessagesTest, EveryEvent_HasAText) {
  for (const EventKind& kind : kEventKinds)
    EXPECT_GT(message(kind).size(), 10u) << kind.name << " " << GetLastError();
}

TEST_F(MessagesTest, Text_SaysWhatAndAboutWhat) {
  EXPECT_EQ(message(kind_of(Event::kCountersetFails)),
            "The counterset \"(about)\" cannot be read: (what). Run \"winperf_exporter doctor\" to "
            "find out why and how to fix it.\r\n");
}

}  // namespace
}  // namespace winperf
