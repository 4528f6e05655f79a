# Writes the C++ source OUTPUT, which defines `std::string_view NAME()` to return the text of the file INPUT. HEADER is the
# header that declares the function.
#   cmake -D INPUT=... -D OUTPUT=... -D HEADER=... -D NAME=... -P embed_text.cmake
file(READ "${INPUT}" hex HEX)
# Writes bytes instead of a string literal, whose length is limited and which would need escapes.
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"

namespace winperf {
namespace {
constexpr char kText[] = {${bytes}};
}  // namespace

std::string_view ${NAME}() { return {kText, sizeof kText}; }

}  // namespace winperf
")
