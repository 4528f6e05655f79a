#include "exporter/counters/shared_section.h"

#include <windows.h>

#include <sddl.h>

#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "collectors/base/system_text.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "exporter/counters/section_name.h"

namespace winperf::own {
namespace {

// Who may open the section, and for what; nothing is inherited. The handle that comes from creating
// it can write whatever this says, and no other handle can: an entry for the owner takes away the
// owner's right to change these entries, and the owner may be all administrators.
constexpr wchar_t kSectionRights[] =
    L"D:P"
    L"(A;;GR;;;OW)"             // the owner: the account of the service, or Administrators
    L"(A;;GR;;;SY)"             // the system, as which many agents read
    L"(A;;GR;;;LS)"             // LOCAL SERVICE and ...
    L"(A;;GR;;;NS)"             // ... NETWORK SERVICE: WMI, and a remote perfmon by Remote Registry
    L"(A;;GR;;;BA)"             // Administrators
    L"(A;;GR;;;S-1-5-32-558)"   // Performance Monitor Users: perfmon, typeperf, PDH
    L"(A;;GR;;;S-1-5-32-559)";  // Performance Log Users: data collector sets

struct SectionRightsTraits : NullableHandle<PSECURITY_DESCRIPTOR> {
  static void close(PSECURITY_DESCRIPTOR rights) { LocalFree(rights); }
};

struct SectionViewTraits : NullableHandle<void*> {
  static void close(void* memory) { UnmapViewOfFile(memory); }
};

class NamedSection final : public SharedSection {
 public:
  NamedSection(UniqueKernelHandle section, UniqueHandle<SectionViewTraits> memory)
      : section_(std::move(section)), memory_(std::move(memory)) {}

  std::span<Word> words() override { return {static_cast<Word*>(memory_.get()), kSectionWords}; }

 private:
  UniqueKernelHandle section_;
  UniqueHandle<SectionViewTraits> memory_;  // goes first
};

std::unexpected<std::string> section_problem(const std::string& name, const std::string& reason) {
  return std::unexpected("the section " + name + " cannot be created for the exporter's own " +
                         "counters: " + reason);
}

std::unexpected<std::string> section_problem(const std::string& name, DWORD error) {
  return section_problem(name, system_text({static_cast<int>(error), std::system_category()}));
}

// Whether there is anything of that name, perhaps something that may not be opened.
bool is_taken(const std::wstring& name) {
  const UniqueKernelHandle found(OpenFileMappingW(FILE_MAP_READ, FALSE, name.c_str()));
  return found || GetLastError() != ERROR_FILE_NOT_FOUND;
}

std::string usual_name() {
  std::string name;
  for (const char16_t unit : std::u16string_view(kSectionName))
    name += static_cast<char>(unit);  // ASCII
  return name;
}

}  // namespace

std::expected<std::unique_ptr<SharedSection>, std::string> create_shared_section(
    const std::string& place) {
  const std::string name = place.empty() ? usual_name() : place;
  UniqueHandle<SectionRightsTraits> rights;
  if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(kSectionRights, SDDL_REVISION_1,
                                                            rights.put(), nullptr))
    return section_problem(name, GetLastError());
  SECURITY_ATTRIBUTES attributes{
      .nLength = sizeof attributes, .lpSecurityDescriptor = rights.get(), .bInheritHandle = FALSE};
  UniqueKernelHandle section(CreateFileMappingW(INVALID_HANDLE_VALUE, &attributes, PAGE_READWRITE,
                                                0, DWORD{kSectionBytes}, to_wide(name).c_str()));
  const DWORD error = GetLastError();  // also says whether it existed
  // What exists may be another kind of object, or deny access, as an exporter's section does; but
  // so does Windows without the right to create one.
  if (error == ERROR_ALREADY_EXISTS || error == ERROR_INVALID_HANDLE ||
      (error == ERROR_ACCESS_DENIED && is_taken(to_wide(name))))
    return section_problem(name, "another program has one of that name");
  if (!section) return section_problem(name, error);
  UniqueHandle<SectionViewTraits> memory(
      MapViewOfFile(section.get(), FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, kSectionBytes));
  if (!memory) return section_problem(name, GetLastError());
  return std::make_unique<NamedSection>(std::move(section), std::move(memory));
}

}  // namespace winperf::own
