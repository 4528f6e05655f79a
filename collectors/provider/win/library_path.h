// Where the file of a registered library is. Thread rule: any thread.
#pragma once

#include <string>

namespace winperf {

// `library`: a Library value with its variables expanded. It is searched for as LoadLibrary does
// it and, if that finds nothing, as 32-bit programs do: their providers are registered with the
// name of the system directory, which stands for another folder there. The path that the search
// began with, if there is no such file.
[[nodiscard]] std::wstring library_path(const std::wstring& library);

}  // namespace winperf
