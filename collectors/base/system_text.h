// The operating system's text for one of its errors.
//
// Nothing else calls std::error_code::message() or std::exception::what() (tests/hygiene_test.py),
// because on Windows their text is in the ANSI code page, not in UTF-8, and may be in the machine's
// language. Thread rule: any thread.
#pragma once

#include <exception>
#include <string>
#include <system_error>

namespace winperf {

// UTF-8, one line, no full stop; English if the system has it. On Windows it contains the number of
// a system error.
std::string system_text(const std::error_code& error);

// An exception's text: the system's text if it carries a system error, with the file's name if it
// knows one.
std::string exception_text(const std::exception& error);

}  // namespace winperf
