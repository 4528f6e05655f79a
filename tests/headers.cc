// No code: the target that the precompiled headers of all tests belong to needs a source file.
