#include "service/scm/service_control.h"

#include <gmock/gmock.h>

#include <sstream>

#include "service/console/exit_code.h"
#include "tests/service/scm/fake_service_manager.h"

namespace winperf {
namespace {

using testing::FakeService;
using testing::FakeServiceManager;
using ::testing::HasSubstr;

class SwitchOver : public ::testing::Test {
 protected:
  SwitchOver() {
    theirs().facts = {.state = ServiceState::kRunning, .start = StartKind::kDelayed};
    own().facts = {.state = ServiceState::kStopped, .start = StartKind::kDelayed};
  }

  FakeService& own() { return manager_.services["ours"]; }
  FakeService& theirs() { return manager_.services["theirs"]; }

  int replace() {
    return replace_service(manager_, "ours", "theirs", [](std::string_view) { return "a reason"; },
                           {out_, err_});
  }
  int restore() { return restore_service(manager_, "ours", "theirs", {out_, err_}); }

  FakeServiceManager manager_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(SwitchOver, StopsTheOtherOneAndStartsOurs) {
  EXPECT_EQ(replace(), kExitOk) << err_.str();
  EXPECT_EQ(own().facts.state, ServiceState::kRunning);
  EXPECT_EQ(own().facts.start, StartKind::kDelayed);
  EXPECT_EQ(theirs().facts.state, ServiceState::kStopped);
  EXPECT_EQ(theirs().facts.start, StartKind::kManual);
  EXPECT_EQ(out_.str(),
            "theirs: set to manual start\ntheirs: stopped\nours: running (process 4711)\n");
}

TEST_F(SwitchOver, OfOursThatRuns_StartsItAgain) {
  own().facts.state = ServiceState::kRunning;
  own().pauses_to_change = 2;
  EXPECT_EQ(replace(), kExitOk) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("ours: stopped\nours: running"));
}

TEST_F(SwitchOver, WithoutTheOtherOne_IsAStart) {
  manager_.services.erase("theirs");
  EXPECT_EQ(replace(), kExitOk);
  EXPECT_THAT(out_.str(), HasSubstr("theirs: the service does not exist\nours: running"));
}

TEST_F(SwitchOver, WithoutOurs_ChangesNothing) {
  manager_.services.erase("ours");
  EXPECT_EQ(replace(), kExitNotInstalled);
  EXPECT_EQ(theirs().facts.state, ServiceState::kRunning);
  EXPECT_EQ(theirs().facts.start, StartKind::kDelayed);
}

TEST_F(SwitchOver, OfOursThatCanNotStart_LeavesTheOtherOneAsItWas) {
  own().ends_at_start = true;
  own().facts.exit_code = 1066;
  EXPECT_EQ(replace(), kExitFailure);
  EXPECT_THAT(err_.str(), HasSubstr("ours: ended immediately: a reason"));
  EXPECT_EQ(theirs().facts.state, ServiceState::kRunning);
  EXPECT_EQ(theirs().facts.start, StartKind::kAutomatic);
}

TEST_F(SwitchOver, WithoutTheRight_SaysSo) {
  manager_.failing["set_start"] = {5, "as Windows says it"};
  EXPECT_EQ(replace(), kExitAccessDenied);
  EXPECT_THAT(err_.str(), HasSubstr("theirs: its start type was not changed: access denied"));
  EXPECT_EQ(theirs().facts.state, ServiceState::kRunning);
}

TEST_F(SwitchOver, GoesBack) {
  EXPECT_EQ(replace(), kExitOk);
  own().pauses_to_change = 2;
  theirs().pauses_to_change = 2;
  EXPECT_EQ(restore(), kExitOk) << err_.str();
  EXPECT_EQ(own().facts.state, ServiceState::kStopped);
  EXPECT_EQ(own().facts.start, StartKind::kManual);
  EXPECT_EQ(theirs().facts.state, ServiceState::kRunning);
  EXPECT_EQ(theirs().facts.start, StartKind::kAutomatic);
  own().pauses_to_change = 2;
  theirs().pauses_to_change = 2;
  EXPECT_EQ(replace(), kExitOk) << err_.str();
  EXPECT_EQ(own().facts.start, StartKind::kAutomatic) << "Windows starts it again";
}

TEST_F(SwitchOver, BackToNothing_ChangesNothing) {
  manager_.services.erase("theirs");
  own().facts.state = ServiceState::kRunning;
  EXPECT_EQ(restore(), kExitNotInstalled);
  EXPECT_EQ(own().facts.state, ServiceState::kRunning);
}

TEST_F(SwitchOver, BackWithoutOurs_StartsTheOtherOne) {
  manager_.services.erase("ours");
  theirs().facts = {.state = ServiceState::kStopped, .start = StartKind::kManual};
  EXPECT_EQ(restore(), kExitOk) << err_.str();
  EXPECT_EQ(theirs().facts.state, ServiceState::kRunning);
}

}  // namespace
}  // namespace winperf
