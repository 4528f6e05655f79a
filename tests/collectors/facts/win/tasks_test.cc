#include <gtest/gtest.h>
#include <windows.h>

// After windows.h.
#include <taskschd.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "collectors/facts/win/com.h"
#include "collectors/facts/win/topics.h"
#include "tests/support/win/wine.h"

namespace winperf {
namespace {

// A task of our own in the scheduler, which doesn't run.
class OwnTask {
 public:
  OwnTask() {
    const VARIANT none{};
    UniqueCom<ITaskService> service;
    EXPECT_EQ(CoCreateInstance(CLSID_TaskScheduler, nullptr, CLSCTX_INPROC_SERVER, IID_ITaskService,
                               reinterpret_cast<void**>(service.put())),
              S_OK);
    EXPECT_EQ(service.get()->Connect(none, none, none, none), S_OK);
    EXPECT_EQ(service.get()->GetFolder(make_bstr(L"\\").get(), root_.put()), S_OK);
    UniqueCom<IRegisteredTask> task;
    const HRESULT made = root_.get()->RegisterTask(make_bstr(kPath).get(), make_bstr(kXml).get(),
                                                   TASK_CREATE_OR_UPDATE, none, none,
                                                   TASK_LOGON_NONE, none, task.put());
    EXPECT_EQ(made, S_OK) << std::hex << made;
  }
  ~OwnTask() { root_.get()->DeleteTask(make_bstr(kPath).get(), 0); }
  OwnTask(const OwnTask&) = delete;
  OwnTask& operator=(const OwnTask&) = delete;

 private:
  static constexpr const wchar_t* kPath = L"\\winperf facts test";
  static constexpr const wchar_t* kXml =
      L"<Task version=\"1.2\" xmlns=\"http://schemas.microsoft.com/windows/2004/02/mit/task\">"
      L"<RegistrationInfo/><Triggers/><Settings><Hidden>true</Hidden></Settings>"
      L"<Actions><Exec><Command>winver.exe</Command></Exec></Actions></Task>";
  UniqueCom<ITaskFolder> root_;
};

bool has_own_task() {
  const auto table = read_tasks();
  EXPECT_TRUE(table) << describe(table.error());
  if (!table) return false;
  return std::ranges::any_of(table->rows, [](const FactRow& row) {
    return row.text_of("task") == "/winperf facts test" && row.text_of("state") == "ready" &&
           row.find("last_result") == nullptr;
  });
}

TEST(TasksTest, TaskThatIsRegistered_IsThere) {
  const ComApartment apartment;
  if (testing::under_wine()) {
    // Wine 8 hands out the folder's tasks, but can't say how many there are.
    const OwnTask task;
    const auto table = read_tasks();
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error(), (Error{.code = ErrorCode::kUnsupported,
                                    .where = "tasks",
                                    .os_code = static_cast<std::uint32_t>(E_NOTIMPL)}));
    return;
  }
  EXPECT_FALSE(has_own_task());
  {
    const OwnTask task;
    EXPECT_TRUE(has_own_task());
  }
  EXPECT_FALSE(has_own_task());
}

}  // namespace
}  // namespace winperf
