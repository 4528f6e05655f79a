// What is asked of Windows and can be tried on any machine: nothing here registers counters.
#include "service/scm/counter_registrar.h"

#include <gmock/gmock.h>
#include <windows.h>

#include "collectors/base/win/unique_handle.h"
#include "service/scm/counter_state.h"
#include "service/scm/win/event_source.h"

namespace winperf {
namespace {

using ::testing::EndsWith;

class CounterRegistrarTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = open_counter_registrar();
    ASSERT_TRUE(opened);
    registrar_ = *std::move(opened);
    const auto facts = registrar_->facts();
    ASSERT_TRUE(facts);
    if (facts->key || facts->message_file) GTEST_SKIP() << "an exporter is installed here";
  }
  std::unique_ptr<CounterRegistrar> registrar_;
};

TEST_F(CounterRegistrarTest, ServiceThatIsNotThere_GetsNoKey) {
  const auto put = registrar_->put_key(counter_key_for("C:\\w\\winperf_exporter_perf.dll"));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, static_cast<DWORD>(ERROR_FILE_NOT_FOUND));
  EXPECT_FALSE(registrar_->facts()->key);
  EXPECT_TRUE(registrar_->remove_key()) << "there is none";
}

// The file of names, if Wine has none.
class NamesOfWine {
 public:
  NamesOfWine() {
    const std::wstring text(L"2\0System\0\0", 10);
    HANDLE file = CreateFileW(kFile, GENERIC_WRITE, 0, nullptr, CREATE_NEW, 0, nullptr);
    DWORD written = 0;
    is_made_ = file != INVALID_HANDLE_VALUE &&
               WriteFile(file, text.data(), 20, &written, nullptr) && CloseHandle(file);
  }
  ~NamesOfWine() {
    if (is_made_) DeleteFileW(kFile);
  }
  NamesOfWine(const NamesOfWine&) = delete;
  NamesOfWine& operator=(const NamesOfWine&) = delete;

 private:
  static constexpr const wchar_t* kFile = L"C:\\windows\\system32\\perfc009.dat";
  bool is_made_ = false;
};

// Every Windows has the object System, which is 2.
TEST_F(CounterRegistrarTest, TitleIsTheFirstOneInTheRange) {
  const NamesOfWine names;
  constexpr wchar_t kService[] = L"SYSTEM\\CurrentControlSet\\Services\\winperf_exporter";
  UniqueKey key;
  const LSTATUS made =
      RegCreateKeyExW(HKEY_LOCAL_MACHINE, (std::wstring(kService) + L"\\Performance").c_str(), 0,
                      nullptr, 0, KEY_SET_VALUE | KEY_WOW64_64KEY, nullptr, key.put(), nullptr);
  if (made == ERROR_ACCESS_DENIED) GTEST_SKIP() << "this needs an administrator";
  ASSERT_EQ(made, ERROR_SUCCESS);
  const auto set = [&key](const wchar_t* name, DWORD value) {
    return RegSetValueExW(key.get(), name, 0, REG_DWORD, reinterpret_cast<const BYTE*>(&value),
                          sizeof value);
  };
  EXPECT_EQ(set(L"First Counter", 2), ERROR_SUCCESS);
  EXPECT_FALSE(registrar_->facts()->first_title) << "there is no Last Counter";
  EXPECT_EQ(set(L"Last Counter", 10), ERROR_SUCCESS);
  EXPECT_EQ(registrar_->facts()->first_title, "System");
  EXPECT_TRUE(has_names_of_others(*registrar_->facts()));
  EXPECT_EQ(set(L"First Counter", 0xFFFF'FFF0), ERROR_SUCCESS);
  EXPECT_EQ(set(L"Last Counter", 0xFFFF'FFFF), ERROR_SUCCESS);
  EXPECT_FALSE(registrar_->facts()->first_title) << "nothing has these indices";
  key = UniqueKey();
  EXPECT_TRUE(registrar_->remove_key());
  RegDeleteKeyExW(HKEY_LOCAL_MACHINE, kService, KEY_WOW64_64KEY, 0);
}

TEST_F(CounterRegistrarTest, ProgramsAreWindowsOwn_AndTheirExitCodeIsTheError) {
  EXPECT_THAT(registrar_->system_program("lodctr.exe"), EndsWith("\\lodctr.exe"));
  const std::string shell = registrar_->system_program("cmd.exe");
  EXPECT_TRUE(registrar_->has_file(shell));
  EXPECT_FALSE(registrar_->has_file(shell + ".gone"));
  EXPECT_FALSE(registrar_->has_file(registrar_->system_program(""))) << "a folder";
  EXPECT_TRUE(registrar_->run('"' + shell + "\" /c exit 0"));
  const auto failed = registrar_->run('"' + shell + "\" /c exit 87");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, 87U);
  const auto missing = registrar_->run('"' + shell + ".gone\"");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, static_cast<DWORD>(ERROR_FILE_NOT_FOUND));
}

TEST_F(CounterRegistrarTest, EventSource_IsWrittenReadAndRemoved) {
  constexpr char kFile[] = "C:\\w\\winperf_exporter_perf.dll";
  const auto put = registrar_->put_event_source(kFile);
  if (!put && put.error().code == ERROR_ACCESS_DENIED)
    GTEST_SKIP() << "this needs an administrator";
  ASSERT_TRUE(put);
  EXPECT_EQ(registrar_->facts()->message_file, kFile);
  EXPECT_TRUE(registrar_->remove_event_source());
  EXPECT_FALSE(registrar_->facts()->message_file);
  EXPECT_TRUE(registrar_->remove_event_source()) << "a missing one is no error";
}

}  // namespace
}  // namespace winperf
