// The texts of winperf_exporter.man in the resources of the executable, as LoadString finds them.
#include <windows.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "collectors/base/win/wide.h"
#include "exporter/counters/v2_layout.h"

namespace winperf::own {
namespace {

// From the block of 16 strings that has it, in that language and no other.
std::string string_in(std::uint32_t id, LANGID language) {
  HRSRC const place = FindResourceExW(nullptr, RT_STRING, MAKEINTRESOURCEW(id / 16 + 1), language);
  if (place == nullptr) return "no block";
  HGLOBAL const loaded = LoadResource(nullptr, place);
  const auto* text = static_cast<const wchar_t*>(LockResource(loaded));
  for (std::uint32_t i = 0; i < id % 16; ++i) text += 1 + text[0];
  return to_utf8({text + 1, static_cast<std::size_t>(text[0])});
}

struct InLanguage {
  LANGID id;
  OwnText ObjectRow::* object;
  OwnText CounterRow::* counter;
};

TEST(OwnStrings, TheExecutableHasThemInThreeLanguages) {
  const InLanguage languages[] = {
      {MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US), &ObjectRow::english, &CounterRow::english},
      {MAKELANGID(LANG_GERMAN, SUBLANG_GERMAN), &ObjectRow::german, &CounterRow::german},
      {MAKELANGID(LANG_FRENCH, SUBLANG_FRENCH), &ObjectRow::french, &CounterRow::french},
  };
  for (const InLanguage& language : languages) {
    const auto expect = [&](std::uint32_t id, const OwnText& text) {
      EXPECT_EQ(string_in(id, language.id), text.name) << language.id;
      EXPECT_EQ(string_in(id + 1, language.id), text.help) << language.id;
    };
    for (const ObjectRow* const object : kObjects) {
      expect(name_string(*object), object->*language.object);
      for (std::size_t row = 0; row < object->counters.size(); ++row)
        expect(name_string(*object, row), object->counters[row].*language.counter);
    }
  }
}

}  // namespace
}  // namespace winperf::own
