// What the operating system says about one of its errors, as text for people.
//
// Nothing else calls std::error_code::message() or std::exception::what() (tests/hygiene_test.py):
// on Windows their text is in the ANSI code page and perhaps in the machine's language, so it is
// not UTF-8. Thread rule: any thread.
#pragma once

#include <exception>
#include <string>
#include <system_error>

namespace winperf {

// UTF-8, one line, no full stop; English where the system has it. On Windows a system error's
// number is part of it.
std::string system_text(const std::error_code& error);

// What an exception says: the system's text where it carries a system error, with the file's name
// where it knows one.
std::string exception_text(const std::exception& error);

}  // namespace winperf
