# Install rules: library, headers, pkg-config, CMake package, program, voice.  SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

install(TARGETS ${kz_libraries} EXPORT kzttsTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/kztts DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT kzttsTargets NAMESPACE kztts:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kztts)

configure_package_config_file(cmake/kzttsConfig.cmake.in kzttsConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kztts)
write_basic_package_version_file(kzttsConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/kzttsConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/kzttsConfigVersion.cmake"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kztts)

# Written at install time, so that `cmake --install --prefix` gives a file that is right there too.
install(CODE "set(kz_pc_in \"${CMAKE_CURRENT_SOURCE_DIR}/cmake/kztts.pc.in\")
set(PROJECT_VERSION \"${PROJECT_VERSION}\")
set(PROJECT_DESCRIPTION \"${PROJECT_DESCRIPTION}\")
set(CMAKE_INSTALL_INCLUDEDIR \"${CMAKE_INSTALL_INCLUDEDIR}\")
set(CMAKE_INSTALL_LIBDIR \"${CMAKE_INSTALL_LIBDIR}\")
configure_file(\"\${kz_pc_in}\" \"${CMAKE_CURRENT_BINARY_DIR}/kztts.pc\" @ONLY)")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/kztts.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET kztts_cli)
    install(TARGETS kztts_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES "${CMAKE_BINARY_DIR}/completion/kztts.bash" RENAME kztts
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES "${CMAKE_BINARY_DIR}/completion/kztts.zsh" RENAME _kztts
            DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES "${CMAKE_BINARY_DIR}/completion/kztts.fish" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/docs/man/kztts.1")
    install(FILES docs/man/kztts.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/voices/kazeia-mini")
    install(DIRECTORY voices/kazeia-mini DESTINATION ${CMAKE_INSTALL_DATADIR}/kztts/voices)
endif()
