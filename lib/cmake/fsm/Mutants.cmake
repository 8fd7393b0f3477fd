# With FSM_MUTANTS, a source that test/Mutants/tables names is compiled as a copy
# that also holds its planted bugs, behind a run-time switch.

set(FSM_MUTANTS_FOLDER ${PROJECT_SOURCE_DIR}/test/Mutants)
file(GLOB FSM_MUTANTS_INPUTS CONFIGURE_DEPENDS ${FSM_MUTANTS_FOLDER}/tables/*.toml)
list(APPEND FSM_MUTANTS_INPUTS ${FSM_MUTANTS_FOLDER}/mutate.py ${FSM_MUTANTS_FOLDER}/Mutant.h
     ${PROJECT_SOURCE_DIR}/tools/dev/mutating/table.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${FSM_MUTANTS_INPUTS})
execute_process(COMMAND /usr/bin/python3 ${FSM_MUTANTS_FOLDER}/mutate.py --list
                OUTPUT_VARIABLE FSM_MUTATED_SOURCES OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)

# fsm_mutated_sources(VARIABLE SOURCE ...): the sources, copies in place of some.
function(fsm_mutated_sources variable)
  set(sources)
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${path})
    if(name IN_LIST FSM_MUTATED_SOURCES)
      set(copy ${PROJECT_BINARY_DIR}/mutated/${name})
      cmake_path(GET copy PARENT_PATH folder)
      cmake_path(GET path PARENT_PATH neighbours)
      file(MAKE_DIRECTORY ${folder})
      add_custom_command(OUTPUT ${copy}
        COMMAND /usr/bin/python3 ${FSM_MUTANTS_FOLDER}/mutate.py ${name} ${copy}
        DEPENDS ${path} ${FSM_MUTANTS_INPUTS} VERBATIM)
      set_source_files_properties(${copy} PROPERTIES COMPILE_OPTIONS
        "-iquote;${neighbours};-Wno-c++20-extensions;-Wno-unused")
      set(source ${copy})
    endif()
    list(APPEND sources ${source})
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()
