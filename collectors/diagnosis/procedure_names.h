// Whether an exported name is what a compiler or linker has made of a function's plain name. The
// system looks for a provider's functions by their plain names and does not find such a one.
//
//   _Open@4, Open@4, @Open@4, _Open    C of 32 bits: __stdcall, __fastcall, __cdecl
//   ?Open@@YAKPEAG@Z                   C++ by Microsoft's compiler
//   _Z4OpenPw, __Z4OpenPw@4            C++ by GCC and Clang
//
// What is taken for one consists of letters, digits and _ ? @ $ . alone, so that it can be shown.
// Thread rule: any thread.
// Source: Learn, "Decorated names"; the Itanium C++ ABI, "Mangling".
#pragma once

#include <string_view>

namespace winperf {

bool is_decorated(std::string_view exported, std::string_view plain);

}  // namespace winperf
