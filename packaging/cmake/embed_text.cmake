# Writes OUTPUT, a .cc file with the function `std::string_view NAME()` that returns the text of INPUT.
#   cmake -D INPUT=... -D OUTPUT=... -D HEADER=... -D NAME=... -P embed_text.cmake
file(READ "${INPUT}" hex HEX)
# Bytes, not a string literal: those have a greatest length, and escapes of their own.
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"

namespace winperf {
namespace {
constexpr char kText[] = {${bytes}};
}  // namespace

std::string_view ${NAME}() { return {kText, sizeof kText}; }

}  // namespace winperf
")
