// The simulated performance keys and their V1 host keep the contract of the real ones.
#include "tests/simulator/registry_face.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "collectors/wire/block_view.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/processor_information.h"
#include "tests/simulator/standard_machine.h"
#include "tests/simulator/wildcard.h"
#include "tests/support/narrowed.h"

namespace winperf::simulator {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using winperf::testing::narrowed;

// The first room that is enough, and the block.
std::vector<std::byte> ask(RegistryFace& face, std::u16string_view value_name) {
  std::vector<std::byte> buffer(1'000);
  std::size_t size = 0;
  std::uint32_t status = kMoreData;
  while ((status = face.query_value(value_name, buffer, size)) == kMoreData)
    buffer.resize(2 * buffer.size());
  EXPECT_EQ(status, kSuccess);
  buffer.resize(size);
  return buffer;
}

std::vector<std::uint32_t> objects_in(const std::vector<std::byte>& bytes, bool metadata = false) {
  std::vector<std::uint32_t> objects;
  ObjectWalk walk = BlockView::parse(bytes)->objects();
  while (const auto object = walk.next()) {
    EXPECT_TRUE(object->has_value());
    if (!metadata || (*object)->metadata_only()) objects.push_back(value_of((*object)->index()));
  }
  return objects;
}

class RegistryContract : public ::testing::Test {
 protected:
  RegistryContract()
      : system_(system_provider(machine_)), things_(thing_provider(machine_)), face_(machine_) {
    machine_.add(system_);
    machine_.add(things_);
    machine_.add(
        std::make_shared<FormulaProvider>(machine_, kProcessorInformationProvider, u"Processors",
                                          std::vector<FormulaProvider::Set>{processor_set(1)}));
    processors_ = machine_.title_of(kProcessorInformation);
  }

  Machine machine_;
  std::shared_ptr<ObjectProvider> system_;
  std::shared_ptr<ObjectProvider> things_;
  RegistryFace face_;
  std::uint32_t processors_ = 0;
};

TEST_F(RegistryContract, GlobalIsEverythingButTheCostly) {
  EXPECT_THAT(objects_in(ask(face_, u"Global")), ElementsAre(2, 2000, processors_));
  EXPECT_THAT(objects_in(ask(face_, u"gLOBAL")), ElementsAre(2, 2000, processors_));
  EXPECT_THAT(objects_in(ask(face_, u"Costly")), ElementsAre(2010));
  EXPECT_THAT(objects_in(ask(face_, u"OLD_Global")), ElementsAre(2, 2000)) << "V1 alone";
}

TEST_F(RegistryContract, AListIsWhatItNames) {
  EXPECT_THAT(objects_in(ask(face_, u"2")), ElementsAre(2));
  const std::string digits = std::to_string(processors_);
  const std::u16string both = u"2000 " + std::u16string(digits.begin(), digits.end());
  EXPECT_THAT(objects_in(ask(face_, both)), ElementsAre(2000, processors_));
  EXPECT_THAT(objects_in(ask(face_, u"4711")), IsEmpty());
}

TEST_F(RegistryContract, OnlyProvidersThatAreConcernedAreCalled) {
  ask(face_, u"2000");
  EXPECT_EQ(system_->opened, 0) << "its Object List names other objects";
  EXPECT_EQ(things_->opened, 1);
  ask(face_, u"2");
  EXPECT_EQ(system_->opened, 1);
  EXPECT_THAT(things_->queries, ElementsAre(u"2000", u"2")) << "without a list, for every query";
}

TEST_F(RegistryContract, OpenOnceCloseWithTheKey) {
  ask(face_, u"2000");
  ask(face_, u"2000");
  EXPECT_EQ(things_->opened, 1);
  face_.close();
  EXPECT_EQ(things_->closed, 1);
  EXPECT_EQ(system_->closed, 0) << "was never opened";
  ask(face_, u"2000");
  EXPECT_EQ(things_->opened, 2);
}

TEST_F(RegistryContract, AQueryForEverythingOpensEveryProvider) {
  ask(face_, u"Global");
  EXPECT_EQ(system_->opened, 1);
  EXPECT_EQ(things_->opened, 1);
}

TEST_F(RegistryContract, EachConsumerOpensAndClosesForItself) {
  RegistryFace other(machine_);
  ask(face_, u"2000");
  ask(other, u"2000");
  EXPECT_EQ(things_->opened, 2);
  face_.close();
  EXPECT_EQ(things_->closed, 1);
  EXPECT_THAT(objects_in(ask(other, u"2000")), ElementsAre(2000));
  EXPECT_EQ(things_->opened, 2) << "it is still open to the other one";
}

TEST_F(RegistryContract, OpenGetsTheDevicesAsTheRegistryHasThem) {
  using namespace std::string_literals;
  const auto given_for = [&](std::optional<std::vector<std::u16string>> devices) {
    things_->key.devices = std::move(devices);
    face_.close();
    ask(face_, u"2000");
    return things_->devices;
  };
  EXPECT_EQ(given_for({{u"first", u"second"}}), u"first\0second\0\0"s);
  EXPECT_EQ(given_for({{u"only"}}), u"only\0\0"s);
  EXPECT_EQ(given_for(std::vector<std::u16string>{}), u"\0\0"s);
  EXPECT_EQ(given_for(std::nullopt), std::nullopt) << "no such value is a null pointer";
}

TEST_F(RegistryContract, OpenAndCloseAreCalledWhereTheyAreRegistered) {
  things_->key.open = {};
  things_->exports.erase("Open");
  EXPECT_THAT(objects_in(ask(face_, u"2000")), ElementsAre(2000)) << "Collect alone is enough";
  face_.close();
  EXPECT_EQ(things_->opened, 0);
  EXPECT_EQ(things_->closed, 1);
  things_->key.close = {};
  things_->exports.erase("Close");
  EXPECT_THAT(objects_in(ask(face_, u"2000")), ElementsAre(2000));
  face_.close();
  EXPECT_EQ(things_->closed, 1);
  EXPECT_THAT(face_.events(), IsEmpty());
  EXPECT_FALSE(things_->key.disabled);
}

TEST_F(RegistryContract, WithoutACollectThereIsNothingToCall) {
  things_->key.collect = {};
  EXPECT_THAT(objects_in(ask(face_, u"2000")), IsEmpty());
  EXPECT_EQ(things_->opened, 0);
  EXPECT_THAT(face_.events(), ElementsAre(Event{u"Things", 3003}));
  EXPECT_FALSE(things_->key.disabled);
}

TEST_F(RegistryContract, AProviderWhoseFunctionsAreNotFoundByNameIsDisabled) {
  struct Row {
    const char* plain;
    const char* decorated;
    std::uint32_t event;
  };
  for (const Row& row : {Row{"Open", "_Open@4", 1005}, Row{"Collect", "?Collect@@YAKPEAG@Z", 1006},
                         Row{"Close", "_Z5Closev", 1007}}) {
    SCOPED_TRACE(row.plain);
    Machine machine;
    const auto things = thing_provider(machine);
    things->exports.erase(row.plain);
    things->exports.insert(row.decorated);
    machine.add(things);
    machine.add(system_provider(machine));
    RegistryFace face(machine);
    EXPECT_THAT(objects_in(ask(face, u"2 2000")), ElementsAre(2)) << "the others are unharmed";
    EXPECT_TRUE(things->key.disabled) << "Disable Performance Counters";
    EXPECT_EQ(things->opened, 0);
    face.close();
    ask(face, u"2000");
    EXPECT_THAT(face.events(), ElementsAre(Event{u"Things", row.event}, Event{u"Things", 1017}))
        << "found out once: then it is disabled";
    things->key.disabled = false;
    things->exports.insert(row.plain);
    face.close();
    EXPECT_THAT(objects_in(ask(face, u"2000")), ElementsAre(2000)) << "mended and enabled again";
  }
}

TEST_F(RegistryContract, MetadataMixesBothKindsOfObjects) {
  const auto block = ask(face_, u"MetadataGlobal");
  EXPECT_THAT(objects_in(block), ElementsAre(2, 2000, processors_));
  EXPECT_THAT(objects_in(block, true), ElementsAre(2, processors_)) << "things did not opt in";
  EXPECT_EQ(things_->queries.back(), u"Global");
  EXPECT_EQ(system_->queries.back(), u"MetadataGlobal");
  machine_.supports_metadata = false;
  std::size_t size = 0;
  EXPECT_EQ(face_.query_value(u"MetadataGlobal", {}, size), kFileNotFound);
}

TEST_F(RegistryContract, TooLittleRoomSaysNothingOfWhatIsNeeded) {
  std::vector<std::byte> buffer(400);
  std::size_t size = 0;
  EXPECT_EQ(face_.query_value(u"Global", buffer, size), kMoreData);
  EXPECT_GT(size, 10'000u) << "undefined: nobody may rely on it";
}

TEST_F(RegistryContract, DisabledProvidersAreLeftAlone) {
  things_->key.disabled = true;
  EXPECT_THAT(objects_in(ask(face_, u"OLD_Global")), ElementsAre(2));
  machine_.v1_disabled = true;
  EXPECT_THAT(objects_in(ask(face_, u"Global")), ElementsAre(processors_));
}

TEST_F(RegistryContract, UnknownNamesAreNoFiles) {
  std::vector<std::byte> buffer(100'000);
  std::size_t size = 0;
  EXPECT_EQ(face_.query_value(u"Globule", buffer, size), kFileNotFound);
  EXPECT_EQ(face_.query_value(u"2 x", buffer, size), kFileNotFound);
}

// A provider that does one thing wrong.
class BadProvider final : public V1Provider {
 public:
  using Collect = std::function<std::uint32_t(std::byte*&, std::uint32_t&, std::uint32_t&)>;
  BadProvider(std::uint32_t open_status, Collect collect)
      : V1Provider({.service = u"Bad"}), open_status_(open_status), collect_(std::move(collect)) {}
  std::uint32_t open(const char16_t*) override {
    ++opened;
    return open_status_;
  }
  std::uint32_t collect(std::u16string_view, std::byte*& data, std::uint32_t& bytes,
                        std::uint32_t& objects) override {
    return collect_(data, bytes, objects);
  }
  std::uint32_t close() override { return kSuccess; }
  std::vector<std::pair<std::uint32_t, std::u16string>> names() const override { return {}; }
  int opened = 0;

 private:
  std::uint32_t open_status_;
  Collect collect_;
};

struct Misdeed {
  const char* name;
  std::uint32_t open_status;
  BadProvider::Collect collect;
  std::uint32_t event;
  bool disabled;
};

std::uint32_t write_object(std::byte*& data, std::uint32_t& bytes, std::uint32_t& objects) {
  const auto object = object_bytes(testing::ObjectBuilder(3000).counter({.index = 4}).single({1}));
  std::memcpy(data, object.data(), object.size());
  data += object.size();
  bytes = static_cast<std::uint32_t>(object.size());
  objects = 1;
  return kSuccess;
}

TEST_F(RegistryContract, AProviderThatMisbehavesIsReportedAndLeftOut) {
  const Misdeed misdeeds[] = {
      {"open fails", 5, write_object, 1008, false},
      {"another return code", 0, [](auto&, auto&, auto&) { return 87u; }, 1014, false},
      {"too slow", 0, [](auto&, auto&, auto&) { return kWaitTimeout; }, 1015, false},
      {"writes past the buffer", 0,
       [](std::byte*& data, std::uint32_t& bytes, std::uint32_t&) {
         data[bytes] = std::byte{1};
         bytes = 0;
         return kSuccess;
       },
       1001, true},
      {"pointer and length disagree", 0,
       [](std::byte*& data, std::uint32_t& bytes, std::uint32_t& objects) {
         write_object(data, bytes, objects);
         data -= 8;
         return kSuccess;
       },
       1013, false},
      {"counts objects wrongly", 0,
       [](std::byte*& data, std::uint32_t& bytes, std::uint32_t& objects) {
         write_object(data, bytes, objects);
         objects = 2;
         return kSuccess;
       },
       1013, false},
      {"length off the grid of four", 0,
       [](std::byte*& data, std::uint32_t& bytes, std::uint32_t& objects) {
         write_object(data, bytes, objects);
         const std::uint32_t odd = bytes + 2;
         std::memcpy(data - bytes, &odd, sizeof odd);  // the object's own length
         data += 2;
         bytes += 2;
         return kSuccess;
       },
       1013, false},
  };
  for (const Misdeed& misdeed : misdeeds) {
    SCOPED_TRACE(misdeed.name);
    Machine machine;
    auto bad = std::make_shared<BadProvider>(misdeed.open_status, misdeed.collect);
    machine.add(bad);
    machine.add(thing_provider(machine));
    RegistryFace face(machine);
    EXPECT_THAT(objects_in(ask(face, u"Global")), ElementsAre(2000)) << "the others are unharmed";
    EXPECT_THAT(face.events(), Contains(Event{u"Bad", misdeed.event}));
    EXPECT_EQ(bad->key.disabled, misdeed.disabled);
  }
}

TEST_F(RegistryContract, AReplyOfFourModuloEightIsTakenAndReported) {
  const auto small = [](bool) {
    return testing::ObjectBuilder(3000).counter({.index = 3002}).single({7}).slack(4);
  };
  machine_.add(std::make_shared<ObjectProvider>(
      PerformanceKey{.service = u"Old", .object_list = {3000}},
      std::vector<ObjectProvider::Object>{{.index = 3000, .build = small}},
      std::vector<std::pair<std::uint32_t, std::u16string>>{}));
  ASSERT_EQ(object_bytes(small(false)).size() % 8, 4u);
  EXPECT_THAT(objects_in(ask(face_, u"3000")), ElementsAre(3000));
  EXPECT_THAT(face_.events(), ElementsAre(Event{u"Old", 1016}));
}

TEST_F(RegistryContract, AProviderThatFailedToOpenIsTriedAgainAfterTheKeyWasClosed) {
  Machine machine;
  auto bad = std::make_shared<BadProvider>(5, write_object);
  machine.add(bad);
  RegistryFace face(machine);
  ask(face, u"Global");
  ask(face, u"Global");
  EXPECT_EQ(bad->opened, 1);
  face.close();
  ask(face, u"Global");
  EXPECT_EQ(bad->opened, 2);
}

TEST(Wildcard, MatchesAsWindowsDoes) {
  struct Row {
    std::u16string_view pattern, text;
    bool matches;
  };
  for (const Row& row :
       {Row{u"*", u"", true}, Row{u"*", u"x", true}, Row{u"", u"", true}, Row{u"", u"x", false},
        Row{u"?", u"", false}, Row{u"?", u"x", true}, Row{u"_total", u"_Total", true},
        Row{u"0,*", u"0,_Total", true}, Row{u"0,*", u"10,_Total", false}, Row{u"*,0", u"1,0", true},
        Row{u"*a*b", u"xaybab", true}, Row{u"*a*b", u"xaybabc", false},
        Row{u"a?c*", u"abcde", true}, Row{u"**", u"x", true}, Row{u"*?", u"", false}})
    EXPECT_EQ(matches_wildcard(row.pattern, row.text), row.matches) << narrowed(row.pattern);
  // Would take forever by trying everything.
  std::u16string pattern;
  for (int i = 0; i < 30; ++i) pattern += u"a*";
  EXPECT_FALSE(matches_wildcard(pattern + u"b", std::u16string(5'000, u'a')));
}

}  // namespace
}  // namespace winperf::simulator
