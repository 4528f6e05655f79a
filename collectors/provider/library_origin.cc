#include "collectors/provider/library_origin.h"

namespace winperf {

std::string_view name_of(Signing signing) {
  switch (signing) {
    case Signing::kNone:
      return "none";
    case Signing::kNotEmbedded:
      return "not_embedded";
    case Signing::kEmbedded:
      return "embedded";
    case Signing::kCatalog:
      return "catalog";
  }
  return "";  // unreachable: all cases return
}

std::string describe(const Signature& signature) {
  if (signature.signing == Signing::kNone) return "not signed";
  if (signature.signing == Signing::kNotEmbedded) return "no embedded signature";
  std::string text = signature.signer.empty() ? "unknown signer" : signature.signer;
  if (signature.signing == Signing::kCatalog) text += " (catalog)";
  if (!signature.is_verified) text += " (not verified)";
  return text;
}

std::string version_text(std::uint32_t high, std::uint32_t low) {
  constexpr std::uint32_t kPart = 0xFFFF;
  constexpr int kPartBits = 16;
  return std::to_string(high >> kPartBits) + '.' + std::to_string(high & kPart) + '.' +
         std::to_string(low >> kPartBits) + '.' + std::to_string(low & kPart);
}

}  // namespace winperf
