// The topics that are in the registry, from any key, so that tests can have keys of their own.
// Thread rule: any thread.
#pragma once

#include <windows.h>

#include <string>

#include "collectors/facts/win/topics.h"

namespace winperf {

// The key with the value ExistingPageFiles.
FactAnswer read_pagefiles(HKEY root, const std::wstring& path);
// The key InetStp; no row if it says of no version.
FactAnswer read_iis(HKEY root, const std::wstring& path);
// The key Microsoft SQL Server.
FactAnswer read_sql_servers(HKEY root, const std::wstring& path);

}  // namespace winperf
