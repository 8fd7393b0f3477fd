# Finds LLVM and MLIR 22 and makes their exported targets link statically.
#
# Debian's MLIR targets name libLLVM.so and libMLIR.so even for the static
# archives; left alone, a "static" tool would carry two copies of LLVM.

find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

find_library(FSM_ZLIB libz.a REQUIRED)
find_library(FSM_ZSTD libzstd.a REQUIRED)
if(NOT TARGET zstd::libzstd_shared)
  add_library(zstd::libzstd_shared STATIC IMPORTED)
endif()
set_target_properties(zstd::libzstd_shared PROPERTIES IMPORTED_LOCATION ${FSM_ZSTD})
set_target_properties(LLVMSupport PROPERTIES
  INTERFACE_LINK_LIBRARIES "rt;dl;m;${FSM_ZLIB};zstd::libzstd_shared;LLVMDemangle")

# Only what FSM generates code for.
llvm_map_components_to_libnames(FSM_LLVM_LIBS
  core support supportlsp passes orcjit x86codegen x86asmparser x86desc x86info
  nvptxcodegen nvptxdesc nvptxinfo)
foreach(target ${MLIR_EXPORTED_TARGETS})
  get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
  if(links AND ("LLVM" IN_LIST links OR "MLIR" IN_LIST links))
    list(REMOVE_ITEM links LLVM MLIR)
    list(APPEND links LLVMSupport LLVMCore)
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${links}")
  endif()
endforeach()
