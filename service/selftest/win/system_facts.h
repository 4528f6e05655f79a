// The parts of read_system_facts() on Windows. Thread rule: any thread.
#pragma once

#include <windows.h>

#include <optional>
#include <string>

#include "collectors/base/win/key_reader.h"
#include "service/selftest/system_facts.h"

namespace winperf::selftest {

// "Windows error 5".
std::string windows_error(DWORD code);
// A value in the registry, or why there is none.
void add_text(FactGroup& group, const char* fact, const KeyReader& key, const wchar_t* value);
void add_number(FactGroup& group, const char* fact, const KeyReader& key, const wchar_t* value);

// Those of system_policies.cc.
FactGroup account_facts();
FactGroup policy_facts();
FactGroup mitigation_facts();

}  // namespace winperf::selftest
