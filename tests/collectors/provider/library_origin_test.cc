#include "collectors/provider/library_head.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(VersionText, HasItsFourParts) {
  EXPECT_EQ(version_text(0, 0), "0.0.0.0");
  EXPECT_EQ(version_text(0x000A'0000, 0x4A61'0001), "10.0.19041.1");
  EXPECT_EQ(version_text(0xFFFF'FFFE, 0xFFFD'FFFC), "65535.65534.65533.65532");
}

TEST(Signature, SaysNoMoreThanIsKnown) {
  EXPECT_EQ(describe(Signature{}), "not signed");
  EXPECT_EQ(describe({.signing = Signing::kNotEmbedded}), "no embedded signature");
  EXPECT_EQ(describe({.signing = Signing::kEmbedded, .signer = "Contoso", .is_verified = true}),
            "Contoso");
  EXPECT_EQ(describe({.signing = Signing::kEmbedded, .signer = "Contoso"}),
            "Contoso (not verified)");
  EXPECT_EQ(describe({.signing = Signing::kEmbedded}), "unknown signer (not verified)");
  EXPECT_EQ(describe({.signing = Signing::kCatalog, .signer = "Contoso", .is_verified = true}),
            "Contoso (catalog)");
}

TEST(Signing, HasAWordForEach) {
  EXPECT_EQ(name_of(Signing::kNone), "none");
  EXPECT_EQ(name_of(Signing::kNotEmbedded), "not_embedded");
  EXPECT_EQ(name_of(Signing::kEmbedded), "embedded");
  EXPECT_EQ(name_of(Signing::kCatalog), "catalog");
  EXPECT_FALSE(Signature{}.is_verified);
}

}  // namespace
}  // namespace winperf
