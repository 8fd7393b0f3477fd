# What other projects find: find_package(FSM), and pkg-config's fsm and fsm-runtime. Components: tools (the programs),
# library (libfsm.so), runtime (libfsm-runtime.so), dev (headers, archives,
# what finds them) and python (the package, and the simulator for it). What is installed may be moved as a whole.

include(CMakePackageConfigHelpers)

set(package_dir lib/cmake/FSM)

foreach(targets FSMTargets FSMRuntimeTargets)
  install(EXPORT ${targets} NAMESPACE FSM:: DESTINATION ${package_dir} COMPONENT dev)
endforeach()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/FSMConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/lib/cmake/fsm/FSMConfig.cmake ${PROJECT_BINARY_DIR}/FSMConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT dev)
foreach(name fsm fsm-runtime)
  configure_file(${PROJECT_SOURCE_DIR}/lib/cmake/fsm/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION lib/pkgconfig COMPONENT dev)
endforeach()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/Bindings/Python/fsm DESTINATION lib/python COMPONENT python
        PATTERN __pycache__ EXCLUDE)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/fsm-c ${PROJECT_SOURCE_DIR}/include/fsm
        DESTINATION include COMPONENT dev
        FILES_MATCHING PATTERN "fsm-c/*.h" PATTERN "fsm/Builder/*.h" PATTERN "fsm/Support/*.h"
        PATTERN "fsm/Artifact/ScalarType.h")
