// Words of another program's command line among those of this one: what follows "--" behind
// "config migrate". The library that takes our words apart would divide "[a,b]" at its comma and
// take its brackets away. It leaves a sealed word alone. Thread rule: pure functions.
#pragma once

#include <string>
#include <vector>

namespace winperf {

std::vector<std::string> seal_words(std::vector<std::string> words);
// As it was before; a word that isn't sealed stays as it is.
std::string unsealed(const std::string& word);

}  // namespace winperf
