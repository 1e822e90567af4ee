# WebAssembly (WASI) by the clang of the PyPI package ziglang; the preset `wasm` uses it. tools/bootstrap page installs it.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(SUFFICE_WASM ON)
cmake_path(SET WASM_ROOT NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../..)
file(GLOB WASM_ZIG ${WASM_ROOT}.venv/lib/python3*/site-packages/ziglang)
if(NOT WASM_ZIG)
  message(FATAL_ERROR "The compiler for WebAssembly is not there: tools/bootstrap page installs it into .venv.")
endif()
# CMake and ccache want one program with the name of a compiler; paths in it are relative, so that checkouts share a cache.
set(WASM_TOOLS ${WASM_ROOT}build/wasm/tools)
file(MAKE_DIRECTORY ${WASM_TOOLS})
file(CREATE_LINK ${WASM_ZIG}/zig ${WASM_TOOLS}/zig SYMBOLIC)
foreach(tool clang:cc clang++:c++ ar:ar ranlib:ranlib)
  string(REPLACE ":" ";" tool ${tool})
  list(GET tool 0 name)
  list(GET tool 1 verb)
  file(CONFIGURE OUTPUT ${WASM_TOOLS}/${name} CONTENT "#!/bin/sh\n# ziglang 0.17.0\nexec \"\${0%/*}/zig\" ${verb} \"$@\"\n" @ONLY)
  file(CHMOD ${WASM_TOOLS}/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_FORCED ON)  # to ask it would make zig build libraries that nobody uses
  set(CMAKE_${language}_COMPILER_ID Clang)
  set(CMAKE_${language}_COMPILER_ID_RUN ON)
  set(CMAKE_${language}_COMPILER_VERSION 22.0)
  set(CMAKE_${language}_COMPILER_WORKS ON)
  set(CMAKE_${language}_COMPILER_AR ${WASM_TOOLS}/ar)
  set(CMAKE_${language}_COMPILER_RANLIB ${WASM_TOOLS}/ranlib)
endforeach()
set(CMAKE_C_COMPILER ${WASM_TOOLS}/clang)
set(CMAKE_CXX_COMPILER ${WASM_TOOLS}/clang++)
set(CMAKE_CXX_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_C_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_AR ${WASM_TOOLS}/ar)
set(CMAKE_RANLIB ${WASM_TOOLS}/ranlib)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
set(CMAKE_EXECUTABLE_SUFFIX_CXX .wasm)

# zig's own libc++ for WASI has neither exceptions nor files nor mutexes: cmake/wasm/libraries.cmake compiles the same sources
# with these flags. Threads cannot be started; wasm_linux.h says that there is one core, so that none is asked for.
set(target "-target wasm32-wasi -mcpu=lime1+exception_handling+simd128")
set(CMAKE_C_FLAGS_INIT "${target} -w -g0")
set(CMAKE_CXX_FLAGS_INIT "${target} -w -g0 -fwasm-exceptions -U_LIBCPP_HAS_THREADS -D_LIBCPP_HAS_THREADS=1 \
-D_LIBCPP_HAS_THREAD_API_PTHREAD=1 -U_LIBCPP_HAS_FILESYSTEM -D_LIBCPP_HAS_FILESYSTEM=1 -ffp-contract=off -fno-math-errno \
-D_WASI_EMULATED_SIGNAL -DHWY_COMPILE_ONLY_STATIC")
# Linked by the C compiler, which does not add zig's libc++.
set(CMAKE_CXX_LINK_EXECUTABLE "${WASM_TOOLS}/clang ${target} -O2 -s -Wl,--gc-sections -Wl,-z,stack-size=1048576 \
-lwasi-emulated-signal <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
