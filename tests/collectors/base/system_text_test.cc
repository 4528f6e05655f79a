#include "collectors/base/system_text.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <stdexcept>

namespace winperf {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// 2 is that of a file that does not exist, to Linux as to Windows.
TEST(SystemText, OfTheSystemsOwnCode) {
  const std::string text = system_text(std::error_code(2, std::system_category()));
  EXPECT_THAT(text, ::testing::AnyOf("No such file or directory",
                                     AllOf(HasSubstr("ile"), HasSubstr("(Windows error 2)"))));
  EXPECT_THAT(text, Not(HasSubstr("\n")));
}

TEST(SystemText, OfTheLibrarysCode) {
  EXPECT_EQ(system_text(std::make_error_code(std::errc::permission_denied)), "Permission denied");
}

TEST(SystemText, OfACodeThatNobodyKnowsHasItsNumber) {
  EXPECT_THAT(system_text(std::error_code(123456, std::system_category())), HasSubstr("123456"));
}

TEST(ExceptionText, NamesTheFile) {
  const std::filesystem::filesystem_error error("rename", "some/file",
                                                std::make_error_code(std::errc::permission_denied));
  EXPECT_EQ(exception_text(error), "some/file: Permission denied");
}

TEST(ExceptionText, OfAnotherExceptionIsItsOwn) {
  EXPECT_EQ(exception_text(std::system_error(std::make_error_code(std::errc::io_error), "open")),
            system_text(std::make_error_code(std::errc::io_error)));
  EXPECT_EQ(exception_text(std::runtime_error("the reason")), "the reason");
}

}  // namespace
}  // namespace winperf
