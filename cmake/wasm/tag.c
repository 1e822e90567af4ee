// The tag of C++ exceptions, which LLVM 22 leaves to a library.
__asm__(".tagtype __cpp_exception i32\n.globl __cpp_exception\n__cpp_exception:\n");
