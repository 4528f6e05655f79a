// What of libxcrypt is built: bcrypt of each kind that is found in files. "2a" has a countermeasure
// against what was wrong in "2x"; "2b" and "2y" are the same.
#ifndef XCRYPT_BCRYPT_H
#define XCRYPT_BCRYPT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { kXcryptBcryptOutput = 61, kXcryptBcryptScratch = 8192 };  // bytes

// Writes the hash of a phrase with the kind, cost and salt of `setting`, and its final zero.
// `setting` has at least 29 characters. Leaves the output as it is if the setting isn't valid. The
// scratch area is aligned as for malloc; it holds traces of the phrase afterwards.
void xcrypt_bcrypt(const char* phrase, size_t phrase_size, const char* setting, size_t setting_size,
                   uint8_t* output, size_t output_size, void* scratch, size_t scratch_size);

#ifdef __cplusplus
}
#endif

#endif
