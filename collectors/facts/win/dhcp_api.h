// The functions of dhcpsapi.dll that are used. mingw-w64's header lacks most of them, and its
// declarations for newer versions of Windows don't compile. The DLL is installed with the role DHCP
// Server, or with its administration tools.
//
// Memory: each answer is one block, which DhcpRpcFreeMemory releases; the array of an enumeration's
// answer is a separate block ([MS-DHCPM] 3.1.4.6 and 3.2.4.39). Nested data isn't released, because
// Microsoft's documentation disagrees about its ownership; a worker that leaks is replaced at
// workers.max_memory.
//
// Thread rule: any thread. Source: Microsoft Learn, the pages of dhcpsapi.h that the comments name.
#pragma once

#include <windows.h>

#include <cstdint>

namespace winperf::dhcp {

using U32 = std::uint32_t;
using Server = const wchar_t*;  // null: this machine
using Address = U32;            // DHCP_IP_ADDRESS, in host order

// DHCP_IP_ARRAY; DHCP_SUBNET_ELEMENT_INFO_ARRAY_V5 begins in the same way.
template <class Element>
struct Array {
  U32 count;
  Element* elements;
};

// DHCP_SUBNET_INFO
struct SubnetInfo {
  Address address;
  U32 mask;
  wchar_t* name;
  wchar_t* comment;
  Address host_address;  // DHCP_HOST_INFO
  wchar_t* host_netbios_name;
  wchar_t* host_name;
  U32 state;
};

// DHCP_SUPER_SCOPE_TABLE and its DHCP_SUPER_SCOPE_TABLE_ENTRY.
struct Superscope {
  Address subnet;
  U32 number;
  U32 next;
  wchar_t* name;
};
using SuperscopeTable = Array<Superscope>;

// SCOPE_MIB_INFO_V5
struct ScopeUse {
  Address subnet;
  U32 in_use;
  U32 free;
  U32 pending_offers;
};

// DHCP_MIB_INFO_V5
struct MibInfo {
  U32 messages[7];
  U32 start_time[2];  // DATE_TIME
  U32 quarantine[7];
  U32 delayed_offers;
  U32 scopes_with_delay;
  U32 count;
  ScopeUse* scopes;
};

// DHCP_FAILOVER_STATISTICS
struct FailoverStatistics {
  U32 addresses;
  U32 free;
  U32 in_use;
  U32 partner_free;
  U32 this_free;
  U32 partner_in_use;
  U32 this_in_use;
};

inline constexpr U32 kReservedIps = 2;                 // DHCP_SUBNET_ELEMENT_TYPE
inline constexpr U32 kScopeNotInRelationship = 20116;  // ERROR_DHCP_FO_SCOPE_NOT_IN_RELATIONSHIP

struct Functions {
  U32(WINAPI* enum_subnets)(Server, U32* resume, U32 preferred, Array<Address>** subnets, U32* read,
                            U32* total) = nullptr;
  U32(WINAPI* get_subnet_info)(Server, Address subnet, SubnetInfo** info) = nullptr;
  U32(WINAPI* get_superscopes)(Server, SuperscopeTable** table) = nullptr;
  U32(WINAPI* get_mib_info)(Server, MibInfo** info) = nullptr;
  U32(WINAPI* enum_elements)(Server, Address subnet, U32 type, U32* resume, U32 preferred,
                             Array<void>** elements, U32* read, U32* total) = nullptr;
  void(WINAPI* free_memory)(void* block) = nullptr;
  // Null before Server 2012.
  U32(WINAPI* get_failover)(Server, Address subnet, FailoverStatistics** statistics) = nullptr;
};

}  // namespace winperf::dhcp
