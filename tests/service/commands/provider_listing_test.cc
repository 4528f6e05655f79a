#include "service/commands/provider_listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/sampling/fake_source.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::ordered_json;

Catalog no_names() {
  testing::FakeSource source;
  return Catalog::load(source, Language::kEnglish);
}

ListedProvider listed_provider() {
  return {.registration = {.service = "Things",
                           .library = "%ProgramFiles%\\things.dll",
                           .collect = "Collect",
                           .objects = {ObjectIndex{2000}},
                           .disable_value = 0,
                           .open_timeout = milliseconds(700)},
          .library = {.path = "C:\\things.dll", .machine = PeMachine::kX64},
          .origin = {.version = "1.2.3.4",
                     .signature = Signature{.signing = Signing::kCatalog,
                                            .signer = "Microsoft Windows",
                                            .is_verified = true}}};
}

ListedProvider tried(std::optional<Error> error) {
  ListedProvider provider = listed_provider();
  provider.trial = ProviderTrial{.error = error,
                                 .objects = {ObjectIndex{2000}, ObjectIndex{2002}},
                                 .bytes = 1'000,
                                 .first = milliseconds(30),
                                 .second = {}};
  return provider;
}

TEST(ProviderState, IsWhatKeepsItFromBeingRead) {
  ListedProvider provider = listed_provider();
  EXPECT_EQ(state_of(provider), "registered");
  provider.library.machine = PeMachine::kX86;
  EXPECT_EQ(state_of(provider), "32-bit");
  provider.library = {.is_missing = true};
  EXPECT_EQ(state_of(provider), "library missing");
  provider.is_left_out = true;
  EXPECT_EQ(state_of(provider), "left out");
  provider.registration.disabled = true;
  EXPECT_EQ(state_of(provider), "disabled");
}

TEST(ProviderState, OfATrialIsItsOutcome) {
  EXPECT_EQ(state_of(tried({})), "works");
  ListedProvider failed = tried(Error{.code = ErrorCode::kTimedOut});
  EXPECT_EQ(state_of(failed), "timed_out");
  failed.library.is_missing = true;
  EXPECT_EQ(state_of(failed), "timed_out") << "the system may have found it";
}

TEST(ProviderTable, SaysWhoseLibraryItIs) {
  const std::string table = providers_to_table({listed_provider()}, no_names(), false);
  EXPECT_EQ(table,
            "SERVICE  STATE       DLL            VERSION  SIGNER                       BITS  "
            "OBJECTS\n"
            "Things   registered  C:\\things.dll  1.2.3.4  Microsoft Windows (catalog)  64    "
            "2000\n");
}

TEST(ProviderTable, HasADashForWhatIsNotKnown) {
  ListedProvider provider{.registration = {.service = "Things", .library = "things.dll"}};
  EXPECT_THAT(providers_to_table({provider}, no_names(), false),
              EndsWith("\nThings   registered  things.dll  -        -       -     -\n"));
  provider.library = {.path = "things", .is_missing = true};
  provider.registration.titles = TitleRange{10, 20};
  EXPECT_THAT(providers_to_table({provider}, no_names(), false),
              EndsWith("  things.dll  -        -       -     some of 10 to 20\n"));
}

TEST(ProviderTable, OfATrialHasTheObjectsThatCame) {
  ListedProvider provider = tried({});
  provider.registration.objects.clear();
  provider.registration.titles = TitleRange{10, 20};
  EXPECT_THAT(providers_to_table({provider}, no_names(), true), EndsWith("  64    2000, 2002\n"));
  provider.trial->objects.clear();
  EXPECT_THAT(providers_to_table({provider}, no_names(), true), EndsWith("  64    -\n"));
}

TEST(ProviderTable, OfTrialsSaysWhatTheyCost) {
  ListedProvider both = tried({});
  both.trial->second = milliseconds(2);
  const std::string table =
      providers_to_table({tried({}), both, listed_provider()}, no_names(), true);
  EXPECT_THAT(table, HasSubstr("SERVICE  STATE       FIRST QUERY  NEXT    BYTES  DLL "));
  EXPECT_THAT(table, HasSubstr("\nThings   works       30.0 ms      -       1000   C:\\"));
  EXPECT_THAT(table, HasSubstr("\nThings   works       30.0 ms      2.0 ms  1000   C:\\"));
  EXPECT_THAT(table, HasSubstr("\nThings   registered  -            -       -      C:\\"));
  EXPECT_THAT(table, HasSubstr("  64    2000, 2002\n"));
}

TEST(PerfHostNote, IsOf32BitProvidersAlone) {
  EXPECT_THAT(perf_host_note({listed_provider()}, PerfHost::kStopped), IsEmpty());
  ListedProvider narrow = listed_provider();
  narrow.library.machine = PeMachine::kX86;
  struct Row {
    std::optional<PerfHost> state;
    const char* end;
  };
  for (const Row& row :
       {Row{{}, "is unknown: sc query PerfHost\n"},
        Row{PerfHost::kStopped, "is stopped: sc start PerfHost\n"},
        Row{PerfHost::kDisabled, "is disabled: sc config PerfHost start= demand\n"},
        Row{PerfHost::kRunning, "is running\n"}, Row{PerfHost::kAbsent, "is absent\n"}})
    EXPECT_THAT(perf_host_note({listed_provider(), narrow}, row.state), EndsWith(row.end));
}

TEST(ProviderJson, HasEveryKey) {
  const Json document = providers_to_json({listed_provider()}, no_names(), PerfHost::kRunning);
  constexpr const char* kExpected = R"json({"perf_host": "running", "providers": [{
    "name": "Things", "state": "registered",
    "library": "%ProgramFiles%\\things.dll", "library_path": "C:\\things.dll",
    "architecture": "64-bit (x64)", "bits": 64, "version": "1.2.3.4",
    "signature": "catalog", "signer": "Microsoft Windows", "signature_verified": true,
    "disabled": false, "disable_performance_counters": 0,
    "open": null, "collect": "Collect", "close": null,
    "open_timeout_seconds": 0.7, "collect_timeout_seconds": null,
    "supports_metadata": false, "keep_resident": false, "has_validation_code": false,
    "titles": null, "has_object_list": true,
    "countersets": [{"name": "", "object_index": 2000}],
    "tried": false, "error": null, "reply_bytes": null,
    "first_query_seconds": null, "next_query_seconds": null}]})json";
  EXPECT_EQ(document, Json::parse(kExpected));
}

TEST(ProviderJson, IsNullWhereNothingIsKnown) {
  ListedProvider provider{.registration = {.service = "Things", .titles = TitleRange{10, 20}}};
  provider.library.is_missing = true;
  provider.library.path = "things";
  provider.origin.signature = Signature{.signing = Signing::kNotEmbedded};
  const Json entry = providers_to_json({provider}, no_names(), {}).at("providers").at(0);
  for (const char* const key : {"library_path", "architecture", "bits", "version", "signer",
                                "signature_verified", "disable_performance_counters"})
    EXPECT_TRUE(entry.at(key).is_null()) << key;
  EXPECT_EQ(entry.at("signature"), "not_embedded");
  EXPECT_EQ(entry.at("titles"), (Json{{"first", 10}, {"last", 20}}));
  EXPECT_TRUE(providers_to_json({}, no_names(), {}).at("perf_host").is_null());
}

TEST(ProviderJson, OfATrialSaysWhatItCost) {
  ListedProvider provider = tried(Error{.code = ErrorCode::kTimedOut, .where = "x"});
  provider.trial->second = milliseconds(500);
  const Json entry = providers_to_json({provider}, no_names(), {}).at("providers").at(0);
  EXPECT_EQ(entry.at("tried"), true);
  EXPECT_EQ(entry.at("error"), describe(*provider.trial->error));
  EXPECT_EQ(entry.at("reply_bytes"), 1'000);
  EXPECT_EQ(entry.at("first_query_seconds"), 0.03);
  EXPECT_EQ(entry.at("next_query_seconds"), 0.5);
  EXPECT_EQ(entry.at("countersets").size(), 2U);
}

}  // namespace
}  // namespace winperf
