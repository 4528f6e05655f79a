#include "service/run/listeners.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr SteadyTime kStart{std::chrono::hours(100)};

std::vector<AddressNotices> of(const std::string& address, const std::string& notice) {
  return {{.address = address, .notices = {notice}}};
}

TEST(CertificateWatch, TellsTheSameOnceADay) {
  CertificateWatch watch;
  EXPECT_THAT(watch.due(of("a:1", "expires"), kStart), SizeIs(1));
  EXPECT_THAT(watch.due(of("a:1", "expires"), kStart + 24h - 1s), IsEmpty());
  EXPECT_THAT(watch.due(of("a:1", "expires"), kStart + 24h), SizeIs(1));
  EXPECT_THAT(watch.due(of("a:1", "expires"), kStart + 25h), IsEmpty());
}

TEST(CertificateWatch, TellsWhatIsNewAtOnce) {
  CertificateWatch watch;
  EXPECT_THAT(watch.due(of("a:1", "expires"), kStart), SizeIs(1));
  EXPECT_THAT(watch.due(of("a:1", "has expired"), kStart), SizeIs(1));
  EXPECT_THAT(watch.due(of("b:1", "has expired"), kStart), SizeIs(1));
  EXPECT_THAT(watch.due({}, kStart), IsEmpty());
  EXPECT_THAT(watch.due(of("b:1", "has expired"), kStart), SizeIs(1)) << "it is so again";
}

TEST(CertificateWatch, TellsAgainWhatWasReadAgain) {
  CertificateWatch watch;
  EXPECT_THAT(watch.due(of("a:1", "expires"), kStart), SizeIs(1));
  watch.forget("a:1");
  EXPECT_THAT(watch.due(of("a:1", "expires"), kStart), SizeIs(1));
}

}  // namespace
}  // namespace winperf
