# Kernel sources and their instruction sets.  SPDX-License-Identifier: Apache-2.0
#
# Only files in src/kernels/x86 and src/kernels/arm get instruction set flags, by their name's beginning; which table
# runs is decided at run time. Sets kz_kernel_sources and kz_kernel_definitions.

set(kz_kernel_dir "${CMAKE_CURRENT_SOURCE_DIR}/src/kernels")
file(GLOB kz_kernel_sources CONFIGURE_DEPENDS "${kz_kernel_dir}/*.c" "${kz_kernel_dir}/c/*.c")
set(kz_kernel_definitions)

# kz_kernel_family(<definition> <glob> <flags...>)
function(kz_kernel_family definition pattern)
    file(GLOB sources CONFIGURE_DEPENDS "${kz_kernel_dir}/${pattern}")
    if(sources)
        set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "${ARGN}")
        set(kz_kernel_sources ${kz_kernel_sources} ${sources} PARENT_SCOPE)
        if(definition)
            set(kz_kernel_definitions ${kz_kernel_definitions} ${definition} PARENT_SCOPE)
        endif()
    endif()
endfunction()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
    kz_kernel_family(KZ_HAVE_AVX2 "x86/avx2*.c" -mavx2 -mfma -mf16c)
    kz_kernel_family(KZ_HAVE_AVX2VNNI "x86/vnni256*.c" -mavx2 -mfma -mf16c -mavxvnni)
    kz_kernel_family(KZ_HAVE_AVX512 "x86/avx512*.c" -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx2 -mfma -mf16c)
    kz_kernel_family(KZ_HAVE_AVX512VNNI "x86/vnni512*.c" -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx2 -mfma -mf16c
                     -mavx512vnni)
    kz_kernel_family(KZ_HAVE_AMX "x86/amx*.c" -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx2 -mfma -mf16c -mamx-tile
                     -mamx-int8)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
    # Before registers are given out gcc moves loads so far up that sums have to be spilled.
    set(kz_arm_flags $<$<C_COMPILER_ID:GNU>:-fno-schedule-insns>)
    kz_kernel_family(KZ_HAVE_NEON "arm/neon*.c" ${kz_arm_flags})
    kz_kernel_family(KZ_HAVE_DOTPROD "arm/dotprod*.c" ${kz_arm_flags} -march=armv8.2-a+dotprod)
    kz_kernel_family(KZ_HAVE_I8MM "arm/i8mm*.c" ${kz_arm_flags} -march=armv8.2-a+dotprod+i8mm)
endif()
