#include "exporter/tls/tls_material.h"

#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"

namespace winperf {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

std::expected<TlsText, std::string> text_of(const PemSource& source, const char* key) {
  if (source.file.empty()) return TlsText{.name = key, .text = source.text};
  const auto bytes = read_whole_file(path_of(source.file), kMostBytes);
  if (!bytes)
    return std::unexpected(std::string(key) + "_file can't be read: " + source.file + ": " +
                           bytes.error().reason);
  return TlsText{.name = source.file,
                 .text = {reinterpret_cast<const char*>(bytes->data()), bytes->size()}};
}

}  // namespace

std::expected<TlsMaterial, std::string> read_material(const TlsConfig& config) {
  TlsMaterial material;
  for (const auto& [source, key, text] :
       {std::tuple(&config.certificate, "cert", &material.certificate),
        std::tuple(&config.key, "key", &material.key),
        std::tuple(&config.client_ca, "client_ca", &material.client_ca)}) {
    auto read = text_of(*source, key);
    if (!read) return std::unexpected(std::move(read).error());
    *text = *std::move(read);
  }
  return material;
}

}  // namespace winperf
