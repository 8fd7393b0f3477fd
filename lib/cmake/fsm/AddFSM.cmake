# How FSM's libraries, tools and table-generated files are declared, and the
# flags they are all built with.

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

# Release in all but assertions, which are our own only: Debian's LLVM is built
# without them.
if(FSM_ASSERTIONS)
  string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
endif()
separate_arguments(FSM_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})
add_definitions(${FSM_LLVM_DEFINITIONS})
add_compile_options(-Wall -Wextra -Wno-unused-parameter -ffunction-sections -fdata-sections)
add_link_options(-fuse-ld=lld -Wl,--gc-sections)

if(FSM_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr,function
                      -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
endif()
if(FSM_SANITIZE_THREADS)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=thread)
endif()
if(FSM_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(FSM_PORTABLE)
  add_link_options(-static-libstdc++ -static-libgcc -Wl,--icf=all -Wl,-s)
endif()

find_program(FSM_CCACHE ccache)
if(FSM_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${FSM_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${FSM_CCACHE})
endif()

if(FSM_MUTANTS)
  include(Mutants)
endif()

# fsm_tablegen(INPUT.td GENERATOR OUTPUT ...): mlir-tblgen outputs of one file.
function(fsm_tablegen input)
  set(LLVM_TARGET_DEFINITIONS ${input})
  while(ARGN)
    list(POP_FRONT ARGN generator output)
    mlir_tablegen(${output} ${generator})
  endwhile()
  set(TABLEGEN_OUTPUT ${TABLEGEN_OUTPUT} PARENT_SCOPE)
endfunction()

# What is cold has options of its own, and then a precompiled header of its own.
set(FSM_COLD_PRECOMPILED FSMPrecompiled)
if(FSM_COLD_OPTIONS)
  set(FSM_COLD_PRECOMPILED FSMPrecompiledCold)
endif()

# fsm_library(NAME SOURCES ... [ALONE ...] [NO_PCH] [COLD] LINKS ...): one static
# library per folder. Those that use MLIR share one precompiled header. With
# FSM_UNITY, eight sources at a time are one unit, but for those in ALONE, which
# declare what their neighbours declare otherwise. COLD says that tests take as
# long where it is not optimised. That holds for none which a link sees before
# hot ones: its copies of MLIR's inline functions would be all that there are.
function(fsm_library name)
  cmake_parse_arguments(arg "NO_PCH;COLD" "" "SOURCES;ALONE;LINKS" ${ARGN})
  if(FSM_UNITY)
    fsm_unite(${arg_SOURCES})
    set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  list(APPEND arg_SOURCES ${arg_ALONE})
  if(FSM_MUTANTS)
    fsm_mutated_sources(arg_SOURCES ${arg_SOURCES})
  endif()
  add_library(${name} STATIC ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${FSM_UNITY} UNITY_BUILD_MODE GROUP)
  target_link_libraries(${name} PUBLIC ${arg_LINKS})
  if(arg_COLD AND arg_NO_PCH)
    target_compile_options(${name} PRIVATE ${FSM_COLD_OPTIONS})
  elseif(arg_COLD)
    fsm_use_pch(${name} ${FSM_COLD_PRECOMPILED})
  elseif(NOT arg_NO_PCH)
    fsm_use_pch(${name})
  endif()
endfunction()

# fsm_unite(SOURCE ...): eight of them at a time are one unit. Each keeps its place where others are compiled by themselves, as
# copies with planted bugs are: CMake's batches would bring together what declares the same name.
function(fsm_unite)
  set(index 0)
  foreach(source ${ARGN})
    math(EXPR unit "${index} / 8")
    math(EXPR index "${index} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${unit})
  endforeach()
endfunction()

# fsm_precompiled(NAME SOURCE HEADER [BASE] [COLD]): a precompiled header; SOURCE includes it and nothing else. Of a header that
# includes that of BASE, another one, only the rest is parsed. What uses a COLD one is cold.
function(fsm_precompiled name source header)
  cmake_parse_arguments(arg "COLD" "" "" ${ARGN})
  set(base ${arg_UNPARSED_ARGUMENTS})
  add_library(${name} STATIC ${source})
  add_dependencies(${name} FSMGenerated)
  target_precompile_headers(${name} PRIVATE ${header})
  target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  if(arg_COLD)
    target_compile_options(${name} PRIVATE ${FSM_COLD_OPTIONS})
    set_target_properties(${name} PROPERTIES FSM_USERS_OPTIONS "${FSM_COLD_OPTIONS}")
  endif()
  if(base)
    get_target_property(folder ${base} BINARY_DIR)
    set(compiled ${folder}/CMakeFiles/${base}.dir/cmake_pch.hxx.pch)
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -include-pch -Xclang ${compiled}")
    set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir/cmake_pch.hxx.cxx
      PROPERTIES OBJECT_DEPENDS ${compiled})
  endif()
endfunction()

# fsm_use_pch(TARGET [PRECOMPILED]): compile against the precompiled MLIR headers, or those of another fsm_precompiled.
function(fsm_use_pch name)
  set(precompiled FSMPrecompiled ${ARGN})
  list(GET precompiled -1 precompiled)
  add_dependencies(${name} FSMGenerated)
  target_precompile_headers(${name} REUSE_FROM ${precompiled})
  get_target_property(options ${precompiled} FSM_USERS_OPTIONS)
  target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  if(options)
    target_compile_options(${name} PRIVATE ${options})
  endif()
endfunction()

# fsm_tool(NAME): one executable of tools/NAME/NAME.cpp, installed.
function(fsm_tool name)
  add_executable(${name} ${name}/${name}.cpp)
  target_link_libraries(${name} PRIVATE FSMTools)
  install(TARGETS ${name} RUNTIME DESTINATION bin COMPONENT tools)
endfunction()
